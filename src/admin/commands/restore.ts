import { setTimeout as sleep } from 'node:timers/promises';
import type { PoolConnection, RowDataPacket } from 'mysql2/promise';
import { forgetAll } from '../../queue/forget-all';
import { RESTORE_MARK } from '../../storage/check-mysql';
import type { AddCommands } from '../command';
import { findProgram, runProgram } from '../dump/client-programs';
import { readDump, requireComplete } from '../dump/dump-file';

/** Statements only: another file could contain commands of the client program, which run programs and read files. */
const ARGUMENTS = ['--binary-mode'];
/** Connections of recently stopped processes may take this long to close. */
const OTHERS_MS = 3_000;
const POLL_MS = 500;

/** Replaces all tables. */
export const addRestore: AddCommands = (program, run) => {
  program
    .command('restore <file>')
    .description('load a backup; stop all API processes and workers before')
    .option('--wipe', 'drop all tables of the database first')
    .action(
      run(async (platform, file: string, { wipe = false }: { wipe?: boolean }) => {
        const started = performance.now();
        const client = findProgram('mariadb', 'mysql');
        await requireComplete(file);
        const { config } = platform;
        const { database, redisClient } = platform.container();
        const connection = await database.pool.getConnection();
        const server = await prepare(connection, wipe).finally(() => connection.destroy());
        await runProgram(client, config.mysqlUrl, ARGUMENTS, async ({ stdin }) => {
          if (stdin) await readDump(file, stdin, server.isMariaDb);
        });
        await database.pool.query(`DROP TABLE ${RESTORE_MARK}`);
        const forgotten = await forgetAll(redisClient, config.redisPrefix).catch(() => null);
        const seconds = Math.round(performance.now() - started) / 1_000;
        const ofRedis =
          forgotten === null
            ? 'Redis was not reached: empty it before the platform starts'
            : `${forgotten} keys of Redis deleted`;
        const lines = [
          `${file} loaded in ${seconds} s`,
          ofRedis,
          'admin verify checks the tables; then start the platform',
        ];
        return { data: { file, seconds, redisKeysDeleted: forgotten }, lines };
      }),
    );
};

/** Workers would have stale caches, and an API process would write into a partial database. */
async function requireAlone(connection: PoolConnection): Promise<void> {
  const untilMs = performance.now() + OTHERS_MS;
  for (;;) {
    const [[row]] = await connection.query<RowDataPacket[]>(
      'SELECT COUNT(*) AS others FROM information_schema.processlist WHERE db = DATABASE() AND id <> CONNECTION_ID()',
    );
    const others = Number(row?.others);
    if (others === 0) return;
    if (performance.now() > untilMs) {
      throw new Error(`${others} other connections use the database: stop all API processes and workers first`);
    }
    await sleep(POLL_MS);
  }
}

/** Empties the database, and marks it so that no process starts before the restore has ended. */
async function prepare(connection: PoolConnection, wipe: boolean): Promise<{ isMariaDb: boolean }> {
  await requireAlone(connection);
  const [tables] = await connection.query<RowDataPacket[]>(
    "SELECT table_name AS name FROM information_schema.tables WHERE table_schema = DATABASE() AND table_type = 'BASE TABLE'",
  );
  if (tables.length > 0 && !wipe)
    throw new Error('the database is not empty: give --wipe to drop everything in it first');
  await connection.query(`CREATE TABLE IF NOT EXISTS ${RESTORE_MARK} (id INT PRIMARY KEY) ENGINE=InnoDB`);
  await connection.query('SET SESSION FOREIGN_KEY_CHECKS = 0');
  for (const { name } of tables) {
    if (name !== RESTORE_MARK) await connection.query('DROP TABLE ??', [name]);
  }
  const [[server]] = await connection.query<RowDataPacket[]>('SELECT VERSION() AS version');
  return { isMariaDb: String(server?.version).includes('MariaDB') };
}
