import type { Alert } from '../alert';
import { durationText } from '../duration-text';

/** One line: the expression, how long no data came, or what ended the episode. */
export function reasonOf(alert: Alert): string {
  const { state, reason, resolvedBy, trigger } = alert;
  if (state === 'resolved') {
    if (resolvedBy === 'user') return 'it was resolved by hand';
    return reason === 'inactivity' ? 'data has come again' : 'the condition does not hold any more';
  }
  const { expression, inactivity } = trigger;
  const isInactive = inactivity !== null && (reason === 'inactivity' || expression === null);
  if (isInactive) return `no data for ${durationText(inactivity)}`;
  return [expression, holdText(alert)].filter(Boolean).join(', ');
}

/** Empty without a hold. */
export function holdText({ hold = 0 }: Alert): string {
  return hold === 0 ? '' : `held for ${durationText(hold)}`;
}
