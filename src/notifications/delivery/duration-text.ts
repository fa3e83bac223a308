const UNITS: readonly (readonly [name: string, seconds: number])[] = [
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
  ['second', 1],
];

/** `1 hour 30 minutes`, in the two largest units. */
export function durationText(seconds: number): string {
  let left = seconds;
  const parts = UNITS.flatMap(([name, length]) => {
    const count = Math.floor(left / length);
    left -= count * length;
    return count === 0 ? [] : [`${count} ${name}${count === 1 ? '' : 's'}`];
  });
  return parts.slice(0, 2).join(' ') || '0 seconds';
}
