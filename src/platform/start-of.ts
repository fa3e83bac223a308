/** The first `length` UTF-16 units of a text, or one less: a surrogate pair is never split. */
export function startOf(text: string, length: number): string {
  return text.length <= length ? text : text.slice(0, length).replace(/[\ud800-\udbff]$/, '');
}

/** A text of at most `length` units, which ends with `…` if it was cut. */
export function shortened(text: string, length: number): string {
  return text.length <= length ? text : `${startOf(text, length - 1)}…`;
}
