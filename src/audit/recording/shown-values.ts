const MOST_CHARACTERS = 200;
/** What a cut text shows before its first difference. */
const CONTEXT = 40;
const MOST_ITEMS = 50;
export const SECRET = 'secret';

export type Row = Readonly<Record<string, unknown>>;

export interface ShownColumns {
  shown: readonly string[];
  /** Records show only that they changed. */
  secret: readonly string[];
}

/** By names of the API. Undefined rows have no values. */
export function differences(
  { shown, secret }: ShownColumns,
  before: Row | undefined,
  after: Row | undefined,
): Map<string, [unknown, unknown]> {
  const found = new Map<string, [unknown, unknown]>();
  for (const name of shown) {
    const [was, is] = [shownValue(name, before?.[name]), shownValue(name, after?.[name])];
    if (was !== is) found.set(apiName(name), shortPair(was, is));
  }
  for (const name of secret) {
    const [was, is] = [before?.[name] || null, after?.[name] || null];
    if (was !== is) found.set(apiName(name), [was === null ? null : SECRET, is === null ? null : SECRET]);
  }
  return found;
}

/** Dates are unix seconds, ids texts; empty texts are nothing. */
function shownValue(name: string, value: unknown): unknown {
  if (value === undefined || value === null || value === '') return null;
  if (typeof value === 'number') return /Ms$/.test(name) ? value / 1000 : /Id$/.test(name) ? String(value) : value;
  return typeof value === 'boolean' ? value : String(value);
}

/** Long texts that begin alike are cut to where they differ. */
function shortPair(before: unknown, after: unknown): [unknown, unknown] {
  if (typeof before !== 'string' || typeof after !== 'string') return [shortValue(before), shortValue(after)];
  let same = 0;
  while (before[same] === after[same]) same += 1;
  const isShown = Math.max(before.length, after.length) <= MOST_CHARACTERS || same < MOST_CHARACTERS - CONTEXT;
  if (isShown) return [shortText(before), shortText(after)];
  const from = same - CONTEXT;
  return [shortText(`…${before.slice(from)}`), shortText(`…${after.slice(from)}`)];
}

function shortValue(value: unknown): unknown {
  return typeof value === 'string' ? shortText(value) : value;
}

export function shortText(text: string, most = MOST_CHARACTERS): string {
  const short = text.length > most ? `${text.slice(0, most - 1)}…` : text;
  return Buffer.from(short).toString(); // half a surrogate pair would be stored as another text
}

function apiName(attribute: string): string {
  return attribute.replace(/(?:Ms|Hash)$/, '').replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

/** Ends with the number of the others. */
export function shortList(items: readonly string[]): string[] {
  if (items.length <= MOST_ITEMS) return [...items];
  return [...items.slice(0, MOST_ITEMS), `… ${items.length - MOST_ITEMS}`];
}
