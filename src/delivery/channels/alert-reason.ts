import type { Alert } from '../../rules/alert';

const UNITS: readonly (readonly [name: string, seconds: number])[] = [
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
  ['second', 1],
];

/** Why an alert fired or ended, in one line: its expression, how long no data came, or what ended it. */
export function reasonOf({ state, reason, resolvedBy, trigger }: Alert): string {
  if (state === 'resolved') {
    if (resolvedBy === 'user') return 'it was resolved by hand';
    return reason === 'inactivity' ? 'data has come again' : 'the condition does not hold any more';
  }
  const { expression, inactivity } = trigger;
  const isInactive = inactivity !== null && (reason === 'inactivity' || expression === null);
  return isInactive ? `no data for ${formatDuration(inactivity)}` : (expression ?? '');
}

/** `1 hour 30 minutes`, in the two largest units. */
function formatDuration(seconds: number): string {
  let left = seconds;
  const parts = UNITS.flatMap(([name, length]) => {
    const count = Math.floor(left / length);
    left -= count * length;
    return count === 0 ? [] : [`${count} ${name}${count === 1 ? '' : 's'}`];
  });
  return parts.slice(0, 2).join(' ');
}
