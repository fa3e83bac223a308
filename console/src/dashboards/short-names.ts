/** Shorter names stay whole. */
const LONG = 16;

/**
 * Long names without the words that others begin and end with as well. Names are alike if they have the same first word;
 * each keeps at least one word.
 */
export function shortNames(names: readonly string[]): readonly string[] {
  const firstOf = (name: string) => name.split(' ', 1)[0];
  const short = new Map<string, string>();
  for (const first of new Set(names.map(firstOf))) {
    const alike = [...new Set(names.filter((name) => firstOf(name) === first))];
    for (const [at, text] of withoutShared(alike).entries()) short.set(alike[at] ?? text, text);
  }
  return names.map((name) => short.get(name) ?? name);
}

function withoutShared(names: readonly string[]): readonly string[] {
  if (names.length < 2 || names.every(({ length }) => length <= LONG)) return names;
  const all = names.map((name) => name.split(' '));
  const most = Math.min(...all.map(({ length }) => length)) - 1;
  const isShared = (at: number) => all.every((words) => words.at(at) === all[0]?.at(at));
  let first = 0;
  while (first < most && isShared(first)) first += 1;
  let last = 0;
  while (first + last < most && isShared(-1 - last)) last += 1;
  return all.map((words) => words.slice(first, words.length - last).join(' '));
}
