import { isRecord } from '../../rules/is-record';
import { readNumber } from '../../rules/sensor-value';
import { whyTooLarge } from './json-size';

/** The payload of a message, for all templates that read it. */
export interface Payload {
  text: string;
  /** Its JSON, which is parsed once; undefined if it is none. */
  json(): unknown;
}

/** What a template makes of a payload; undefined if the payload has no such value. */
export type ValueTemplate = (payload: Payload) => unknown;

const MAX_TEMPLATE = 1_000;
const STEP = /^(?:\.([A-Za-z_]\w*)|\[\s*'([^'\\]*)'\s*\]|\[\s*"([^"\\]*)"\s*\]|\[\s*(\d{1,6})\s*\])/;
const ROUND = /^round(?:\(\s*(\d{1,2})?\s*\))?$/;
const FLOAT = /^float(?:\([^()]*\))?$/;
const INT = /^int(?:\([^()]*\))?$/;

type Filter = (value: unknown) => unknown;

/**
 * Reads the common templates of Home Assistant: `{{ value }}`, or `{{ value_json }}` with a path of `.field`, `['field']`
 * and `[0]`, and after it the filters `round`, `float`, `int` and `is_defined`. Undefined for any other template.
 */
export function readValueTemplate(template: string): ValueTemplate | undefined {
  const inner = template.length > MAX_TEMPLATE ? undefined : innerOf(template.trim());
  if (inner === undefined) return undefined;
  const [source = '', ...names] = inner.split('|').map((part) => part.trim());
  const path = source.startsWith('value_json') ? readPath(source.slice('value_json'.length)) : undefined;
  if (source !== 'value' && !path) return undefined;
  const filters = names.map(filterOf);
  if (filters.some((filter) => filter === undefined)) return undefined;
  return (payload) => {
    const value = path ? valueAt(payload.json(), path) : payload.text;
    return filters.reduce<unknown>((result, filter) => (result === undefined ? undefined : filter?.(result)), value);
  };
}

function innerOf(template: string): string | undefined {
  if (!template.startsWith('{{') || !template.endsWith('}}') || template.length < 4) return undefined;
  return template.slice(2, -2).replace(/^-/, '').replace(/-$/, '');
}

function readPath(text: string): (string | number)[] | undefined {
  const path: (string | number)[] = [];
  let rest = text;
  while (rest !== '') {
    const match = STEP.exec(rest);
    if (!match) return undefined;
    const [all, plain, single, double, index] = match;
    path.push(index === undefined ? (plain ?? single ?? double ?? '') : Number(index));
    rest = rest.slice(all.length);
  }
  return path;
}

function valueAt(value: unknown, path: readonly (string | number)[]): unknown {
  return path.reduce<unknown>((inner, step) => {
    if (Array.isArray(inner)) return typeof step === 'number' ? inner[step] : undefined;
    return isRecord(inner) && Object.hasOwn(inner, String(step)) ? inner[String(step)] : undefined;
  }, value);
}

/** A payload whose JSON is parsed when a template first asks for it. */
export function payloadOf(text: string): Payload {
  let parsed: { value: unknown } | undefined;
  return {
    text,
    json: () => {
      parsed ??= { value: jsonIn(text) };
      return parsed.value;
    },
  };
}

function jsonIn(text: string): unknown {
  if (whyTooLarge(text) !== null) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function filterOf(name: string): Filter | undefined {
  if (name === 'is_defined') return (value) => value;
  if (FLOAT.test(name)) return numberIn;
  if (INT.test(name)) return (value) => applied(value, Math.trunc);
  const round = ROUND.exec(name);
  if (!round) return undefined;
  const digits = Number(round[1] ?? 0);
  return (value) => applied(value, (number) => Number(number.toFixed(digits)));
}

function applied(value: unknown, change: (number: number) => number): number | undefined {
  const number = numberIn(value);
  return number === undefined ? undefined : change(number);
}

function numberIn(value: unknown): number | undefined {
  if (typeof value === 'number') return value;
  return typeof value === 'string' ? (readNumber(value) ?? undefined) : undefined;
}
