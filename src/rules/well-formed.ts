const LONE_SURROGATE = /\p{Surrogate}/u;

/** Whether UTF-8 can hold the text. Of half a surrogate pair it cannot: another text would be stored. */
export function isWellFormed(text: string): boolean {
  return !LONE_SURROGATE.test(text);
}
