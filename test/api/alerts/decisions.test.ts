import assert from 'node:assert/strict';
import { handleEvaluation } from '../../../workers/evaluation.worker';
import { type Alarm, buildAlarm } from '../../support/alarm';

import { buildTrigger, connectTrigger, share, upload } from '../../support/factories';
import { fakeClock } from '../../support/fake-clock';
import { useCuttable, usePlatform, useUser } from '../../support/hooks';

describe('the latest decisions', () => {
  const clock = fakeClock();
  const platform = usePlatform({ clock, config: { DECISIONS_KEPT_OF: '3' } });
  const user = useUser(platform);

  beforeEach(() => clock.advance(3_600_000));

  const alarm = (trigger: Record<string, unknown>, sensor = {}) =>
    buildAlarm(user, { sensor, trigger, notifications: [] });
  const path = ({ sensorId, triggerId }: Alarm) => `/sensors/${sensorId}/triggers/${triggerId}/decisions`;
  const now = () => clock.now() / 1000;
  const send = async ({ sensorId }: Alarm, ...data: { value: unknown; date?: number }[]) => {
    await upload(user, sensorId, data);
    await platform.settle();
  };
  const decisions = async (one: Alarm) => (await user.api.get(path(one))).body.decisions;
  const reasons = async (one: Alarm) => (await decisions(one)).map(({ reason }: { reason: string }) => reason);

  it('explain why each point fired or did not, newest first, with the values of the variables', async () => {
    const one = await alarm({ expression: 'sensor_data_value > 20 and times_triggered < 5' });
    assert.deepEqual((await user.api.get(path(one))).body, { active: true, decisions: [] });
    const firedAt = now();
    await send(one, { value: 19, date: firedAt - 2 }, { value: 21, date: firedAt - 1 });
    clock.advance(1_500);
    await send(one, { value: 22 });
    const [again, fired, not] = await decisions(one);
    assert.deepEqual(again, {
      date: firedAt + 1.5,
      reason: 'once-a-minute',
      fired: false,
      error: '',
      value: '22',
      value_date: firedAt + 1.5,
      hold: 0,
      trigger_version: 1,
      held_by: null,
      variables: {
        last_triggered: firedAt,
        times_triggered: 1,
        last_sensor_data_value: '21',
        last_sensor_data_date: firedAt - 1,
        sensor_data_value: '22',
        sensor_data_date: firedAt + 1.5,
        current_time: firedAt + 1.5,
      },
    });
    assert.deepEqual([fired.reason, fired.fired, fired.date, fired.value_date], ['fired', true, firedAt, firedAt - 1]);
    assert.equal(fired.variables.times_triggered, 0);
    assert.deepEqual([not.reason, not.value], ['false', '19']);
  });

  it('name the hold of the trigger at that time if it fired, as its firings do', async () => {
    const one = await alarm({ expression: 'sensor_data_value > 20', hold: 300 });
    await send(one, { value: 21 });
    clock.advance(300_000);
    await platform.container.heartbeat.beat();
    await platform.settle();
    const { triggerId } = one;
    assert.equal((await user.api.put(`/triggers/${triggerId}`, { trigger: { hold: 60 } })).status, 200);
    clock.advance(60_000);
    await send(one, { value: 22 });
    clock.advance(60_000);
    await send(one, { value: 23 });
    const all = await decisions(one);
    assert.deepEqual(
      all.map(({ reason, hold }: { reason: string; hold: number }) => [reason, hold]),
      [
        ['fired', 60],
        ['pending', 0],
        ['fired', 300],
        ['pending', 0],
      ],
    );
    const { firings } = (await user.api.get(`/firings?trigger_id=${triggerId}&sort=DESC`)).body;
    assert.deepEqual(
      firings.map(({ hold }: { hold: number }) => hold),
      [60, 300],
    );
  });

  it('are fewer when they are about long texts', async () => {
    const one = await alarm({ expression: 'sensor_data_value == "x"' });
    const data = Array.from({ length: 60 }, (_, index) => ({ value: '€'.repeat(200) + index, date: now() + index }));
    await send(one, ...data);
    const kept = await decisions(one);
    assert.ok(kept.length >= 10 && kept.length < 40, `${kept.length} are kept`);
    assert.equal(kept[0].value_date, now() + 59);
  });

  it('name each reason why a point is not evaluated', async () => {
    const one = await alarm({ expression: 'sensor_data_value.lux > last_sensor_data_value.lux' });
    await send(one, { value: { lux: 1 } }, { value: 'dark', date: now() + 1 }, { value: 1, date: now() + 3_601 });
    await send(one, { value: { lux: 2 }, date: now() - 61 });
    const [late, ahead, impossible, first] = await decisions(one);
    assert.deepEqual(
      [late.reason, ahead.reason, impossible.reason, first.reason],
      ['late', 'too-far-ahead', 'cannot-be-evaluated', 'no-previous-value'],
    );
    assert.match(impossible.error, /lux does not exist/);
    assert.equal(first.error, '');
  });

  it('include inactivity, but not every check of one that lasts', async () => {
    const one = await alarm({ inactivity: 60 });
    await send(one, { value: 1 });
    const partition = Number(one.sensorId) % platform.container.config.partitions;
    const check = () => handleEvaluation({ partition }, platform.container);
    clock.advance(60_000);
    // Due, but it is not certain yet that data could have arrived.
    for (let times = 0; times < 3; times += 1) await check();
    assert.deepEqual(await reasons(one), ['no-expression']);
    await platform.query('UPDATE heartbeats SET accepting_until_ms = ?', [clock.now()]);
    await check();
    assert.deepEqual(await reasons(one), ['inactive-sensor', 'no-expression']);
    const [inactivity] = await decisions(one);
    assert.deepEqual(
      [inactivity.reason, inactivity.fired, inactivity.value, inactivity.value_date],
      ['inactive-sensor', true, null, null],
    );
    assert.equal(inactivity.variables.last_sensor_data_value, '1');
  });

  it('are not recorded while the trigger is not active', async () => {
    const one = await alarm({ expression: 'sensor_data_value > 20' });
    await send(one, { value: 1 });
    await user.api.post(`/sensors/${one.sensorId}/triggers/${one.triggerId}/active`, { active: false });
    await send(one, { value: 30, date: now() + 1 });
    const { active, decisions: kept } = (await user.api.get(path(one))).body;
    assert.deepEqual([active, kept.length, kept[0].reason], [false, 1, 'false']);
  });

  it('are limited to a hundred per sensor trigger, and to the sensor triggers with the latest decisions', async () => {
    const [first, second, third] = [1, 2, 3].map((limit) => ({ expression: `sensor_data_value > ${1000 + limit}` }));
    const alarms = [await alarm({ ...first }), await alarm({ ...second }), await alarm({ ...third })];
    const [one = assert.fail()] = alarms;
    await send(one, ...Array.from({ length: 99 }, (_, index) => ({ value: index, date: now() + index })));
    await send(one, ...Array.from({ length: 150 }, (_, index) => ({ value: 99 + index, date: now() + 99 + index })));
    const values = (await decisions(one)).map(({ value }: { value: string }) => Number(value));
    assert.deepEqual(
      values,
      Array.from({ length: 100 }, (_, index) => 248 - index),
    );
    for (const other of alarms.slice(1)) {
      clock.advance(1_000);
      await send(other, { value: 1 });
    }
    assert.equal((await decisions(one)).length, 100);
    clock.advance(1_000);
    await send(await alarm({ expression: 'sensor_data_value > 5' }), { value: 1 });
    assert.equal((await decisions(one)).length, 0);
    const { redis, config } = platform.container;
    const keys = await redis.keys(`{${config.redisPrefix}}*decisions*`);
    assert.equal(keys.length, 5, 'three lists, their index and its total');
    for (const key of keys) {
      const left = await redis.pttl(key);
      assert.ok(left > 6 * 86_400_000 && left <= 7 * 86_400_000, key);
    }
  });

  it('are those of one trigger, whatever the others of its sensor decide', async () => {
    const one = await alarm({ expression: 'sensor_data_value > 20' });
    const triggerId = await buildTrigger(user, { expression: 'sensor_data_value < 20' });
    await connectTrigger(user, one.sensorId, triggerId);
    const other = { ...one, triggerId };
    await send(one, { value: 21 }, { value: 22, date: now() + 1 });
    await send(one, { value: 3, date: now() + 2 });
    assert.deepEqual(await reasons(one), ['resolved', 'once-a-minute', 'fired']);
    assert.deepEqual(await reasons(other), ['fired', 'false', 'false']);
    // Together with these two, a sensor with two triggers is one too many.
    const next = await alarm({ expression: 'sensor_data_value > 20' });
    await connectTrigger(user, next.sensorId, triggerId);
    clock.advance(1_000);
    await send(next, { value: 1 });
    assert.deepEqual([await reasons(one), await reasons(next)], [[], ['false']]);
  });

  it('truncate long values', async () => {
    const one = await alarm({ expression: 'sensor_data_value == "x"' });
    await send(one, { value: 'x'.repeat(60_000) });
    await send(one, { value: 'y', date: now() + 1 });
    const [second, first] = await decisions(one);
    assert.equal(first.value, `${'x'.repeat(99)}…`);
    assert.equal(second.variables.last_sensor_data_value, first.value);
  });

  it('are all that is lost with Redis', async () => {
    const one = await alarm({ expression: 'sensor_data_value > 20' });
    await send(one, { value: 21 });
    const { redis, config, decisionLog } = platform.container;
    await decisionLog.flush();
    await redis.del(...(await redis.keys(`{${config.redisPrefix}}*`)));
    assert.deepEqual(await decisions(one), []);
    await send(one, { value: 22, date: now() + 1 });
    assert.deepEqual(await reasons(one), ['once-a-minute']);
  });

  it('are shown only to the owner', async () => {
    const one = await alarm({ expression: 'sensor_data_value > 20' });
    await send(one, { value: 1 });
    const stranger = await platform.user();
    assert.equal((await stranger.api.get(path(one))).status, 404);
    assert.equal((await platform.anonymous.get(path(one))).status, 401);
    const friend = await platform.user();
    await share(user, one.sensorId, friend);
    assert.equal((await friend.api.get(path(one))).status, 403);
    const other = await alarm({ expression: 'sensor_data_value > 20' });
    assert.equal((await user.api.get(path({ ...one, triggerId: other.triggerId }))).status, 404);
    await user.api.delete(`/sensors/${one.sensorId}/triggers/${one.triggerId}`);
    assert.equal((await user.api.get(path(one))).status, 404);
  });
});

