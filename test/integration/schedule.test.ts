import assert from 'node:assert/strict';
import { ensureSchedules, SCHEDULED, SCHEDULED_NAMES } from '../../jobs/schedule.job';
import { Schedule } from '../../src/maintenance/schedule';
import { createLogger } from '../../src/platform/logger';
import { Metrics } from '../../src/platform/metrics';
import { registry } from '../../workers/registry';
import { type RunningWorker, runWorker } from '../../workers/run-worker';
import { usePlatform } from '../support/hooks';
import { sentDuring } from '../support/sent-statements';
import { until } from '../support/until';

describe('repeated work', () => {
  const platform = usePlatform();
  const workers: RunningWorker[] = [];

  afterEach(() => Promise.all(workers.splice(0).map((worker) => worker.close())));

  /** Workers of other processes, with the work that they report. */
  function startOthers(count: number, parts: Partial<ConstructorParameters<typeof Schedule>[0]> = {}) {
    const { container } = platform;
    const metrics = new Metrics();
    const logger = createLogger('silent', 'test');
    for (let index = 0; index < count; index += 1) {
      const schedule = new Schedule({
        reconciler: container.reconciler,
        selectors: container.services.selectorFollower,
        fleetFollower: container.services.fleetFollower,
        fleetFolder: container.services.fleetFolder,
        latePoints: container.services.lateReports,
        shadows: container.services.shadows,
        weeklyReports: container.services.weeklyReports,
        purge: container.purge,
        metrics,
        ...parts,
      });
      workers.push(runWorker('schedule', registry.schedule, { ...container, schedule, metrics, logger }));
    }
    return async (work: string, outcome: string) => {
      const { values } = await metrics.scheduled.get();
      const found = values.find(
        ({ metricName, labels }) =>
          metricName?.endsWith('_count') && labels.work === work && labels.outcome === outcome,
      );
      return found?.value ?? 0;
    };
  }

  it('is made of repeatable jobs, one for each name, however many workers make them, with their next runs', async () => {
    const queue = platform.container.queues.schedule;
    await Promise.all(Array.from({ length: 5 }, () => ensureSchedules(queue)));
    const schedulers = await queue.getJobSchedulers();
    assert.deepEqual(
      Object.fromEntries(schedulers.map(({ key, every }) => [key, Number(every)])),
      Object.fromEntries(Object.entries(SCHEDULED)),
    );
    for (const { next } of schedulers) assert.ok(Number(next) <= Date.now() + SCHEDULED.purge, String(next));
    assert.equal((await queue.getJobs(['delayed', 'wait', 'prioritized'])).length, SCHEDULED_NAMES.length);
  });

  it('is made again after Redis or the queue was emptied', async () => {
    const { queues, redis } = platform.container;
    const isThere = async () => (await queues.schedule.getJobSchedulers()).length === SCHEDULED_NAMES.length;
    await ensureSchedules(queues.schedule);
    await queues.schedule.drain(true);
    for (const key of await redis.keys('*:schedule:*')) await redis.del(key);
    assert.equal(await isThere(), false);
    await ensureSchedules(queues.schedule);
    assert.equal(await isThere(), true);
    const count = startOthers(1);
    await until('it runs again', async () => (await count('reconcile', 'done')) > 0, 5_000);
  });

  it('is done by one worker at a time, in about its interval', async () => {
    await ensureSchedules(platform.container.queues.schedule);
    const count = startOthers(3);
    const started = Date.now();
    await until('it has run six times', async () => (await count('reconcile', 'done')) >= 6, 10_000);
    const most = (Date.now() - started) / SCHEDULED.reconcile + 2;
    assert.ok((await count('reconcile', 'done')) <= most, `${await count('reconcile', 'done')} runs, ${most} expected`);
    await until('and looked for deliveries', async () => (await count('reconcile-deliveries', 'done')) > 0, 5_000);
  });

  it('looks at everything that may wait in one statement', async () => {
    const sent = await sentDuring(() => platform.container.schedule.run('reconcile'));
    assert.equal(sent.filter((sql) => /FROM inbox_batches/.test(sql)).length, 1);
    assert.equal(sent.length, 1);
  });

  it('continues after a failure, and ends with its worker', async () => {
    await ensureSchedules(platform.container.queues.schedule);
    const reconciler = {
      startDeliveries: async () => undefined,
      enqueueWaiting: () => Promise.reject(new Error('refused')),
    };
    const count = startOthers(1, { reconciler });
    await until('it has failed twice', async () => (await count('reconcile', 'failed')) >= 2, 10_000);
    await Promise.all(workers.splice(0).map((worker) => worker.close()));
    const before = await count('reconcile', 'failed');
    await new Promise((resolve) => setTimeout(resolve, 2 * SCHEDULED.reconcile));
    assert.equal(await count('reconcile', 'failed'), before);
  });
});
