const LONE_SURROGATE = /\p{Surrogate}/u;

/** True if UTF-8 can hold the text. It cannot hold half a surrogate pair: another text would be stored. */
export function isWellFormed(text: string): boolean {
  return !LONE_SURROGATE.test(text);
}
