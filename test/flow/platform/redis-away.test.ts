import assert from 'node:assert/strict';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { buildAlarm } from '../../support/alarm';
import { type Api, apiClient } from '../../support/api-client';
import { upload } from '../../support/factories';
import { useCuttable, usePlatform, useReceiver, useUser } from '../../support/hooks';
import { memoryOf, startApiElsewhere, startWorkerElsewhere } from '../../support/other-process';
import { ALL_WORK } from '../../support/platform';
import { Stopwatch } from '../../support/stopwatch';
import { until } from '../../support/until';

/** How long uploads go on without Redis, and before that with Redis. The limits below hold for any duration. */
const AWAY_MS = 1_000 * Number(process.env.REDIS_AWAY_SECONDS ?? 6);
/** On a busy machine; the limit for a stop is 25 s. */
const STOP_MS = 10_000;
const MAX_GROWTH_MB = 50;
/** A young process grows under load in any case: the uploads with Redis go on until a round of them adds less than this. */
const SETTLED_MB = 15;
const MAX_ROUNDS = 6;
const MAX_HEAP_GROWTH_MB = 10;
const STREAMS = 4;
/** Sensors of many partitions: every upload wakes up all of them. */
const SENSORS = 32;

describe('without Redis', () => {
  const redis = useCuttable('REDIS_URL');
  const platform = usePlatform();
  const receiver = useReceiver();
  const user = useUser(platform);
  const children: ChildProcess[] = [];

  afterEach(async () => {
    for (const child of children.splice(0)) if (child.exitCode === null) child.kill('SIGKILL');
    await redis.restore().catch(() => undefined); // most tests have already restored it
  });

  const startApi = async (): Promise<{ api: Api; child: ChildProcess }> => {
    const { child, url } = await startApiElsewhere(platform, redis.url);
    children.push(child);
    const api = apiClient(url, { 'X-SESSION_ID': user.session });
    const isReady = () =>
      api.get('/readyz').then(
        ({ status }) => status === 200,
        () => false,
      );
    await until('the API is ready', isReady);
    return { api, child };
  };
  const startWorker = async () => {
    const child = await startWorkerElsewhere(platform, redis.url);
    children.push(child);
    return child;
  };
  /** Stops a process as an operator does; returns its exit code and the time that it took. */
  const stop = async (child: ChildProcess) => {
    const watch = new Stopwatch();
    child.kill('SIGTERM');
    const [code] = await once(child, 'exit');
    return { code, ms: watch.stop() };
  };

  it('the API uses no more memory under uploads, and all points are evaluated later', async function () {
    this.timeout((MAX_ROUNDS + 1) * AWAY_MS + 180_000);
    const sensorIds: string[] = [];
    for (let index = 0; index < SENSORS; index += 1) {
      const trigger = { expression: 'sensor_data_value > 1000000' };
      sensorIds.push((await buildAlarm(user, { trigger, notifications: [] })).sensorId);
    }
    const { api, child } = await startApi();
    let value = 0;
    let uploads = 0;
    const uploadFor = async (ms: number) => {
      const end = Date.now() + ms;
      const stream = async () => {
        while (Date.now() < end) {
          value += 1;
          const data = [{ value, date: value }];
          const { status } = await api.post('/sensors/data', {
            sensors: sensorIds.map((sensor_id) => ({ sensor_id, data })),
          });
          assert.equal(status, 201);
          uploads += 1;
        }
      };
      await Promise.all(Array.from({ length: STREAMS }, stream));
    };
    await uploadFor(AWAY_MS);
    let before = await memoryOf(child);
    for (let round = 1, grown = SETTLED_MB; grown >= SETTLED_MB && round < MAX_ROUNDS; round += 1) {
      await uploadFor(AWAY_MS);
      const now = await memoryOf(child);
      grown = now.resident - before.resident;
      before = now;
    }
    await redis.cut();
    uploads = 0;
    await uploadFor(AWAY_MS);
    const after = await memoryOf(child);
    const figures = [before, after].map(
      ({ resident, heap }) => `${Math.round(resident)} MB (heap ${Math.round(heap)})`,
    );
    const report = `${uploads} uploads in ${AWAY_MS / 1000} s: ${figures.join(', then ')}`;
    console.log(`      ${report}`);
    assert.ok(after.resident - before.resident < MAX_GROWTH_MB, report);
    assert.ok(after.heap - before.heap < MAX_HEAP_GROWTH_MB, report);
    await redis.restore();
    await until('Redis is up again', async () => (await api.get('/readyz')).status === 200);
    await platform.startWorkers(ALL_WORK);
    const waiting = async () => Number((await platform.query('SELECT COUNT(*) AS count FROM inbox_batches'))[0]?.count);
    await until('everything is evaluated', async () => (await waiting()) === 0);
    await platform.stopWorkers();
    const states = await platform.query('SELECT DISTINCT last_date_ms AS latest FROM sensor_triggers');
    assert.deepEqual(
      states.map(({ latest }) => latest),
      [value * 1_000],
    );
  });

  it('a worker stops within seconds, after completing the attempt in progress', async () => {
    const worker = await startWorker();
    receiver.responses.push((response) => setTimeout(() => response.writeHead(200).end(), 1_500));
    const { sensorId } = await buildAlarm(user, {
      trigger: { expression: 'sensor_data_value > 10' },
      notifications: [{ type: 'url', destination: receiver.url }],
    });
    await upload(user, sensorId, { value: 11 });
    await receiver.waitFor(1);
    await redis.cut();
    const { code, ms } = await stop(worker);
    assert.equal(code, 0);
    assert.ok(ms < STOP_MS, `${ms} ms`);
    const { deliveries } = (await user.api.get('/deliveries')).body;
    assert.equal(deliveries[0].status, 'delivered');
  });

  it('a worker that has never reached Redis stops within seconds', async () => {
    await redis.cut();
    const worker = await startWorker();
    const { code, ms } = await stop(worker);
    assert.equal(code, 0);
    assert.ok(ms < STOP_MS, `${ms} ms`);
  });

  it('the API stops within seconds', async () => {
    const { child, api } = await startApi();
    await redis.cut();
    await until('the API is not ready', async () => (await api.get('/readyz')).status === 503);
    const { code, ms } = await stop(child);
    assert.equal(code, 0);
    assert.ok(ms < STOP_MS, `${ms} ms`);
  });
});
