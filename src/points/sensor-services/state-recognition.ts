import { fieldsOf, usedValues, WHOLE_VALUE } from './input-values';
import { numericFields } from './learning/features';
import { type RecognitionKind, recognitionService } from './recognition';
import type { ServiceInput } from './sensor-service';

export const stateRecognition: RecognitionKind = {
  name: 'state_recognition_service',
  description: 'Learns states from labelled ranges of time and writes the label of the state that it recognises.',
  windowMs: 10_000,
  usableFields: (sensor) => fieldsOf(sensor, (isText) => !isText),
  readFields: (input, value) => {
    const fields = numbersOf(input, value);
    if (Object.keys(fields).length > 0) return fields;
    // A whole value with fields that the data structure does not list: all of them count.
    const whole = input.fields.every((field) => field === WHOLE_VALUE)
      ? numbersOf({ ...input, fields: [] }, value)
      : {};
    return Object.keys(whole).length > 0 ? whole : null;
  },
  unusable: 'the value holds no number',
};

export const stateRecognitionService = recognitionService(stateRecognition);

function numbersOf(input: ServiceInput, value: string): Record<string, number> {
  return numericFields(Object.fromEntries(usedValues(input, value)));
}
