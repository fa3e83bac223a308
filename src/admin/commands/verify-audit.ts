import { verifyChains } from '../../audit';
import { type AddCommands, EXIT } from '../command';
import { count, table } from '../text';

export const addVerifyAudit: AddCommands = (program, run) => {
  program
    .command('verify-audit')
    .description('check the hashes of the history, and name the first broken record of each chain')
    .option('--chain <name>', 'only this one: account:<id> or group:<id>')
    .action(
      run(async (platform, { chain }: { chain?: string }) => {
        const { database } = platform.container();
        const data = await verifyChains(database.pool, chain === undefined ? undefined : [chain]);
        const lines = [
          ...(data.broken.length === 0
            ? []
            : table(
                data.broken.map((each) => ({ ...each })),
                '',
              )),
          `${count(data.records, 'record')} in ${count(data.chains, 'chain')}, ${data.broken.length} of them broken`,
        ];
        return { data, lines, exitCode: data.broken.length === 0 ? EXIT.done : EXIT.violated };
      }),
    );
};
