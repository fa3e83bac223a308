import { stat } from 'node:fs/promises';
import type { AddCommands } from '../command';
import { findProgram, runProgram } from '../dump/client-programs';
import { writeDump } from '../dump/dump-file';

const ARGUMENTS = [
  '--single-transaction',
  '--quick',
  '--skip-lock-tables',
  '--skip-add-locks',
  '--skip-triggers',
  '--no-tablespaces',
  '--hex-blob',
  '--max-allowed-packet=64M',
];
/** Only MySQL's program has these. The dump becomes independent of its server. */
const ARGUMENTS_OF_MYSQL = ['--set-gtid-purged=OFF', '--column-statistics=0'];

export const addBackup: AddCommands = (program, run) => {
  program
    .command('backup <file>')
    .description(
      'write all tables, as of one moment and while the platform runs, to a new file (SQL, compressed by gzip)',
    )
    .action(
      run(async ({ config }, file: string) => {
        const started = performance.now();
        const dumper = findProgram('mariadb-dump', 'mysqldump');
        if (await stat(file).catch(() => undefined)) throw new Error(`${file} exists already`);
        const args = dumper.isMariaDb ? ARGUMENTS : [...ARGUMENTS, ...ARGUMENTS_OF_MYSQL];
        await writeDump(file, (into) =>
          runProgram(dumper, config.mysqlUrl, args, async ({ stdin, stdout }) => {
            stdin?.end();
            if (stdout) await into(stdout);
          }),
        );
        const { size: bytes } = await stat(file);
        const seconds = Math.round(performance.now() - started) / 1_000;
        const key = config.secretsKey === undefined ? `${config.dataDir}/secrets.key` : 'SECRETS_KEY';
        const lines = [
          `${file}: ${bytes} bytes in ${seconds} s`,
          `keep ${key} with it: without it, secrets of applications and subscriptions of browsers are lost`,
        ];
        return { data: { file, bytes, seconds, keepWithIt: key }, lines };
      }),
    );
};
