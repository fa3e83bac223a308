/** The first `length` UTF-16 units of a text, or one less: a surrogate pair is never split. */
export function startOf(text: string, length: number): string {
  return text.length <= length ? text : text.slice(0, length).replace(/[\ud800-\udbff]$/, '');
}
