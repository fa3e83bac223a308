import { isRecord } from '../platform/is-record';
import type { WrittenPart } from './sensor-value';
import { fieldAsText } from './value-fields';

const NUMBER = 21.5;
const STRUCTURED = /^(?:json|object)/i;
const KINDS: readonly (readonly [pattern: RegExp, sample: unknown])[] = [
  [/^bool/, true],
  [/^(?:int|long|short)/, Math.round(NUMBER)],
  [/^(?:str|text)/, 'sample'],
];

/** A made-up value in the form of a data point. For people use `markedSample`. */
export function sampleValue({ dataType, dataStructure }: { dataType: string; dataStructure: string }): string {
  const isStructured = STRUCTURED.test(dataType.trim());
  const value = isStructured ? fieldsOf(dataStructure) : sampleOf(dataType);
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** Marked, so that people do not mistake the sample for a value. */
export function markedSample(value: string): string {
  return value === 'sample' ? value : `${value} (sample)`;
}

/** A number if the sample lacks the field. */
export function markedSampleField(value: string, path: readonly WrittenPart[]): string {
  return markedSample(fieldAsText(value, path) || String(NUMBER));
}

function sampleField([name, described]: [string, unknown]): [string, unknown] {
  return [name, sampleOf(isRecord(described) ? described.type : described)];
}

function sampleOf(type: unknown): unknown {
  const name = typeof type === 'string' ? type.trim().toLowerCase() : '';
  return KINDS.find(([pattern]) => pattern.test(name))?.[1] ?? NUMBER;
}

function fieldsOf(dataStructure: string): Record<string, unknown> {
  try {
    const structure: unknown = JSON.parse(dataStructure);
    return isRecord(structure) ? Object.fromEntries(Object.entries(structure).map(sampleField)) : {};
  } catch {
    return {}; // none is given
  }
}
