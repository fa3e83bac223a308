import { numericFields } from '../domain/learning/features';
import { fieldsOf, usedValues } from './input-values';
import { type RecognitionKind, recognitionService } from './recognition';

/** Recognises states by any numeric fields of any sensors. */
export const stateRecognition: RecognitionKind = {
  name: 'state_recognition_service',
  description: 'Learns states from labelled ranges of time and writes the label of the state that it recognises.',
  windowMs: 10_000,
  usableFields: (sensor) => fieldsOf(sensor, (isText) => !isText),
  readFields: (input, value) => {
    const fields = numericFields(Object.fromEntries(usedValues(input, value)));
    return Object.keys(fields).length === 0 ? null : fields;
  },
  unusable: 'the value holds no number',
};

export const stateRecognitionService = recognitionService(stateRecognition);
