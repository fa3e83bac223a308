import assert from 'node:assert/strict';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { buildAlarm } from '../../support/alarm';
import { apiClient } from '../../support/api-client';
import { buildSensor, buildTrigger, upload } from '../../support/factories';
import { usePlatform, useReceiver, useUser } from '../../support/hooks';
import { startApiElsewhere, startWorkerElsewhere } from '../../support/other-process';
import type { TestUser } from '../../support/platform';
import { Stopwatch } from '../../support/stopwatch';
import { until } from '../../support/until';

/** The limits of docs/promises.md, in ms. */
const CLOCK_MS = 2_000;
const EMPTIED_MS = 10_000;
const SELECTED_MS = 10_000;
/** From a point until the clock decides, and when another worker dies before. The next one continues within 4.5 s. */
const DUE_S = 60;
const KILLED_BEFORE_S = 8;
const WORKERS = 2;

describe('the limits of time in the promises, with real processes', function () {
  this.timeout(180_000);
  const platform = usePlatform();
  const receiver = useReceiver();
  const user = useUser(platform);
  const processes: ChildProcess[] = [];
  let workers: ChildProcess[] = [];
  /** The user at the API in a process of its own, which records that data can arrive. */
  let sender: TestUser;

  before(async () => {
    const { child, url } = await startApiElsewhere(platform, platform.container.config.redisUrl);
    processes.push(child);
    sender = { ...user, api: apiClient(url, { 'X-SESSION_ID': user.session }) };
    await until('the API is ready', () =>
      fetch(`${url}/readyz`).then(
        ({ status }) => status === 200,
        () => false,
      ),
    );
    workers = await Promise.all(Array.from({ length: WORKERS }, () => startWorker()));
  });
  after(() => {
    for (const child of processes) child.kill('SIGKILL');
  });

  const startWorker = async () => {
    const worker = await startWorkerElsewhere(platform, platform.container.config.redisUrl);
    processes.push(worker);
    return worker;
  };
  /** Kills a worker, as a crash does, and starts another one. */
  const replace = async (index: number) => {
    const [killed] = workers.splice(index, 1);
    if (!killed) throw new Error(`there is no worker ${index}`);
    const ended = once(killed, 'exit');
    killed.kill('SIGKILL');
    await ended;
    workers.push(await startWorker());
  };
  const emptyRedis = async () => {
    const { redis, config } = platform.container;
    const keys = await redis.keys(`{${config.redisPrefix}}*`);
    assert.ok(keys.length > 0);
    await redis.del(...keys);
  };
  const alarm = (trigger: Record<string, unknown>) =>
    buildAlarm(user, { trigger: { repeat: 0, ...trigger }, notifications: [{ destination: receiver.url }] });
  const arrivalOf = async (sensorId: string, value: number) => {
    const rows = await platform.query('SELECT date_ms AS ms FROM data_points WHERE sensor_id = ? AND value = ?', [
      sensorId,
      String(value),
    ]);
    return Number(rows.at(-1)?.ms);
  };
  const firingOf = async (sensorId: string) => {
    const rows = await platform.query(
      'SELECT fired_ms AS firedMs, ended_ms AS endedMs FROM firings WHERE sensor_id = ? ORDER BY id',
      [sensorId],
    );
    return { firedMs: Number(rows.at(-1)?.firedMs ?? 0), endedMs: Number(rows.at(-1)?.endedMs ?? 0), n: rows.length };
  };

  it('let the clock decide at most 2 s late after a worker is killed and replaced, and never early', async () => {
    const inactive = await alarm({ expression: 'false', inactivity: DUE_S });
    const held = await alarm({ expression: 'sensor_data_value > 10', hold: DUE_S });
    const kept = await alarm({ expression: 'sensor_data_value > 10', keep_firing_for: DUE_S });
    const again = await alarm({ expression: 'sensor_data_value > 10' });
    const fired = (sensorId: string) => until('it has fired', async () => (await firingOf(sensorId)).n === 1);
    const ended = (sensorId: string) => until('it has ended', async () => (await firingOf(sensorId)).endedMs > 0);
    for (const { sensorId } of [kept, again]) await upload(sender, sensorId, { value: 11 });
    for (const { sensorId } of [kept, again]) await fired(sensorId);
    for (const { sensorId } of [kept, again]) await upload(sender, sensorId, { value: 1 });
    await ended(again.sensorId);
    const minuteMs = (await firingOf(again.sensorId)).firedMs + 60_000;
    for (const { sensorId } of [inactive, held, again]) await upload(sender, sensorId, { value: 12 });
    const dueMs = {
      inactivity: (await arrivalOf(inactive.sensorId, 12)) + DUE_S * 1000,
      hold: (await arrivalOf(held.sensorId, 12)) + DUE_S * 1000,
      keep_firing_for: (await arrivalOf(kept.sensorId, 1)) + DUE_S * 1000,
      'the minute': minuteMs,
    };
    const firstMs = Math.min(...Object.values(dueMs));
    await replace(0);
    await until('it is time to kill the other one', () => Date.now() >= firstMs - KILLED_BEFORE_S * 1000);
    const replaced = replace(0);
    await until('the first is due', () => Date.now() >= firstMs);
    const stalled = stalls();
    await until('all are decided', async () => {
      const firings = await Promise.all([inactive, held, again].map(({ sensorId }) => firingOf(sensorId)));
      return firings.map(({ n }) => n).join() === '1,1,2' && (await firingOf(kept.sensorId)).endedMs > 0;
    });
    const stallMs = stalled();
    const decidedMs = {
      inactivity: (await firingOf(inactive.sensorId)).firedMs,
      hold: (await firingOf(held.sensorId)).firedMs,
      keep_firing_for: (await firingOf(kept.sensorId)).endedMs,
      'the minute': (await firingOf(again.sensorId)).firedMs,
    };
    await replaced;
    for (const [what, due] of Object.entries(dueMs)) {
      const lateMs = Number(Reflect.get(decidedMs, what)) - due;
      assert.ok(lateMs >= 0, `${what} came ${-lateMs} ms early`);
      assert.ok(
        lateMs <= CLOCK_MS + stallMs,
        `${what} came ${lateMs} ms late; the machine stood still for ${stallMs} ms`,
      );
    }
  });

  it('delay no delivery by more than 10 s when Redis is emptied between the commit and the pass', async () => {
    const alarms = await Promise.all(Array.from({ length: 8 }, () => alarm({ expression: 'sensor_data_value > 10' })));
    for (const worker of workers) worker.kill('SIGSTOP');
    for (const { sensorId } of alarms) await upload(sender, sensorId, { value: 11 });
    await emptyRedis();
    for (const worker of workers) worker.kill('SIGCONT');
    const watch = new Stopwatch();
    const arrived = (id: string) => receiver.received.filter(({ form }) => form.sensor_id === id).length;
    await until('all have arrived', () => alarms.every(({ sensorId }) => arrived(sensorId) > 0));
    assert.ok(watch.stop() <= EMPTIED_MS, `the last came after ${watch.read()} ms`);
    assert.deepEqual(
      alarms.map(({ sensorId }) => arrived(sensorId)),
      alarms.map(() => 1),
    );
  });

  it('let a selector follow a change within 10 s, once, although a worker is killed', async () => {
    const triggerId = await buildTrigger(user, {
      selector: {
        filter: { metatag_statement_groups: [[{ metatag_name: 'kind', operator: 'equal', value: 'cold' }]] },
      },
    });
    const sensorIds = await Promise.all(Array.from({ length: 6 }, () => buildSensor(user)));
    const connected = async () =>
      (await platform.query('SELECT sensor_id FROM sensor_triggers WHERE trigger_id = ?', [triggerId])).length;
    for (const [round, expected] of [sensorIds.length, 0, sensorIds.length].entries()) {
      const metatags = expected > 0 ? { kind: ['cold'] } : {};
      const tag = (id: string) => sender.api.put(`/sensors/${id}/metatags`, { metatags });
      for (const { status } of await Promise.all(sensorIds.map(tag))) assert.equal(status, 200);
      const watch = new Stopwatch();
      const replaced = replace(round % WORKERS);
      await until('the change is followed', async () => (await connected()) === expected);
      assert.ok(watch.stop() <= SELECTED_MS, `round ${round} took ${watch.read()} ms`);
      await replaced;
    }
    await sleep(1_500); // a run of the reconciler, which might connect something again
    assert.equal(await connected(), sensorIds.length);
  });
});

/** Begins to measure how long this machine stands still; the result ends it, in ms. */
function stalls(): () => number {
  const fromMs = performance.now();
  const watch = new Stopwatch();
  return () => {
    const ms = watch.stop();
    return performance.now() - fromMs - ms;
  };
}
