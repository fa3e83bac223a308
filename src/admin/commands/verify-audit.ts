import { InvalidArgumentError } from 'commander';
import { type KeptHead, verifyChains } from '../../audit';
import { type AddCommands, EXIT } from '../command';
import { count, table } from '../text';

interface Options {
  chain?: string;
  head?: KeptHead;
}

export const addVerifyAudit: AddCommands = (program, run) => {
  program
    .command('verify-audit')
    .description('check the hashes of the history, and name the first broken record of each chain')
    .option('--chain <name>', 'only this one: account:<id> or group:<id>')
    .option('--head <sequence:hash>', 'of this chain, as GET /audit/head returned it once', keptHead)
    .action(
      run(async (platform, { chain, head: kept }: Options) => {
        if (kept && chain === undefined) {
          const line = 'name the chain of the head: --chain account:<id> or group:<id>';
          return { data: { error: line }, lines: [line], exitCode: EXIT.usage };
        }
        const { database } = platform.container();
        const data = await verifyChains(database.pool, chain === undefined ? undefined : { chain, kept });
        const broken = data.broken.map((each) => ({ ...each }));
        const summary = `${count(data.records, 'record')} in ${count(data.chains, 'chain')}, ${broken.length} of them broken`;
        const lines = [...(broken.length === 0 ? [] : table(broken, '')), summary];
        return { data, lines, exitCode: broken.length === 0 ? EXIT.done : EXIT.violated };
      }),
    );
};

function keptHead(text: string): KeptHead {
  const [, sequence, hash] = /^(\d{1,15}):([0-9a-f]{64})$/.exec(text) ?? [];
  if (!sequence || !hash) throw new InvalidArgumentError('It must be the sequence and the hash of a head: 17:2c26…');
  return { sequence: Number(sequence), hash };
}
