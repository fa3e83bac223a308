import { parseUrl } from '../../platform/parse-url';
import type { Preset, PresetField, PresetValues } from './preset';

const MAX_VALUE = 1_000;
const BREAKING = /[\p{Cc}\p{Zl}\p{Zp}]/u;

/** `error` begins with "must" or "is". */
export interface ValueProblem {
  field: string;
  error: string;
}

/**
 * Undefined and empty values mean not given. A problem if a required value is missing, a value does not match its
 * field, or there is no such field.
 */
export function readPresetValues(
  preset: Preset,
  given: Readonly<Record<string, string | undefined>>,
): { values: PresetValues } | { problem: ValueProblem } {
  const names = new Set(preset.fields.map(({ name }) => name));
  const values: Record<string, string> = {};
  for (const [name, value] of Object.entries(given)) {
    if (value !== undefined && !names.has(name)) {
      return { problem: { field: name, error: `is not a field of the preset ${preset.name}` } };
    }
  }
  for (const field of preset.fields) {
    const value = given[field.name]?.trim() || field.default;
    const problem = value === undefined ? missing(field) : problemOf(field, value);
    if (problem) return { problem: { field: field.name, error: problem } };
    if (value !== undefined) values[field.name] = value;
  }
  return { values };
}

function missing(field: PresetField): string | undefined {
  return field.required ? `must be given: ${field.help}` : undefined;
}

function problemOf(field: PresetField, value: string): string | undefined {
  if (value.length > MAX_VALUE) return `must have at most ${MAX_VALUE} characters`;
  if (BREAKING.test(value)) return 'must not hold line breaks or control characters';
  if (value.includes('{{')) return 'must not hold templates';
  const problem = field.format === 'text' ? undefined : urlProblem(field, value);
  if (problem) return problem;
  const { pattern, expected } = field;
  return pattern === undefined || new RegExp(`^(?:${pattern})$`, 'u').test(value) ? undefined : `must be ${expected}`;
}

function urlProblem({ format }: PresetField, value: string): string | undefined {
  const url = parseUrl(value);
  if (!url || !/^https?:$/.test(url.protocol)) return 'must be an http or https URL';
  if (url.username !== '' || url.password !== '') return 'must not hold credentials';
  if (/[\s{}]/.test(value)) return 'must not hold blanks or braces';
  if (url.hash !== '' || (format === 'server' && url.search !== '')) return 'must end with its path';
  return undefined;
}
