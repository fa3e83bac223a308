import { InvalidArgumentError } from 'commander';

const UNITS: Readonly<Record<string, number>> = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/** A whole number, 1 or more. */
export function positive(text: string): number {
  const number = Number(text);
  if (!Number.isSafeInteger(number) || number < 1)
    throw new InvalidArgumentError('It must be a whole number, 1 or more.');
  return number;
}

/** A duration such as `90s`, `30m`, `24h` or `7d`, in milliseconds. */
export function milliseconds(text: string): number {
  const [, number, unit = ''] = /^(\d{1,6})([smhd])$/.exec(text) ?? [];
  const size = UNITS[unit];
  if (number === undefined || size === undefined) {
    throw new InvalidArgumentError('It must be a number with s, m, h or d, such as 24h.');
  }
  return Number(number) * size;
}
