const DAY_SECONDS = 86_400;

/** Why a window of this length does not fit the retention (0 stores none, null keeps all); undefined if it does. */
export function whyNotKept(seconds: number, keptDays: number | null): string | undefined {
  if (keptDays === null || seconds <= keptDays * DAY_SECONDS) return undefined;
  if (keptDays === 0) return 'the sensor stores no data points, which a window needs';
  const days = keptDays === 1 ? '1 day' : `${keptDays} days`;
  return `the sensor keeps its data points for ${days}, which is less than the window of ${seconds} seconds`;
}
