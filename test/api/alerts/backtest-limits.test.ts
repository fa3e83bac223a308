import assert from 'node:assert/strict';
import { type BacktestLimits, BacktestsService } from '../../../src/alerts/backtests/backtests.service';
import { openWorkBudget } from '../../../src/fairness/byte-budget';
import { FairSemaphore } from '../../../src/fairness/fair-semaphore';
import { runCancellable } from '../../../src/storage/cancellation';
import { buildSensor, upload } from '../../support/factories';
import { fakeClock } from '../../support/fake-clock';
import { usePlatform, useUser } from '../../support/hooks';
import { Stopwatch, timed } from '../../support/stopwatch';

const MINUTE = 60;

describe('an expensive backtest', () => {
  const clock = fakeClock();
  const platform = usePlatform({ clock });
  const user = useUser(platform);
  const start = clock.now() / 1000 - 1_000_000;

  const sensorWith = async (data: unknown[]) => {
    const id = await buildSensor(user);
    await upload(user, id, data);
    return id;
  };
  /** A point each minute. */
  const minutes = (values: unknown[]) => values.map((value, index) => ({ value, date: start + index * MINUTE }));
  /** A point each second, and a rule that takes milliseconds for each. */
  const sensorWithLists = async (points: number) => {
    const value = Array.from({ length: 20_000 }, (_, index) => index % 2);
    // No two alike: equal values are read once.
    const data = Array.from({ length: points }, (_, index) => ({ value: [...value, index], date: start + index }));
    const id = await buildSensor(user, { data_type: 'json' });
    for (let index = 0; index < points; index += 40) await upload(user, id, data.slice(index, index + 40));
    return id;
  };
  const expensive = {
    expression: Array.from({ length: 4 }, (_, index) => `${index + 2} in sensor_data_value`).join(' or '),
    inactivity: null,
  };
  const rule = { rule: { expression: 'sensor_data_value >= 0', inactivity: null } };
  const limited = (limits: Partial<BacktestLimits>) => {
    const { database } = platform.container;
    const { sensorAccess } = platform.container.services;
    const computing = new FairSemaphore<number>({ atOnce: 1 });
    return new BacktestsService(database, sensorAccess, clock, computing, openWorkBudget(), null, 0, {
      firings: 10,
      steps: 1e9,
      episodes: 1e9,
      ms: 60_000,
      ...limits,
    });
  };
  const userId = () => Number(user.id);
  const scope = (sensorId: string) => ({ sensorIds: [Number(sensorId)], endMs: clock.now(), descending: false });

  it('ends early and reports how far it got', async () => {
    const sensorId = await sensorWith(minutes(Array.from({ length: 5_000 }, () => 1)));
    for (const limits of [{ steps: 100 }, { ms: 0 }]) {
      const { points, truncated, untilMs, counts } = await limited(limits).run(userId(), rule, scope(sensorId));
      assert.equal(truncated, true);
      assert.ok(points > 0 && points < 5_000, String(points));
      assert.ok(untilMs >= (start + (points - 1) * MINUTE) * 1000 && untilMs < (start + points * MINUTE) * 1000);
      assert.deepEqual(counts, { fired: points });
    }
  });

  it('ends early on a sensor that has been inactive for years', async () => {
    const sensorId = await sensorWith([{ value: 1, date: 1_000_000_000 }]);
    const inactivityRule = { expression: null, inactivity: 60 };
    const { truncated, counts, untilMs } = await limited({ steps: 20_000 }).run(
      userId(),
      { rule: inactivityRule },
      scope(sensorId),
    );
    assert.equal(truncated, true);
    const inactivities = counts['inactive-sensor'] ?? 0;
    assert.ok(inactivities >= 19_999 && inactivities < 25_000, String(inactivities));
    assert.equal(inactivities, Math.floor((untilMs - 1e12) / 60_000));
  });

  it('runs once at a time per user, and only a few run at the same time', async () => {
    const sensorId = await sensorWith(minutes([1]));
    const service = limited({});
    const first = service.run(userId(), rule, scope(sensorId));
    await assert.rejects(service.run(userId(), rule, scope(sensorId)), { status: 429 });
    const others = [1, 2, 3].map((id) => service.run(1e6 + id, rule, scope(sensorId)).catch(({ status }) => status));
    await assert.rejects(service.run(2e6, rule, scope(sensorId)), { status: 429, retryAfterSeconds: 60 });
    assert.equal((await first).points, 1);
    assert.deepEqual(await Promise.all(others), [404, 404, 404]);
    assert.equal((await service.run(userId(), rule, scope(sensorId))).points, 1);
  });

  it('looks at the clock at every point, and reports everything up to where it ended', async () => {
    const sensorIds = [await sensorWithLists(300), await sensorWithLists(150)];
    const watch = new Stopwatch();
    const both = { ...scope(''), sensorIds: sensorIds.map(Number) };
    const { points, truncated, untilMs } = await limited({ ms: 100 }).run(userId(), { rule: expensive }, both);
    const ms = watch.stop();
    assert.ok(ms < 6_000, `${ms} ms`);
    assert.equal(truncated, true);
    assert.ok(points > 0 && points < 450, String(points));
    const seconds = Math.floor((untilMs - start * 1000) / 1000) + 1;
    assert.ok(Math.abs(points - (seconds + Math.min(seconds, 150))) <= 1, `${points} points in ${seconds} s`);
  });

  it('ends and frees its place when the client disconnects', async () => {
    const sensorId = await sensorWithLists(300);
    const service = limited({});
    const closed = new AbortController();
    const run = runCancellable(closed.signal, () => service.run(userId(), { rule: expensive }, scope(sensorId)));
    const ended = assert.rejects(run, { message: 'gone' });
    setTimeout(() => closed.abort(new Error('gone')), 50);
    const ms = await timed(() => ended);
    assert.ok(ms < 6_000, `${ms} ms`);
    assert.equal((await limited({ ms: 1 }).run(userId(), { rule: expensive }, scope(sensorId))).truncated, true);
    assert.equal((await service.run(userId(), rule, { ...scope(sensorId), endMs: start * 1000 })).points, 1);
  });

  it('reads points of any density exactly once and in order', async () => {
    // One every two milliseconds, then one every few hours, then a hundred a second.
    const date = (index: number) => {
      if (index < 3_000) return start + index * 0.002;
      return index < 3_100 ? start + 10 + (index - 3_000) * 5_000 : start + 500_000 + index * 0.01;
    };
    const data = Array.from({ length: 7_000 }, (_, index) => ({
      value: index,
      date: Math.round(date(index) * 1000) / 1000,
    }));
    const [one, two] = [await sensorWith(data), await sensorWith(data.slice(0, 4_000))];
    const rising = { expression: 'sensor_data_value != last_sensor_data_value + 1', inactivity: null };
    const { points, counts } = await limited({}).run(
      userId(),
      { rule: rising },
      {
        ...scope(one),
        sensorIds: [Number(one), Number(two)],
      },
    );
    assert.deepEqual([points, counts], [11_000, { 'no-previous-value': 2, false: 10_998 }]);
  });
});
