import { markedSample, markedSampleField } from './sample-value';
import type { WrittenPart } from './sensor-value';
import { applyTextFunction, argumentProblem, TEXT_FUNCTIONS, type TextFunction } from './text-functions';
import { fieldAsText, whyNoField } from './value-fields';

/** A made-up value for a test: marked as a sample, and with every field. */
export class Sample {
  constructor(readonly value: string) {}
}

export type TextValues = Readonly<Record<string, string | number | boolean | null | undefined | Sample>>;

// A run of letters, digits and _ is read whole, so `my_sensor_id` is not `sensor_id`; each character is read a bounded number of times.
const NAME = '[\\p{L}\\p{N}_]+';
// Only values have fields: a dot or bracket behind any other word, or before anything but a name, belongs to the text.
// The search for a closing quote ends at the next quote.
const QUOTED = '"(?:[^"\\\\]|\\\\.)*"';
const FIELDS = new RegExp(`\\.(${NAME})|\\[\\s*(?:(${QUOTED})|(\\d+))\\s*\\]`, 'gsu');
const WORD = `((?:last_)?sensor_data_value(?:\\.${NAME}|\\[\\s*(?:${QUOTED}|\\d+)\\s*\\])+|${NAME})`;
// `{{round(name, 1)}}` and `{{date(name, "Europe/Berlin")}}`.
const ARGUMENT = '(?:,\\s*(?:(\\d+)|"([^"{}]*)")\\s*)?';
const CALL = `\\{\\{\\s*(${TEXT_FUNCTIONS.join('|')})\\(\\s*${WORD}\\s*${ARGUMENT}\\)\\s*\\}\\}`;
const CALLS = new RegExp(CALL, 'gsu');
const WORDS = new RegExp(`${CALL}|\\$\\{${WORD}\\}|\\{\\{\\s*${WORD}\\s*\\}\\}|\\{${WORD}\\}|\\$?${WORD}`, 'gsu');

/** Names that are words of the language as well: they are replaced only with a `$` or braces. */
const MARKED: ReadonlySet<string> = new Set(['unit']);

/** Maximum number of characters that values may bring into a text; the rest is cut off. */
const MAX_CHARACTERS = 65_536;
/** Maximum for all texts of one user that are written together, because large values multiply with notifications. */
const MAX_TOGETHER = 4_194_304;
const MAX_REASONS = 5;
/** Minimum for each text, regardless of their number. */
const MIN_CHARACTERS = 1_000;

/** Number of characters that values may bring into each of `texts` texts of one user that are written together. */
export function roomOfEach(texts: number): number {
  return Math.min(MAX_CHARACTERS, Math.max(MIN_CHARACTERS, Math.floor(MAX_TOGETHER / texts)));
}

/**
 * Replaces names by values: as a whole word (all but `unit`), `$name`, `${name}`, `{name}` or `{{name}}`. Only names in `values` are
 * replaced; a null or undefined value becomes empty. Inserted text is not searched again. The names of fields and the
 * indexes of items may follow the name of a value: `$sensor_data_value.lux`, `$sensor_data_value["x-axis"]` or
 * `$sensor_data_value.list[0]`. Double braces may call `round` and `date` with a name. Values bring at most `characters` characters into the text.
 */
export function renderText(text: string, values: TextValues, characters = MAX_CHARACTERS): string {
  let room = characters;
  return text.replace(WORDS, (whole: string, ...groups: (string | undefined)[]) => {
    const [call, called, digits, zone, ...words] = groups;
    const { name, path } = readWord(called ?? words[0] ?? words[1] ?? words[2] ?? words[3] ?? '');
    if (!Object.hasOwn(values, name) || (whole === name && MARKED.has(name))) return whole;
    if (room === 0) return ''; // avoids writing a large field as JSON again
    const plain = shownText(values[name], path);
    const shown = cut(call ? applyTextFunction(call as TextFunction, plain, digits ?? zone) : plain, room); // one of the names in CALL
    room -= shown.length;
    return shown;
  });
}

/** Why a text cannot be used: the first call of a function with an invalid argument. */
export function textProblem(text: string): string | undefined {
  for (const [, name, , digits, zone] of text.matchAll(CALLS)) {
    const problem = argumentProblem(name as TextFunction, digits ?? zone); // one of the names in CALL
    if (problem) return problem;
  }
  return undefined;
}

/** The words of a text that name a field or an item of a value. */
export function fieldWordsIn(text: string): Word[] {
  const words = [...text.matchAll(WORDS)].map(([, , called, , , ...plain]) =>
    readWord(called ?? plain.find((word) => word !== undefined) ?? ''),
  );
  return words.filter(({ path }) => path.length > 0);
}

/** Why parts of a text are empty although their variables have values: fields that do not exist; undefined if none is. */
export function whyEmptyIn(text: string, values: TextValues): string | undefined {
  const reasons = fieldWordsIn(text).flatMap((word) => whyEmptyWord(word, values) ?? []);
  return reasons.length === 0 ? undefined : [...new Set(reasons)].slice(0, MAX_REASONS).join('; ');
}

const LONE_WORD = new RegExp(`^${WORD}$`, 'su');

/** A name of a value with the fields and items behind it. */
export interface Word {
  name: string;
  path: readonly WrittenPart[];
}

/** The word that a text consists of; undefined if it is anything else. */
export function wordIn(text: string): Word | undefined {
  return LONE_WORD.test(text) ? readWord(text) : undefined;
}

/** The value of a word as a text shows it; `""` if there is none. */
export function renderWord({ name, path }: Word, values: TextValues): string {
  return Object.hasOwn(values, name) ? shownText(values[name], path) : '';
}

/** Why a word shows nothing although its variable has a value: a field or an item that does not exist. */
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

function shownText(value: TextValues[string], path: readonly WrittenPart[]): string {
  if (value === null || value === undefined) return '';
  if (value instanceof Sample)
    return path.length === 0 ? markedSample(value.value) : markedSampleField(value.value, path);
  return path.length === 0 ? String(value) : fieldAsText(String(value), path);
}

/** Cuts without splitting a surrogate pair. */
function cut(text: string, length: number): string {
  return text.length <= length ? text : text.slice(0, length).replace(/[\ud800-\udbff]$/, '');
}

/** A sensor as texts name it. */
export interface NamedSensor {
  id: number;
  name: string;
  /** Absent or `""` when none is known. */
  unit?: string;
}

/** The variables that name the fired or ended thing. */
export function namesOf(
  { id, name, unit = '' }: NamedSensor,
  { triggerId, triggerName }: { triggerId: number; triggerName: string },
) {
  return { sensor_id: id, sensor_name: name, unit, trigger_id: triggerId, trigger_name: triggerName };
}
