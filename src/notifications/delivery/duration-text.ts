import type { Text, Words } from '../../platform/words/words';

const UNITS = [
  ['{n} day', '{n} days', 86_400],
  ['{n} hour', '{n} hours', 3_600],
  ['{n} minute', '{n} minutes', 60],
  ['{n} second', '{n} seconds', 1],
] as const satisfies readonly (readonly [one: Text, other: Text, seconds: number])[];

/** `1 hour 30 minutes`, in the two largest units; as after “for”. */
export function durationText(seconds: number, words: Words): string {
  let left = seconds;
  const parts = UNITS.flatMap(([one, other, length]) => {
    const n = Math.floor(left / length);
    left -= n * length;
    return n === 0 ? [] : [words.t(n === 1 ? one : other, { n })];
  });
  return parts.slice(0, 2).join(' ') || words.t('{n} seconds', { n: 0 });
}
