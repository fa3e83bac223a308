import { legalName } from '../../language/sensor-value';
import { fieldsOf, usedValues } from './input-values';
import { numericFields } from './learning/features';
import { type RecognitionKind, recognitionService } from './recognition';

const AXES = ['x-axis', 'y-axis', 'z-axis'];

/** Recognizes poses by the three axes of an accelerometer; other fields are ignored. */
export const posePrediction: RecognitionKind = {
  name: 'pose_prediction_service',
  description:
    'Learns poses from labelled ranges of accelerations and writes the label of the pose that it recognises.',
  windowMs: 5_000,
  usableFields: (sensor) => {
    const fields = fieldsOf(sensor, (isText) => !isText);
    return AXES.every((axis) => fields.includes(axis)) ? AXES : [];
  },
  readFields: (input, value) => {
    // Always the axes, whatever fields are connected.
    const values = usedValues({ ...input, fields: AXES }, value);
    const axes = numericFields(Object.fromEntries(values));
    return AXES.every((axis) => legalName(axis) in axes) ? axes : null;
  },
  unusable: `the value lacks a number for one of ${AXES.join(', ')}`,
};

export const posePredictionService = recognitionService(posePrediction);
