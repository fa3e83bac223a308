import { type Command, InvalidArgumentError } from 'commander';
import type { Container } from '../container';
import type { Config } from '../platform/config';

export const EXIT = { done: 0, failed: 1, usage: 2, violated: 3 } as const;

/** What commands use of the platform. */
export interface Platform {
  config: Config;
  container(): Container;
}

/** `data` with `--json`, otherwise the lines. */
export interface Report {
  data: unknown;
  lines: readonly string[];
  exitCode?: number;
}

export type Run = <Given extends unknown[]>(
  work: (platform: Platform, ...given: Given) => Promise<Report>,
) => (...given: Given) => Promise<void>;

/** Commands have a file in `commands/`, and a line in its index. */
export type AddCommands = (program: Command, run: Run) => void;

const UNITS: Readonly<Record<string, number>> = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/** A whole number, 1 or more. */
export function positive(text: string): number {
  const number = Number(text);
  if (!Number.isSafeInteger(number) || number < 1)
    throw new InvalidArgumentError('It must be a whole number, 1 or more.');
  return number;
}

/** Reads `90s`, `30m`, `24h` or `7d`. */
export function milliseconds(text: string): number {
  const [, number, unit = ''] = /^(\d{1,6})([smhd])$/.exec(text) ?? [];
  const size = UNITS[unit];
  if (number === undefined || size === undefined) {
    throw new InvalidArgumentError('It must be a number with s, m, h or d, such as 24h.');
  }
  return Number(number) * size;
}
