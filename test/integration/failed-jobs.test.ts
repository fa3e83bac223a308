import assert from 'node:assert/strict';
import { createLogger } from '../../src/platform/logger';
import type { Outcome } from '../../workers/outcome';
import { type RunningWorker, runWorker } from '../../workers/run-worker';
import { usePlatform } from '../support/hooks';
import { until } from '../support/until';

const SECRET = 'whsec_c2VjcmV0LXRoYXQtbm9ib2R5LW1heS1zZWU=';

describe('a failed job', () => {
  const platform = usePlatform();
  let worker: RunningWorker | undefined;

  afterEach(async () => {
    await worker?.close();
    await platform.container.queues.training.obliterate({ force: true });
  });

  /** Runs one job with this handler; returns the lines of the log and how often the handler ran. */
  const run = async (handle: () => Promise<Outcome>) => {
    const lines: Record<string, unknown>[] = [];
    const logger = createLogger('info', 'test', { write: (text) => void lines.push(JSON.parse(text)) });
    let runs = 0;
    const work = {
      handle: () => {
        runs += 1;
        return handle();
      },
      concurrency: () => 1,
    };
    worker = runWorker('training', work, { ...platform.container, logger });
    await platform.container.jobQueue.enqueueTraining([7]);
    await until('the job has failed', async () => (await platform.container.queues.training.getFailedCount()) === 1);
    await until('the failure is logged', () => lines.length > 0);
    const [job] = await platform.container.queues.training.getFailed();
    return { lines, runs, job };
  };

  it('is logged as an error with its stack and the ids of its payload when the platform is at fault', async () => {
    const { lines } = await run(() => Promise.reject(new TypeError('a bug')));
    const [line] = lines;
    assert.deepEqual([lines.length, line?.level, line?.queue, line?.serviceId], [1, 50, 'training', 7]);
    const { type, stack } = Object(line?.err);
    assert.equal(type, 'TypeError');
    assert.match(stack, /failed-jobs\.test/);
  });

  it('is logged as an error without values when MySQL rejects a statement', async () => {
    const { lines } = await run(async () => {
      await platform.query('SELECT ? FROM nowhere', [SECRET]);
      return 'done';
    });
    assert.equal(lines[0]?.level, 50);
    assert.equal(Object(lines[0]?.err).code, 'ER_NO_SUCH_TABLE');
    assert.ok(!JSON.stringify(lines).includes(SECRET));
  });

  it('shows on the board why it failed, without values', async () => {
    const { job } = await run(async () => {
      await platform.query('INSERT INTO heartbeats VALUES (1, ?)', [0]);
      await platform.query(`SELECT * FROM heartbeats WHERE '${SECRET}`);
      return 'done';
    });
    const shown = JSON.stringify([job?.failedReason, job?.stacktrace]);
    assert.match(shown, /Duplicate entry '…' for key '(heartbeats\.)?PRIMARY'|error in your SQL syntax/);
    assert.ok(!shown.includes(SECRET) && /failed-jobs\.test|mysql2/.test(shown), shown);
  });

  it('is logged as a one-line warning when a server is temporarily unavailable', async () => {
    for (const [error, reason] of [
      [Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' }), /ECONNREFUSED/],
      [new Error('Connection is closed.'), /closed/],
      [Object.assign(new Error('Deadlock found'), { code: 'ER_LOCK_DEADLOCK', sqlState: '40001' }), /Deadlock/],
    ] as const) {
      const { lines } = await run(() => Promise.reject(error));
      assert.deepEqual([lines.length, lines[0]?.level, lines[0]?.err], [1, 40, undefined]);
      assert.match(String(lines[0]?.reason), reason);
      await worker?.close();
      await platform.container.queues.training.obliterate({ force: true });
    }
  });

  it('is logged as a warning and never retried when its work has failed for good', async () => {
    const { lines, job, runs } = await run(async () => ({ failed: 'nobody is there' }));
    assert.deepEqual([lines.length, lines[0]?.level, lines[0]?.reason], [1, 40, 'nobody is there']);
    assert.equal(job?.failedReason, 'nobody is there');
    assert.equal(runs, 1);
  });
});
