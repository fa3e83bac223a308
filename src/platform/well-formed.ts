const LONE_SURROGATE = /\p{Surrogate}/u;

/** False for half a surrogate pair: UTF-8 would store another text. */
export function isWellFormed(text: string): boolean {
  return !LONE_SURROGATE.test(text);
}
