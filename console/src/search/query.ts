/** The states of sensors that a search can ask for. */
export const STATES = ['firing', 'pending', 'ok', 'silent'] as const;
export type State = (typeof STATES)[number];

export type Comparison = '<' | '<=' | '>' | '>=';

/** A part of a search; the found sensors meet all of them. Metatags of one name are alternatives. */
export type Term =
  | { kind: 'word'; text: string; not: boolean }
  /** An empty value stands for any; without a namespace the tag is of the default one. A comparison needs a number. */
  | { kind: 'tag'; name: string; value: string; not: boolean; namespace?: string; comparison?: Comparison }
  | { kind: 'state'; state: State }
  /** Without data for at least this long. */
  | { kind: 'silent'; seconds: number };

/** Why a part of a search was left out, and the part as typed. */
export interface Mistake {
  why: 'state' | 'duration' | 'not' | 'states' | 'namespaces';
  text: string;
}

export interface Query {
  terms: Term[];
  mistakes: Mistake[];
}

/** A part of a text: an optional minus, an optional name before a colon or a comparison, and a value, each as typed. */
export interface Token {
  start: number;
  end: number;
  minus: string;
  /** Undefined without a colon or a comparison. */
  name: string | undefined;
  value: string;
  comparison?: Comparison;
}

/** The last quote may be missing at the end of the text. */
const QUOTED = '"(?:[^"]|"")*(?:"|$)';
const NUMBER = '[-+]?(?:\\d+(?:\\.\\d*)?|\\.\\d+)(?:e[-+]?\\d+)?';
const SPELLED = new RegExp(`^\\s*${NUMBER}\\s*$`, 'i');
const TOKEN = new RegExp(
  `(-?)(?:(${QUOTED}|[^\\s"<>]+?):?\\s*([<>]=?)\\s*(${NUMBER})(?!\\S)|(?:(${QUOTED}|[^\\s:"]+):)?(${QUOTED}|[^\\s"]*))`,
  'gi',
);

/** The number that the whole text spells, by the rule of expressions; otherwise NaN. */
export function readNumber(text: string): number {
  return SPELLED.test(text) ? Number(text) : Number.NaN;
}

/** The parts of a search text, in order. */
export function tokensOf(text: string): Token[] {
  return [...text.matchAll(TOKEN)]
    .filter(([found]) => found !== '')
    .map(({ 0: found, 1: minus = '', 2: compared, 3: comparison, 4: number, 5: name, 6: value = '', index }) => ({
      ...{ start: index, end: index + found.length, minus, name: compared ?? name, value: number ?? value },
      ...(comparison && { comparison: comparison as Comparison }), // the pattern finds no other
    }));
}

/** The text between quotes, where two stand for one; other texts unchanged. */
export function unquoted(text: string): string {
  const [, inside] = /^"((?:[^"]|"")*)"?$/.exec(text) ?? [];
  return inside === undefined ? text : inside.replaceAll('""', '"');
}

/**
 * Reads a search: `kind:freezer floor>=2 -room:"cold store" silent:2h attic`. A name or word in quotes is never a
 * keyword. Parts that cannot be understood are left out, and named.
 */
export function readQuery(text: string): Query {
  const query: Query = { terms: [], mistakes: [] };
  for (const token of tokensOf(text)) {
    const read = readTerm(token);
    if (read === undefined) continue;
    if ('kind' in read) query.terms.push(read);
    else query.mistakes.push({ ...read, text: text.slice(token.start, token.end) });
  }
  const states = new Set(query.terms.flatMap((term) => (term.kind === 'state' ? term.state : [])));
  if (states.size > 1) query.mistakes.push({ why: 'states', text: [...states].join(', ') });
  return query;
}

function readTerm({ minus, name, value, comparison }: Token): Term | Pick<Mistake, 'why'> | undefined {
  const [text, not] = [unquoted(value), minus !== ''];
  if (name === undefined) {
    if (text.trim() === '') return minus && !value ? { kind: 'word', text: '-', not: false } : undefined;
    return { kind: 'word', text, not };
  }
  if (comparison) return { kind: 'tag', name: unquoted(name), value, not, comparison };
  if (!isKeyword(name)) return { kind: 'tag', name: unquoted(name), value: text, not };
  if (not) return { why: 'not' };
  if (name.toLowerCase() === 'silent') {
    const seconds = readDuration(text);
    return seconds === undefined ? { why: 'duration' } : { kind: 'silent', seconds };
  }
  const state = STATES.find((one) => one === text.toLowerCase());
  return state ? { kind: 'state', state } : { why: 'state' };
}

function isKeyword(name: string): boolean {
  return ['state', 'silent'].includes(name.toLowerCase());
}

const UNITS: Readonly<Record<string, number>> = { s: 1, m: 60, min: 60, h: 3_600, d: 86_400, w: 604_800 };
/** Ten years: the platform takes no longer ones. */
const LONGEST = 315_576_000;

function readDuration(text: string): number | undefined {
  const [, number, unit = ''] = /^(\d{1,9})(s|m|min|h|d|w)$/i.exec(text) ?? [];
  const seconds = Number(number) * (UNITS[unit.toLowerCase()] ?? 0);
  return seconds >= 1 && seconds <= LONGEST ? seconds : undefined;
}

/** A search for one value of a metatag, or for the values that compare so with a number. */
export function tagText(name: string, value: string, comparison?: string): string {
  const isPlain = /^[^\s:"<>-][^\s:"<>]*$/.test(name) && !isKeyword(name);
  return `${isPlain ? name : quoted(name)}${comparison ? comparison + value : `:${valueText(value)}`}`;
}

/** A value as a search has it: in quotes where it needs them. */
export function valueText(value: string): string {
  return /^[^\s"<>]+$/.test(value) ? value : quoted(value);
}

function quoted(text: string): string {
  return `"${text.replaceAll('"', '""')}"`;
}
