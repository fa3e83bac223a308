import assert from 'node:assert/strict';
import { buildAlarm } from '../../support/alarm';
import { buildSensor, buildService, buildTrigger, connectTrigger, type Fields, upload } from '../../support/factories';
import { fakeClock } from '../../support/fake-clock';
import { usePlatform, useReceiver, useUser } from '../../support/hooks';

const MINUTE_MS = 61_000;

describe('labels in rules', () => {
  const clock = fakeClock();
  const platform = usePlatform({ clock, config: { SENSOR_PARTITIONS: '1', CHECK_MEMORY: 'on' } });
  const receiver = useReceiver();
  const user = useUser(platform);

  beforeEach(() => {
    receiver.received.length = 0;
    clock.advance(3_600_000);
  });

  const now = () => clock.now() / 1000;
  const tag = async (sensorId: string, metatags: Fields, namespace?: string) => {
    const query = namespace === undefined ? '' : `?namespace=${namespace}`;
    assert.equal((await user.api.put(`/sensors/${sensorId}/metatags${query}`, { metatags })).status, 200);
  };
  const send = async (sensorId: string, value: unknown) => {
    clock.advance(MINUTE_MS);
    await upload(user, sensorId, { value, date: now() });
    await platform.settle();
  };
  const decisions = async (sensorId: string, triggerId: string) =>
    (await user.api.get(`/sensors/${sensorId}/triggers/${triggerId}/decisions`)).body.decisions;
  const sentTexts = () => receiver.received.map(({ form }) => form.text);

  it('give one rule another limit on each sensor, and say which', async () => {
    const triggerId = await buildTrigger(user, { expression: 'sensor_data_value > label("limit", 8)', repeat: 0 });
    const limits: [limit: unknown, fires: boolean][] = [
      [-18, true],
      ['5', true],
      [undefined, false],
      [12.5, false],
    ];
    for (const [limit, fires] of limits) {
      const sensorId = await buildSensor(user);
      if (limit !== undefined) await tag(sensorId, { limit: [limit, 'another'] });
      await connectTrigger(user, sensorId, triggerId);
      await send(sensorId, 6);
      const [{ fired, variables }] = await decisions(sensorId, triggerId);
      assert.deepEqual([fired, variables.labels], [fires, { limit: Number(limit ?? 8) }]);
      const { firings } = (await user.api.get(`/firings?sensor_id=${sensorId}`)).body;
      assert.deepEqual(
        firings.map((firing: { variables: Fields }) => firing.variables.labels),
        fires ? [{ limit: Number(limit) }] : [],
      );
    }
  });

  it('count from the next point on when they change, while the worker caches the rule', async () => {
    const { sensorId, triggerId } = await buildAlarm(user, {
      trigger: { expression: 'sensor_data_value > label("limit")', repeat: 0, notify_resolved: true },
      notifications: [{ destination: receiver.url, text: '{{sensor_data_value}} over {{label("limit")}}' }],
    });
    await tag(sensorId, { limit: 10 });
    await send(sensorId, 9);
    await send(sensorId, 9);
    await tag(sensorId, { limit: 8 });
    await send(sensorId, 9);
    await tag(sensorId, { limit: 20 });
    await send(sensorId, 9);
    const made = await decisions(sensorId, triggerId);
    assert.deepEqual(
      made.map(({ reason, variables }: { reason: string; variables: Fields }) => [reason, variables.labels]),
      [
        ['resolved', { limit: 20 }],
        ['fired', { limit: 8 }],
        ['false', { limit: 10 }],
        ['false', { limit: 10 }],
      ],
    );
    assert.equal(sentTexts()[0], '9 over 8');
  });

  it('are those of the namespace that is named, and end an alert too', async () => {
    const { sensorId, triggerId } = await buildAlarm(user, {
      trigger: {
        expression: 'sensor_data_value > label("shop:limit")',
        resolve_expression: 'sensor_data_value < label("calm", 2)',
        repeat: 0,
      },
      notifications: [],
    });
    await tag(sensorId, { limit: 100 });
    await tag(sensorId, { limit: 5 }, 'shop');
    for (const value of [6, 3, 1]) await send(sensorId, value);
    const made = await decisions(sensorId, triggerId);
    assert.deepEqual(
      made.map(({ reason, variables }: { reason: string; variables: Fields }) => [reason, variables.labels]),
      ['resolved', 'keeps-firing', 'fired'].map((reason) => [reason, { 'shop:limit': 5, calm: 2 }]),
    );
  });

  it('cannot be evaluated where one is missing, which names the sensor and the label', async () => {
    const { sensorId, triggerId } = await buildAlarm(user, {
      sensor: { name: 'freezer 7' },
      trigger: { expression: 'sensor_data_value > label("limit")', repeat: 0 },
      notifications: [],
    });
    await send(sensorId, 6);
    const why = 'the sensor "freezer 7" has no label "limit"';
    const [{ reason, error }] = await decisions(sensorId, triggerId);
    assert.deepEqual([reason, error], ['cannot-be-evaluated', why]);
    const shown = await user.api.get(`/sensors/${sensorId}/triggers/${triggerId}`);
    assert.equal(shown.body.trigger.last_error, why);
    await user.api.put(`/sensors/${sensorId}`, { sensor: { name: 'freezer 8' } });
    await send(sensorId, 7);
    assert.equal((await decisions(sensorId, triggerId))[0].error, 'the sensor "freezer 8" has no label "limit"');
    await tag(sensorId, { limit: 'off' });
    await send(sensorId, 8);
    assert.equal((await decisions(sensorId, triggerId))[0].error, 'a string where a number is needed');
    await tag(sensorId, { limit: 7 });
    await send(sensorId, 8);
    assert.equal((await decisions(sensorId, triggerId))[0].fired, true);
  });

  it('are missed when the trigger is saved or connected, unless a value stands in', async () => {
    const sensorId = await buildSensor(user, { name: 'freezer 9' });
    const { body } = await user.api.post('/triggers', {
      trigger: { name: 'warm', expression: 'sensor_data_value > label("limit")' },
    });
    const triggerId = body.trigger.id;
    const connected = await user.api.post(`/sensors/${sensorId}/triggers`, {
      triggers: [{ trigger: { id: triggerId } }],
    });
    assert.match(
      JSON.stringify(connected.body),
      /the sensor \\"freezer 9\\" has no label \\"limit\\", so the trigger cannot/,
    );
    const changed = { trigger: { expression: 'sensor_data_value > label("limit", 8)' } };
    assert.equal((await user.api.put(`/triggers/${triggerId}`, changed)).body.warning, undefined);
  });

  it('are read in windows, whose stored points count by the new label at once', async () => {
    const { sensorId, triggerId } = await buildAlarm(user, {
      trigger: {
        expression: 'count_over_time(label("limit") < sensor_data_value ? 1 : sensor_data_value.no, 600) >= 2',
      },
      notifications: [],
    });
    await tag(sensorId, { limit: 10 });
    for (const value of [7, 8, 9]) await send(sensorId, value);
    assert.equal((await decisions(sensorId, triggerId))[0].reason, 'false');
    await tag(sensorId, { limit: 7.5 });
    await send(sensorId, 1);
    assert.deepEqual((await decisions(sensorId, triggerId))[0].reason, 'fired');
  });

  it('are shown by texts, ends and templates, with those that the rule does not name', async () => {
    const { sensorId } = await buildAlarm(user, {
      trigger: {
        expression: 'sensor_data_value > label("limit", 8)',
        notify_resolved: true,
        resolved_text: 'well again in {{label("room", "a room")}}',
        repeat: 0,
      },
      notifications: [
        { destination: receiver.url, text: '{{sensor_data_value}} in {{label("room")}}, over {{label("limit")}}' },
        {
          destination: `${receiver.url}?room={{label("room")}}`,
          text: '',
          format: 'json',
          body: { over: '{{sensor_data_value - label("limit", 8)}}', floor: '{{label("shop:floor", 0)}}' },
        },
      ],
    });
    await tag(sensorId, { room: ['cold store 3'] });
    await tag(sensorId, { floor: [2] }, 'shop');
    for (const value of [9.5, 3]) await send(sensorId, value);
    assert.deepEqual(sentTexts().filter(Boolean), ['9.5 in cold store 3, over 8', 'well again in cold store 3']);
    const [firing] = receiver.received.filter(({ path }) => path.includes('room='));
    assert.equal(firing?.path.includes('room=cold%20store%203'), true, firing?.path);
    assert.deepEqual(JSON.parse(firing?.rawBody ?? ''), { over: '1.5', floor: '2' });
  });

  it('are those of the virtual sensor in a formula', async () => {
    const inputId = await buildSensor(user);
    const virtualId = await buildService(user, 'math_service', inputId);
    const method = (parameters: unknown[]) =>
      user.api.post(`/sensors/${inputId}/services/${virtualId}/SetExpression`, { parameters });
    assert.equal((await method([`_${inputId}_a -\nlabel("offset", 1)`])).status, 200);
    await send(inputId, 10);
    await tag(virtualId, { offset: 4 });
    await send(inputId, 10.5);
    const { data } = (await user.api.get(`/sensors/${virtualId}/data`)).body;
    assert.deepEqual(
      data.map(({ value }: Fields) => value),
      ['9', '6.5'],
    );
    assert.equal((await method([`delta(_${inputId}_a - label("offset"), 60)`])).status, 400);
  });

  it('are as they are now in a backtest, or as its request gives them', async () => {
    const sensorId = await buildSensor(user);
    await tag(sensorId, { limit: 8 });
    for (const value of [7, 9, 7]) await send(sensorId, value);
    const rule = { expression: 'sensor_data_value > label("limit")', repeat: 0 };
    const backtest = async (labels?: Fields) =>
      (await user.api.post('/triggers/backtest', { trigger: rule, sensor_ids: [sensorId], ...(labels && { labels }) }))
        .body.backtest;
    const present = await backtest();
    assert.deepEqual([present.summary.firings, present.labels], [1, 'present']);
    assert.deepEqual(present.firings[0].variables.labels, { limit: 8 });
    const given = await backtest({ limit: 6 });
    assert.deepEqual([given.counts.fired, given.labels], [1, 'given']);
    assert.equal(given.firings[0].value, '7');
    const { body } = await user.api.post('/triggers/backtest', {
      trigger: { expression: 'sensor_data_value > 8' },
      sensor_ids: [sensorId],
    });
    assert.equal(body.backtest.labels, null);
  });

  it('never come from a sensor of another user', async () => {
    const other = await platform.user();
    const sensorId = await buildSensor(other);
    assert.equal((await other.api.put(`/sensors/${sensorId}/metatags`, { metatags: { limit: 1 } })).status, 200);
    const { status } = await user.api.post('/triggers/backtest', {
      trigger: { expression: 'sensor_data_value > label("limit")' },
      sensor_ids: [sensorId],
    });
    assert.equal(status, 404);
  });
});
