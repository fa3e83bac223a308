import { Command, CommanderError } from 'commander';
import type { Container } from '../container';
import type { Config } from '../platform/config';
import { PlatformError } from '../platform/errors';
import { isAway } from '../storage/mysql-errors';
import { EXIT, type Report, type Run } from './command';
import { COMMANDS } from './commands';

interface Surroundings {
  readConfig(): Config;
  buildContainer(config: Config): Container;
  print(text: string): void;
  complain(text: string): void;
}

const DESCRIPTION = `Shows and steers a running platform. It needs the settings of the platform, above all MYSQL_URL and REDIS_URL;
without them it takes the private instances of npm start.`;

const EXIT_CODES = `
Exit codes: 0 done, 1 failed, 2 wrong usage, 3 verify or verify-audit found violations.`;

/** `run` returns the exit code. */
export function buildProgram(surroundings: Surroundings): { run(argv: readonly string[]): Promise<number> } {
  const { print, complain } = surroundings;
  let exitCode: number = EXIT.done;
  const program = new Command('admin')
    .description(DESCRIPTION)
    .option('--json', 'print JSON instead of text')
    .addHelpText('after', EXIT_CODES)
    .configureOutput({ writeOut: (text) => print(text.trimEnd()), writeErr: (text) => complain(text.trimEnd()) })
    .showHelpAfterError('(--help lists the commands and options)')
    .exitOverride();
  const show = ({ data, lines, exitCode: code = EXIT.done }: Report) => {
    print(program.opts().json ? JSON.stringify(data, null, 2) : lines.join('\n'));
    exitCode = code;
  };
  const run: Run =
    (work) =>
    async (...given) => {
      const config = surroundings.readConfig();
      show(await work({ config, container: () => surroundings.buildContainer(config) }, ...given));
    };
  for (const add of COMMANDS) add(program, run);
  return {
    run: async (argv) => {
      try {
        await program.parseAsync([...argv]);
      } catch (error) {
        if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.done : EXIT.usage;
        complain(`error: ${reasonOf(error)}`);
        return EXIT.failed;
      }
      return exitCode;
    },
  };
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error instanceof PlatformError) return error.message;
  if (isAway(error)) return `MySQL cannot be reached (${'code' in error ? String(error.code) : error.name})`;
  return error.message;
}
