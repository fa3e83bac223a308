import { isRecord } from '../platform/is-record';

const LENGTH = 200;
/** Replaces each withheld part. */
const WITHHELD = '…';
const WORD = /[\p{L}\p{N}][\p{L}\p{N}.,:@_-]*/gu;

/**
 * An answer without the words and numbers that were sent, for readers who may not read those: receivers like to repeat
 * them.
 */
export function withoutEcho(answer: string, sent: readonly string[]): string {
  const words = new Set(sent.flatMap(valuesIn).flatMap((value) => wordsIn(value)));
  const shown = answer
    .replace(/<[^>]*>/g, ' ')
    .replace(WORD, (word) => (wordsIn(word).some((part) => words.has(part)) ? WITHHELD : word))
    .replace(/\s+/g, ' ')
    .replace(/…(?:[^\p{L}\p{N}<>{}[\]"]*…)+/gu, WITHHELD)
    .trim();
  return shown.length <= LENGTH ? shown : `${shown.slice(0, LENGTH)} …`;
}

function valuesIn(sent: string): string[] {
  try {
    return textsOf(JSON.parse(sent));
  } catch {
    const isForm = /^[\w.[\]-]+=\S*$/.test(sent);
    return isForm ? [...new URLSearchParams(sent).values()] : [sent];
  }
}

function textsOf(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(textsOf);
  return isRecord(value) ? Object.values(value).flatMap(textsOf) : [String(value)];
}

/** Returns lower case, whole and in parts: `sensor-7` is found in `sensor 7`. */
function wordsIn(text: string): string[] {
  const whole = (text.toLowerCase().match(WORD) ?? []).map((word) => word.replace(/[.,:@_-]+$/, ''));
  return whole.flatMap((word) => [word, ...word.split(/[:@_-]/).filter((part) => part.length > 1)]);
}
