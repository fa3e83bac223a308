import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { connectOtherClient } from './other-client';
import { startWorkerElsewhere } from './other-process';
import type { Platform } from './platform';
import { until } from './until';

/** Starts worker processes; they and the workers of the platform end after each test of this `describe`. */
export function useWorkersElsewhere(platform: Platform): () => Promise<ChildProcess> {
  const workers: ChildProcess[] = [];
  afterEach(async () => {
    for (const worker of workers.splice(0)) worker.kill('SIGKILL');
    await platform.stopWorkers();
  });
  return async () => {
    const worker = await startWorkerElsewhere(platform, platform.container.config.redisUrl);
    workers.push(worker);
    return worker;
  };
}

/** Kills the process, as a lack of memory would. */
export async function killWorker(worker: ChildProcess): Promise<void> {
  const ended = once(worker, 'exit');
  worker.kill('SIGKILL');
  await ended;
}

/** Locks a row, and kills a worker that waits for the lock with a statement like this one. */
export async function killWaitingWorker(
  platform: Platform,
  start: () => Promise<ChildProcess>,
  { table, id, statement }: { table: string; id: string; statement: string },
): Promise<void> {
  const other = await connectOtherClient(platform);
  try {
    await other.beginTransaction();
    await other.query(`SELECT id FROM ${table} WHERE id = ? FOR UPDATE`, [id]);
    const worker = await start();
    await until('the worker waits for the row', async () => {
      const sql = 'SELECT ID FROM information_schema.PROCESSLIST WHERE INFO LIKE ? AND ID <> CONNECTION_ID()';
      return (await platform.query(sql, [statement])).length > 0;
    });
    await killWorker(worker);
    await other.rollback();
  } finally {
    await other.end();
  }
}
