import { startOf } from '../platform/start-of';
import { Words } from '../platform/words/words';
import type { UsedLabels } from './labels';
import { markedSample, markedSampleField } from './sample-value';
import type { WrittenPart } from './sensor-value';
import { applyTextFunction, argumentProblem, TEXT_FUNCTIONS, type TextFunction } from './text-functions';
import { fieldAsText, whyNoField } from './value-fields';

/** A made-up value for a test, with every field. */
export class Sample {
  constructor(
    readonly value: string,
    readonly words = Words.english,
  ) {}
}

export type TextValues = Readonly<Record<string, string | number | boolean | null | undefined | Sample | UsedLabels>>;

// Reads a run whole: `my_sensor_id` is not `sensor_id`, and the search is linear.
const NAME = '[\\p{L}\\p{N}_]+';
// A dot or a bracket after any other name belongs to the text: only values have fields.
const QUOTED = '"(?:[^"\\\\]|\\\\.)*"';
const FIELDS = new RegExp(`\\.(${NAME})|\\[\\s*(?:(${QUOTED})|(\\d+))\\s*\\]`, 'gsu');
const WORD = `((?:last_)?sensor_data_value(?:\\.${NAME}|\\[\\s*(?:${QUOTED}|\\d+)\\s*\\])+|${NAME})`;
// `{{round(name, 1)}}` and `{{date(name, "Europe/Berlin")}}`.
const ARGUMENT = '(?:,\\s*(?:(\\d+)|"([^"{}]*)")\\s*)?';
const CALL = `\\{\\{\\s*(${TEXT_FUNCTIONS.join('|')})\\(\\s*${WORD}\\s*${ARGUMENT}\\)\\s*\\}\\}`;
const CALLS = new RegExp(CALL, 'gsu');
// `{{label("limit")}}` and `{{label("limit", 8)}}`.
const LABEL = '\\{\\{\\s*label\\(\\s*"([^"\\\\]+)"\\s*(?:,\\s*(?:"([^"\\\\]*)"|([+-]?[\\d.]+))\\s*)?\\)\\s*\\}\\}';
const LABELS = new RegExp(LABEL, 'gsu');
const WORDS = new RegExp(
  `${CALL}|\\$\\{${WORD}\\}|\\{\\{\\s*${WORD}\\s*\\}\\}|\\{${WORD}\\}|\\$?${WORD}|${LABEL}`,
  'gsu',
);
const OPENED_LABEL = /\{\{\s*label\s*\(/gu;
const LABEL_RULE = 'names a label that cannot be read: its name belongs in double quotes, as in label("limit", 8)';
/** Where a firing holds them. No text names it. */
const LABELS_OF_SENSOR = 'labels';
/** Groups before those of a label. */
const WORD_GROUPS = 8;

/** These are words of the language: replaced only with a `$` or braces. */
const MARKED: ReadonlySet<string> = new Set(['unit', 'zone']);

/** Characters of values; the rest is cut off. */
const MAX_CHARACTERS = 65_536;
const MAX_TOGETHER = 4_194_304;
const MAX_REASONS = 5;
/** Minimum for each text, regardless of their number. */
const MIN_CHARACTERS = 1_000;

/** Characters of values in each of `texts` texts that are written together. */
export function roomOfEach(texts: number): number {
  return Math.min(MAX_CHARACTERS, Math.max(MIN_CHARACTERS, Math.floor(MAX_TOGETHER / texts)));
}

/**
 * Replaces `name` (all but `unit` and `zone`), `$name`, `${name}`, `{name}` and `{{name}}`, with fields and indexes
 * (`$sensor_data_value["x-axis"]`), and `round`, `date` and `label` in double braces. Null becomes empty. Inserted text is not
 * searched again. Values bring at most `characters` characters.
 */
export function renderText(text: string, values: TextValues, characters = MAX_CHARACTERS): string {
  let room = characters;
  return text.replace(WORDS, (whole: string, ...groups: (string | undefined)[]) => {
    const [call, called, digits, zone, ...words] = groups;
    const [label, ...instead] = groups.slice(WORD_GROUPS);
    const { name, path } = readWord(called ?? words[0] ?? words[1] ?? words[2] ?? words[3] ?? '');
    const isVariable = Object.hasOwn(values, name) && name !== LABELS_OF_SENSOR;
    if (label === undefined && (!isVariable || (whole === name && MARKED.has(name)))) return whole;
    if (room === 0) return ''; // avoids writing a large field as JSON again
    const plain = label === undefined ? shownText(values[name], path) : labelText(values, label, instead);
    const shown = startOf(call ? applyTextFunction(call as TextFunction, plain, digits ?? zone) : plain, room); // one of the names in CALL
    room -= shown.length;
    return shown;
  });
}

/** Why a text cannot be used; undefined if it can. */
export function textProblem(text: string): string | undefined {
  for (const [, name, , digits, zone] of text.matchAll(CALLS)) {
    const problem = argumentProblem(name as TextFunction, digits ?? zone); // one of the names in CALL
    if (problem) return problem;
  }
  const opened = [...text.matchAll(OPENED_LABEL)].length;
  return opened === [...text.matchAll(LABELS)].length ? undefined : LABEL_RULE;
}

/** The words of a text that name a field or an item of a value. */
export function fieldWordsIn(text: string): Word[] {
  const words = [...text.matchAll(WORDS)].map(([, , called, , , ...plain]) =>
    readWord(called ?? plain.slice(0, 4).find((word) => word !== undefined) ?? ''),
  );
  return words.filter(({ path }) => path.length > 0);
}

/** Why parts of a text are empty although their variables have values: fields that do not exist; undefined if none is. */
export function whyEmptyIn(text: string, values: TextValues): string | undefined {
  const reasons = fieldWordsIn(text).flatMap((word) => whyEmptyWord(word, values) ?? []);
  for (const [, label = '', ...instead] of text.matchAll(LABELS)) {
    if (labelText(values, label, instead.slice(0, 2)) === '') reasons.push(`the sensor has no label "${label}"`);
  }
  return reasons.length === 0 ? undefined : [...new Set(reasons)].slice(0, MAX_REASONS).join('; ');
}

const LONE_WORD = new RegExp(`^${WORD}$`, 'su');

export interface Word {
  name: string;
  path: readonly WrittenPart[];
}

/** Undefined for a text that is anything but one word. */
export function wordIn(text: string): Word | undefined {
  return LONE_WORD.test(text) ? readWord(text) : undefined;
}

/** `""` without a value. */
export function renderWord({ name, path }: Word, values: TextValues): string {
  return Object.hasOwn(values, name) ? shownText(values[name], path) : '';
}

/** Why a word is empty although its variable has a value. */
export function whyEmptyWord({ name, path }: Word, values: TextValues): string | undefined {
  const value = Object.hasOwn(values, name) ? values[name] : undefined;
  if (path.length === 0 || value === null || value === undefined || value instanceof Sample) return undefined;
  const why = whyNoField(String(value), path);
  return why && `${name}${why}`;
}

function readWord(word: string): Word {
  const end = word.search(/[.[]/);
  if (end < 0) return { name: word, path: [] };
  const path = [...word.matchAll(FIELDS)].map(([, dotted, quoted = '', index]): WrittenPart => {
    if (index !== undefined) return Number(index);
    const name = dotted ?? quoted.slice(1, -1).replace(/\\(["\\])/g, '$1');
    return { name, isQuoted: dotted === undefined };
  });
  return { name: word.slice(0, end), path };
}

/** `""` if the sensor lacks it, and nothing stands in. */
function labelText(values: TextValues, label: string, instead: readonly (string | undefined)[]): string {
  const labels = values[LABELS_OF_SENSOR];
  const isKnown = labels && typeof labels === 'object' && !(labels instanceof Sample) && Object.hasOwn(labels, label);
  return String((isKnown ? labels[label] : undefined) ?? instead[0] ?? instead[1] ?? '');
}

function shownText(value: TextValues[string], path: readonly WrittenPart[]): string {
  if (value === null || value === undefined) return '';
  if (value instanceof Sample)
    return value.words.said(path.length === 0 ? markedSample(value.value) : markedSampleField(value.value, path));
  return path.length === 0 ? String(value) : fieldAsText(String(value), path);
}

export interface NamedSensor {
  id: number;
  name: string;
  /** May be `""`. */
  unit?: string;
}

export function namesOf(
  { id, name, unit = '' }: NamedSensor,
  { triggerId, triggerName }: { triggerId: number; triggerName: string },
) {
  return { sensor_id: id, sensor_name: name, unit, trigger_id: triggerId, trigger_name: triggerName };
}
