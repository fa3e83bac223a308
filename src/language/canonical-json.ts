import { countCharacters, countVisits } from './evaluation-cost';
import { type Item, isList, type Operand, operandOf, Structure } from './expression-comparison';

/** Equal lists or objects have equal texts. Throws CannotEvaluate if it is too large. */
export function canonicalJson(value: Structure | readonly Item[]): string {
  return written(value);
}

function written(value: Operand): string {
  if (isList(value)) {
    countVisits(value.length);
    return `[${value.map((item) => written(operandOf(item))).join()}]`;
  }
  if (value instanceof Structure) {
    const { fields } = value;
    const names = Object.keys(fields).sort();
    countVisits(names.length);
    return `{${names.map((name) => `${JSON.stringify(name)}:${written(operandOf(fields[name]))}`).join()}}`;
  }
  if (typeof value === 'string') countCharacters(value);
  return JSON.stringify(value ?? null);
}
