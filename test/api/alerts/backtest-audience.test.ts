import assert from 'node:assert/strict';
import { buildAlarm } from '../../support/alarm';
import { buildMute, buildNotification, buildSensor, type Fields, thenOf, upload } from '../../support/factories';
import { usePlatform, useUser } from '../../support/hooks';

const START = 1_767_261_600;
const HOUR = 3_600;

describe('who a backtest says would have been notified', () => {
  const platform = usePlatform();
  const ada = useUser(platform);
  const eve = useUser(platform);
  const warm = { expression: 'sensor_data_value > 30', repeat: 0, notify_resolved: true, name: 'warm' };
  let sensorId: string;

  before(async () => {
    sensorId = await buildSensor(ada, { name: 'cellar', unit: '°C' });
    const values = [20, 31, 32, 33, 20, 35, 35];
    await upload(
      ada,
      sensorId,
      values.map((value, hour) => ({ value, date: START + hour * HOUR })),
    );
  });

  const run = (body: Fields, path = '/triggers/backtest') =>
    ada.api.post(path, { sensor_ids: [sensorId], start_date: START, end_date: START + 10 * HOUR, ...body });
  const notified = async (body: Fields, path?: string) => {
    const response = await run(body, path);
    assert.equal(response.status, 200, JSON.stringify(response.body));
    return response.body.backtest.deliveries.map(({ date, kind, text }: Fields) => [
      (Number(date) - START) / HOUR,
      kind,
      text,
    ]);
  };

  it('are notifications of a rule that are named, with when they take part', async () => {
    const [now, later] = [
      await buildNotification(ada, { text: '{{sensor_data_value}} $unit' }),
      await buildNotification(ada),
    ];
    assert.deepEqual(await notified({ trigger: warm }), []);
    const notifications = [{ id: now }, { id: later, after: 2.5 * HOUR }];
    assert.deepEqual(await notified({ trigger: warm, notifications }), [
      [1, 'fired', '31 °C'],
      [3.5, 'escalation', ''],
      [4, 'resolved', 'warm on cellar: resolved'],
      [4, 'resolved', 'warm on cellar: resolved'],
      [5, 'fired', '35 °C'],
      [7.5, 'escalation', ''],
    ]);
    const acknowledged = await notified({
      trigger: { ...warm, resolved_text: 'well' },
      notifications,
      acknowledge: 600,
    });
    assert.deepEqual(acknowledged, [
      [1, 'fired', '31 °C'],
      [4, 'resolved', 'well'],
      [5, 'fired', '35 °C'],
    ]);
    const repeated = await notified({
      trigger: { ...warm, repeat: HOUR },
      notifications: [{ id: now }],
      acknowledge: 1.5 * HOUR,
    });
    assert.deepEqual(
      repeated.map(([hour, kind]: unknown[]) => [hour, kind]),
      [
        [1, 'fired'],
        [2, 'fired'],
        [4, 'resolved'],
        [5, 'fired'],
        [6, 'fired'],
      ],
    );
  });

  it('are those of a saved trigger on each sensor, with your mutes unless you leave them out', async () => {
    const alarm = await buildAlarm(ada, { sensor: { name: 'attic' }, trigger: warm, notifications: [{ text: 'hot' }] });
    await upload(ada, alarm.sensorId, { value: 40, date: START + HOUR });
    await ada.api.post(`/triggers/${alarm.triggerId}/notifications`, {
      notification: { id: await buildNotification(ada, { text: 'all' }) },
    });
    const path = `/triggers/${alarm.triggerId}/backtest`;
    const both = { sensor_ids: [sensorId, alarm.sensorId] };
    assert.deepEqual((await notified(both, path)).map(([hour, , text]: unknown[]) => `${hour} ${text}`).sort(), [
      '1 all',
      '1 all',
      '1 hot',
      '4 warm on cellar: resolved',
      '5 all',
    ]);
    const mute = { start: START, end: START + 2 * HOUR, triggers: [alarm.triggerId] };
    const muteId = await buildMute(ada, { ...mute, ...thenOf('deliver') });
    const late = await run(both, path);
    assert.deepEqual(
      late.body.backtest.firings.map(({ muted }: Fields) => muted),
      [true, true, false],
    );
    assert.deepEqual(
      late.body.backtest.deliveries.map(({ date, kind, sensor_id }: Fields) => [
        (Number(date) - START) / HOUR,
        kind,
        sensor_id,
      ]),
      [
        [2, 'fired', alarm.sensorId],
        [2, 'digest', null],
        [4, 'resolved', sensorId],
        [5, 'fired', sensorId],
      ],
    );
    assert.equal((await notified({ ...both, mutes: false }, path)).length, 5);
    await ada.api.delete(`/mutes/${muteId}`);
  });

  it('are none that you do not have, and bad input is named', async () => {
    const foreign = await buildNotification(eve);
    const own = await buildNotification(ada);
    const status = async (body: Fields) => {
      const response = await run({ trigger: warm, ...body });
      return [response.status, ...Object.keys(response.body.fields ?? {})];
    };
    assert.deepEqual(await status({ notifications: [{ id: foreign }] }), [404]);
    assert.deepEqual(await status({ notifications: [{ id: 'x' }] }), [404]);
    assert.deepEqual(await status({ notifications: [{ id: own }, { id: own }] }), [400, 'notifications']);
    assert.deepEqual(await status({ notifications: [{ id: own, after: -1 }] }), [400, 'notifications[0].after']);
    for (const acknowledge of [-1, 1.5, 604_801, 'soon'])
      assert.deepEqual(await status({ acknowledge }), [400, 'acknowledge']);
    assert.deepEqual(await status({ trigger: { ...warm, resolved_text: 'x'.repeat(10_001) } }), [
      400,
      'trigger.resolved_text',
    ]);
  });

  it('are compared with those of another rule, and the episodes of both are paired', async () => {
    const id = await buildNotification(ada, { text: '{{sensor_data_value}}' });
    const stricter = { expression: 'sensor_data_value > 31' };
    const trigger = { ...warm, notify_resolved: false };
    const { body } = await run({ trigger, compare: stricter, notifications: [{ id }] });
    const { comparison, summary } = body.backtest;
    const ends = { ended: START + 4 * HOUR, sensor_id: sensorId };
    assert.deepEqual(comparison, {
      both: [
        { date: START + HOUR, later: HOUR, other_ended: START + 4 * HOUR, ...ends },
        { date: START + 5 * HOUR, later: 0, other_ended: null, ...ends, ended: null },
      ],
      ...{ only_this: [], only_other: [], both_count: 2, only_this_count: 0, only_other_count: 0 },
      deliveries: [32, 33, 35, 35].map((value, index) => ({
        ...{ notification_id: id, sensor_id: sensorId, date: START + ([2, 3, 5, 6][index] ?? 0) * HOUR, kind: 'fired' },
        text: String(value),
      })),
      summary: {
        ...{ episodes: 2, firings: 4, deliveries: 4, at_night: 0, median_duration: 2 * HOUR },
        by_notification: [{ notification_id: id, deliveries: 4 }],
      },
    });
    assert.equal(summary.deliveries, 2);
    const none = (await run({ trigger, compare: { expression: 'sensor_data_value > 34' } })).body.backtest.comparison;
    assert.deepEqual([none.both_count, none.only_this], [1, [{ date: START + HOUR, ...ends }]]);
  });

  it('are compared with a saved trigger, by its own notifications, and of a saved trigger with a rule in its place', async () => {
    const alarm = await buildAlarm(ada, { trigger: warm, notifications: [] });
    const id = await buildNotification(ada, { text: 'hot' });
    await ada.api.post(`/triggers/${alarm.triggerId}/notifications`, { notification: { id } });
    const saved = (await run({ trigger: { expression: 'sensor_data_value > 40' }, compare: alarm.triggerId })).body;
    assert.deepEqual([saved.backtest.summary.deliveries, saved.backtest.comparison.summary.deliveries], [0, 3]);
    assert.equal(saved.backtest.comparison.only_other_count, 2);
    const compare = { expression: 'sensor_data_value > 34', repeat: 0 };
    const { backtest } = (await run({ compare }, `/triggers/${alarm.triggerId}/backtest`)).body;
    assert.deepEqual(
      backtest.comparison.deliveries.map(({ text, date }: Fields) => [text, (Number(date) - START) / HOUR]),
      [['hot', 5]],
    );
    const foreign = (await eve.api.post('/triggers', { trigger: { name: 'x', expression: 'true' } })).body.trigger.id;
    assert.equal((await run({ trigger: warm, compare: foreign })).status, 404);
    const wrong = await run({ trigger: warm, compare: { expression: '1 +' } });
    assert.equal(wrong.status, 400);
  });

  it('are counted in a summary', async () => {
    const id = await buildNotification(ada);
    const { summary } = (await run({ trigger: warm, notifications: [{ id }] })).body.backtest;
    assert.deepEqual(summary, {
      ...{ episodes: 2, firings: 2, deliveries: 3, at_night: 0, median_duration: 3 * HOUR },
      by_notification: [{ notification_id: id, deliveries: 3 }],
    });
  });
});
