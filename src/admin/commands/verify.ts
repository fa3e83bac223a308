import { type AddCommands, EXIT } from '../command';
import { count, table } from '../text';
import { Verification } from '../verification';

/** The invariants of the tables. */
export const addVerify: AddCommands = (program, run) => {
  program
    .command('verify')
    .description('check the invariants of the tables in one snapshot, while the platform runs or after a restore')
    .option('--quiet', 'show violations only')
    .action(
      run(async (platform, { quiet = false }: { quiet?: boolean }) => {
        const { database, clock, config } = platform.container();
        const checks = await new Verification(database.pool, clock, config.historyRetentionDays).run();
        const violated = checks.filter(({ violations }) => violations > 0);
        const total = violated.reduce((sum, { violations }) => sum + violations, 0);
        const shown = quiet ? violated : checks;
        const rows = shown.map(({ name, violations, examples }) => ({
          violations,
          invariant: name,
          ids: examples.join(', ') || '-',
        }));
        const lines = [
          ...table(rows, 'no violations'),
          ...violated.map(({ name, wrong }) => `${name}: ${wrong}`),
          `${count(total, 'violation')} in ${count(checks.length, 'check')}`,
        ];
        const data = { checks: checks.length, violations: total, results: shown };
        return { data, lines, exitCode: total === 0 ? EXIT.done : EXIT.violated };
      }),
    );
};