describe('the latest decisions while Redis is unreachable', () => {
  const redis = useCuttable('REDIS_URL');
  const platform = usePlatform(() => ({ config: { REDIS_URL: redis.url } }));
  const user = useUser(platform);

  it('are neither stored nor shown, and delay no evaluation pass', async () => {
    const trigger = { expression: 'sensor_data_value > 20' };
    const { sensorId, triggerId } = await buildAlarm(user, { trigger, notifications: [] });
    const path = `/sensors/${sensorId}/triggers/${triggerId}`;
    const send = async (value: number) => {
      await upload(user, sensorId, { value });
      await handleEvaluation(
        { partition: Number(sensorId) % platform.container.config.partitions },
        platform.container,
      );
      return (await user.api.get(path)).body.trigger.last_sensor_data_value;
    };
    await redis.cut();
    assert.equal(await send(1), '1');
    const { status, body, headers } = await user.api.get(`${path}/decisions`);
    assert.deepEqual([status, body.code], [503, 'unavailable']);
    assert.ok(headers.get('retry-after'));
    await redis.restore();
    await platform.container.redis.ping();
    assert.equal(await send(2), '2');
    const { decisions } = (await user.api.get(`${path}/decisions`)).body;
    assert.deepEqual(
      decisions.map(({ value }: { value: string }) => value),
      ['2'],
    );
  });
});
