const MOST_CHARACTERS = 200;
const MOST_ITEMS = 50;
/** What a secret shows: that there is one. */
export const SECRET = 'secret';

export type Row = Readonly<Record<string, unknown>>;

export interface ShownColumns {
  /** Attributes whose values records show. */
  shown: readonly string[];
  /** Attributes of which records show only that they changed. */
  secret: readonly string[];
}

/** The differences of two rows by names of the API. Undefined rows have no values. */
export function differences(
  { shown, secret }: ShownColumns,
  before: Row | undefined,
  after: Row | undefined,
): Map<string, [unknown, unknown]> {
  const found = new Map<string, [unknown, unknown]>();
  for (const name of shown) {
    const pair: [unknown, unknown] = [shownValue(name, before?.[name]), shownValue(name, after?.[name])];
    if (pair[0] !== pair[1]) found.set(apiName(name), pair);
  }
  for (const name of secret) {
    const [was, is] = [before?.[name] || null, after?.[name] || null];
    if (was !== is) found.set(apiName(name), [was === null ? null : SECRET, is === null ? null : SECRET]);
  }
  return found;
}

/** Dates are unix seconds, ids texts; long texts are cut, and empty ones are nothing. */
function shownValue(name: string, value: unknown): unknown {
  if (value === undefined || value === null || value === '') return null;
  if (typeof value === 'number') return /Ms$/.test(name) ? value / 1000 : /Id$/.test(name) ? String(value) : value;
  return typeof value === 'boolean' ? value : shortText(String(value));
}

export function shortText(text: string, most = MOST_CHARACTERS): string {
  const short = text.length > most ? `${text.slice(0, most - 1)}…` : text;
  return Buffer.from(short).toString(); // half a surrogate pair would be stored as another text
}

function apiName(attribute: string): string {
  return attribute.replace(/(?:Ms|Hash)$/, '').replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

/** A long list ends with the number of the others. */
export function shortList(items: readonly string[]): string[] {
  if (items.length <= MOST_ITEMS) return [...items];
  return [...items.slice(0, MOST_ITEMS), `… ${items.length - MOST_ITEMS}`];
}
