import type { Command } from 'commander';
import type { Container } from '../container';
import type { Config } from '../platform/config';

/** How a command ended, for scripts. Anything else that goes wrong ends with `FAILED`. */
export const EXIT = { done: 0, failed: 1, usage: 2, violated: 3 } as const;

/** What a command needs of the platform. */
export interface Platform {
  config: Config;
  /** Built when it is first asked for, and closed after the command. */
  container(): Container;
}

/** What a command prints: `data` with `--json`, the lines without. */
export interface Report {
  data: unknown;
  lines: readonly string[];
  exitCode?: number;
}

/** Makes the action of a command from what it does: it prints the report, or why there is none, and sets the exit code. */
export type Run = <Given extends unknown[]>(
  work: (platform: Platform, ...given: Given) => Promise<Report>,
) => (...given: Given) => Promise<void>;

/** Adds commands to the program; each has a file of its own in `commands/`, and a line in its index. */
export type AddCommands = (program: Command, run: Run) => void;
