import assert from 'node:assert/strict';
import { buildSensor, buildTrigger, share, upload } from '../../support/factories';
import { fakeClock } from '../../support/fake-clock';
import { usePlatform, useUser } from '../../support/hooks';

const MINUTE = 60;

describe('a backtest', () => {
  const clock = fakeClock();
  const platform = usePlatform({ clock });
  const user = useUser(platform);
  const start = clock.now() / 1000 - 1_000_000;

  const sensorWith = async (data: unknown[], fields = {}) => {
    const id = await buildSensor(user, fields);
    await upload(user, id, data);
    return id;
  };
  /** A point each minute. */
  const minutes = (values: unknown[]) => values.map((value, index) => ({ value, date: start + index * MINUTE }));
  const run = (trigger: object, scope: object) => user.api.post('/triggers/backtest', { trigger, ...scope });
  const datesOf = (response: { body: { backtest: { firings: { date: number }[] } } }) =>
    response.body.backtest.firings.map(({ date }) => (date - start) / MINUTE);

  it('reports when a rule would have fired and how often it would not have', async () => {
    const sensor_id = await sensorWith([...minutes([1, 5, 7, 2, 6]), { value: 8, date: start + 4 * MINUTE + 30 }]);
    const { status, body } = await run({ expression: 'sensor_data_value > 4' }, { sensor_ids: [sensor_id] });
    assert.equal(status, 200);
    const { firings, ...rest } = body.backtest;
    assert.deepEqual(rest, {
      points: 6,
      counts: { false: 1, fired: 3, resolved: 1, 'once-a-minute': 1 },
      last_error: '',
      until: clock.now() / 1000,
      truncated: false,
      labels: null,
      zones: null,
      deliveries: [],
      summary: {
        ...{ episodes: 2, firings: 3, deliveries: 0, at_night: 0 },
        ...{ median_duration: 120, by_notification: [] },
      },
    });
    assert.deepEqual(firings[1], {
      sensor_id,
      date: start + 2 * MINUTE,
      muted: false,
      reason: 'expression',
      value: '7',
      variables: {
        last_triggered: start + MINUTE,
        times_triggered: 2,
        last_sensor_data_value: '5',
        last_sensor_data_date: start + MINUTE,
        sensor_data_value: '7',
        sensor_data_date: start + 2 * MINUTE,
        current_time: start + 2 * MINUTE,
      },
      ended: start + 3 * MINUTE,
    });
    assert.deepEqual([firings[0].ended, firings[2].ended], [start + 3 * MINUTE, null]);
  });

  it('reads the hour by the clocks of the time zone of the rule, or of the saved trigger', async () => {
    const midnight = Math.ceil(start / 86_400) * 86_400;
    const data = Array.from({ length: 24 }, (_, hour) => ({ value: 1, date: midnight + hour * 3_600 }));
    const sensor_ids = [await sensorWith(data)];
    const rule = { expression: 'hour() == 0 and minute() == 30' };
    const kolkata = { expression: 'hour() == 5 and minute() == 30', timezone: 'Asia/Kolkata' };
    const hoursOf = (response: { body: { backtest: { firings: { date: number }[] } } }) =>
      response.body.backtest.firings.map(({ date }) => (date - midnight) / 3_600);
    assert.deepEqual(hoursOf(await run(rule, { sensor_ids })), []);
    assert.deepEqual(hoursOf(await run(kolkata, { sensor_ids })), [0]);
    const id = await buildTrigger(user, kolkata);
    assert.deepEqual(hoursOf(await user.api.post(`/triggers/${id}/backtest`, { sensor_ids })), [0]);
    const wrong = await run({ ...rule, timezone: 'Mars/Olympus' }, { sensor_ids });
    assert.deepEqual([wrong.status, Object.keys(wrong.body.fields)], [400, ['trigger.timezone']]);
  });

  it('finds a sensor that is stuck for two hours, by the recipe of the pages', async () => {
    const values = [20.1, ...Array.from({ length: 140 }, () => 20.3), 20.4];
    const sensor_id = await sensorWith(minutes(values));
    const trigger = { expression: 'sensor_data_value == last_sensor_data_value', hold: 7_200, repeat: 0 };
    const { body } = await run(trigger, { sensor_ids: [sensor_id] });
    const [firing, ...others] = body.backtest.firings;
    // The first value that is like the one before it is that of minute 2.
    assert.deepEqual([others.length, firing.date, firing.ended], [0, start + 122 * MINUTE, start + 141 * MINUTE]);
  });

  it('of the recipes for fewer firings ends when the value is below the limit again, and not before', async () => {
    const sensor_id = await sensorWith(minutes([29, ...Array.from({ length: 25 }, () => 34), 29]));
    const firedAt = { 0: [1], 600: [1, 11, 21] };
    for (const [repeat, minutesOfFirings] of Object.entries(firedAt)) {
      const trigger = { expression: 'sensor_data_value > 30', repeat: Number(repeat), notify_resolved: true };
      const response = await run(trigger, { sensor_ids: [sensor_id] });
      assert.deepEqual(datesOf(response), minutesOfFirings);
      assert.equal(response.body.backtest.firings.at(-1).ended, start + 26 * MINUTE);
      assert.equal(response.body.backtest.counts.resolved, 1);
    }
  });

  it('of a saved trigger changes neither the trigger nor the sensor nor its firings', async () => {
    const sensor_id = await sensorWith(minutes([1, 5]));
    const trigger = { name: 'warm', expression: 'sensor_data_value > 4' };
    const id = await buildTrigger(user, trigger);
    const response = await user.api.post(`/triggers/${id}/backtest`, { sensor_id });
    assert.deepEqual([response.status, datesOf(response)], [200, [1]]);
    assert.deepEqual((await user.api.get(`/sensors/${sensor_id}/triggers`)).body, { triggers: [] });
    assert.deepEqual((await user.api.get('/deliveries')).body, { deliveries: [] });
  });

  it('counts inactivity from the start, or from the data before it, up to the end', async () => {
    const points = [0, 5, 6].map((minute) => ({ value: minute, date: start + minute * MINUTE }));
    const sensor_id = await sensorWith(points);
    const at = (minute: number) => start + minute * MINUTE;
    const inactivityRun = (from: number | undefined, to: number) =>
      run(
        { inactivity: 120 },
        { sensor_id, ...(from === undefined ? {} : { start_date: at(from) }), end_date: at(to) },
      );
    assert.deepEqual(datesOf(await inactivityRun(undefined, 9)), [2, 4, 8]);
    assert.deepEqual(datesOf(await inactivityRun(1, 7)), [2, 4]);
    assert.deepEqual(
      datesOf(await inactivityRun(3, 7)),
      [3, 4],
      'counted from the start, as when a trigger is connected',
    );
    assert.deepEqual(datesOf(await inactivityRun(-3, 7)), [-1, 2, 4]);
    const { firings, counts } = (await inactivityRun(undefined, 9)).body.backtest;
    assert.deepEqual(
      [firings[0].reason, firings[0].value, counts],
      ['inactivity', null, { 'no-expression': 3, 'inactive-sensor': 3, resolved: 1 }],
    );
  });

  it('stops at the present time', async () => {
    const sensor_id = await sensorWith([
      { value: 9, date: clock.now() / 1000 - 90 },
      { value: 9, date: clock.now() / 1000 + 600 },
    ]);
    const { backtest } = (
      await run({ expression: 'true', inactivity: 60 }, { sensor_id, end_date: clock.now() / 1000 + 9_000 })
    ).body;
    assert.deepEqual([backtest.points, backtest.firings.length, backtest.until], [1, 2, clock.now() / 1000]);
  });

  it('evaluates several sensors separately and lists their firings by date, newest first on request', async () => {
    const one = await sensorWith(minutes([5, 5, 1]));
    const two = await sensorWith(minutes([1, 5, 5]).map(({ value, date }) => ({ value, date: date + 1 })));
    const found = async (sort: string) =>
      (
        await run({ expression: 'sensor_data_value > 4' }, { sensor_ids: [two, one, two], sort })
      ).body.backtest.firings.map(({ sensor_id, date }: { sensor_id: string; date: number }) => [
        sensor_id,
        date - start,
      ]);
    const ascending = [
      [one, 0],
      [one, 60],
      [two, 61],
      [two, 121],
    ];
    assert.deepEqual(await found('asc'), ascending);
    assert.deepEqual(await found('DESC'), ascending.reverse());
  });

  it('reads values by the data type of the sensor and reports what cannot be evaluated', async () => {
    const text = await sensorWith(minutes(['5']), { data_type: 'string' });
    const { backtest } = (await run({ expression: 'sensor_data_value > 4' }, { sensor_id: text })).body;
    assert.deepEqual(backtest.counts, { 'cannot-be-evaluated': 1 });
    assert.notEqual(backtest.last_error, '');
    const lux = await sensorWith(minutes([{ lux: 5 }]), { data_type: 'json' });
    assert.deepEqual(datesOf(await run({ expression: 'sensor_data_value.lux > 4' }, { sensor_id: lux })), [0]);
  });

  it('lists at most a thousand firings, from the requested end, and counts all of them', async () => {
    const sensor_id = await sensorWith(minutes(Array.from({ length: 2_500 }, (_, index) => index)));
    const first = await run({ expression: 'true' }, { sensor_id });
    assert.deepEqual(
      datesOf(first),
      Array.from({ length: 1_000 }, (_, index) => index),
    );
    const { counts, truncated, points } = first.body.backtest;
    assert.deepEqual([counts, truncated, points], [{ fired: 2_500 }, true, 2_500]);
    const last = await run({ expression: 'true' }, { sensor_id, sort: 'DESC' });
    assert.deepEqual(
      datesOf(last),
      Array.from({ length: 1_000 }, (_, index) => 2_499 - index),
    );
  });

  it('truncates long values', async () => {
    const sensor_id = await sensorWith(minutes(['x'.repeat(60_000)]));
    const [firing] = (await run({ expression: 'true' }, { sensor_id })).body.backtest.firings;
    assert.equal(firing.value, `${'x'.repeat(99)}…`);
    assert.equal(firing.variables.sensor_data_value, firing.value);
  });

  it('finds no firings where there is no data', async () => {
    const sensor_id = await sensorWith([]);
    for (const range of [{}, { start_date: start + 10, end_date: start }]) {
      const { status, body } = await run({ expression: 'true', inactivity: 60 }, { sensor_id, ...range });
      assert.deepEqual([status, body.backtest.points, body.backtest.firings], [200, 0, []]);
    }
  });

  it('refuses an invalid rule, a missing sensor and an invalid date by the name of the field', async () => {
    const sensor_id = await sensorWith([]);
    const expression = 'sensor_data_value > 4';
    const refusals: [object, object, string][] = [
      [{}, { sensor_id }, 'trigger.expression'],
      [{ expression: 'sensor_data_value >' }, { sensor_id }, 'trigger.expression'],
      [{ inactivity: 59 }, { sensor_id }, 'trigger.inactivity'],
      [{ expression }, {}, 'sensor_id'],
      [{ expression }, { sensor_ids: ['x'] }, 'sensor_id[0]'],
      [{ expression }, { sensor_id, start_date: 'yesterday' }, 'start_date'],
      [{ expression }, { sensor_id, sort: 'up' }, 'sort'],
      [{ expression }, { sensor_ids: Array.from({ length: 1_001 }, (_, index) => index + 1) }, 'sensor_ids'],
    ];
    for (const [trigger, scope, field] of refusals) {
      const { status, body } = await run(trigger, scope);
      assert.deepEqual([status, Object.keys(body.fields)], [400, [field]], JSON.stringify(body));
    }
    assert.equal((await user.api.post('/triggers/backtest', { sensor_id })).status, 400);
  });

  it('is allowed on sensors that are visible to the user, with triggers that the user owns', async () => {
    const [shared, hidden] = [await sensorWith(minutes([5])), await sensorWith(minutes([5]))];
    const friend = await platform.user();
    await share(user, shared, friend);
    const trigger = { expression: 'sensor_data_value > 4' };
    const ofFriend = (sensor_ids: unknown[]) => friend.api.post('/triggers/backtest', { trigger, sensor_ids });
    assert.deepEqual(datesOf(await ofFriend([shared])), [0]);
    assert.equal((await ofFriend([shared, hidden])).status, 404);
    assert.equal((await ofFriend(['999999999'])).status, 404);
    const id = await buildTrigger(user, { name: 'warm', ...trigger });
    assert.equal((await friend.api.post(`/triggers/${id}/backtest`, { sensor_id: shared })).status, 404);
    assert.equal((await platform.anonymous.post('/triggers/backtest', { trigger, sensor_id: shared })).status, 401);
  });
});
