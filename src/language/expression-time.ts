import { localDateIn } from './local-time';

const READERS: ReadonlyMap<string, (local: Date) => number> = new Map([
  ['hour', (local: Date) => local.getUTCHours()],
  ['minute', (local: Date) => local.getUTCMinutes()],
  ['day_of_week', (local: Date) => local.getUTCDay()],
  ['day_of_month', (local: Date) => local.getUTCDate()],
  ['month', (local: Date) => local.getUTCMonth() + 1],
]);

export const TIME_FUNCTIONS: readonly string[] = [...READERS.keys()];

/** `seconds` is unix time. */
export function timeAt(name: string, seconds: number, timezone: string): number {
  const read = READERS.get(name);
  if (!read) throw new Error(`${name} is no function of time`);
  return read(localDateIn(timezone, seconds * 1000));
}
