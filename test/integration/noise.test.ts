import assert from 'node:assert/strict';
import { runCancellable } from '../../src/storage/cancellation';
import { buildNotification, buildSensor, buildTrigger, connectTrigger } from '../support/factories';
import { usePlatform, useUser } from '../support/hooks';
import type { TestUser } from '../support/platform';
import { sentDuring } from '../support/sent-statements';

const DAY_MS = 86_400_000;
const MINUTE_MS = 60_000;
const FIRINGS = 20_000;
const START_MS = Date.UTC(2026, 9, 1);
const TRIGGERS = 4;

describe('the report on 20,000 firings', () => {
  const platform = usePlatform();
  const [ada, other] = [useUser(platform), useUser(platform)];

  /** A firing each minute, of one trigger after the other. */
  const fill = async (user: TestUser) => {
    const sensorId = await buildSensor(user);
    const triggerIds = await Promise.all(Array.from({ length: TRIGGERS }, () => buildTrigger(user)));
    for (const id of triggerIds) await connectTrigger(user, sensorId, id);
    const notificationId = await buildNotification(user);
    const pairs = await platform.query('SELECT id, trigger_id AS triggerId FROM sensor_triggers WHERE sensor_id = ?', [
      sensorId,
    ]);
    for (let from = 0; from < FIRINGS; from += 1_000) {
      const rows = Array.from({ length: 1_000 }, (_, at) => {
        const pair = pairs[(from + at) % TRIGGERS];
        const firedMs = START_MS + (from + at) * MINUTE_MS;
        return [
          user.id,
          sensorId,
          pair?.triggerId,
          pair?.id,
          'expression',
          firedMs,
          '{}',
          firedMs + 30_000,
          at % 50 === 0 ? firedMs : null,
        ];
      });
      await platform.query(
        'INSERT INTO firings (owner_id, sensor_id, trigger_id, sensor_trigger_id, reason, fired_ms, variables, ended_ms, acknowledged_ms) VALUES ?',
        [rows],
      );
    }
    await platform.query(
      `INSERT INTO deliveries (webhook_id, owner_id, notification_id, kind, type, destination, text, status, firing_id, sent_ms, created_ms)
       SELECT UUID(), owner_id, ?, 'firing', 'url', '', '', 'delivered', id, fired_ms, fired_ms FROM firings WHERE owner_id = ?`,
      [notificationId, user.id],
    );
    return Number(triggerIds[0]);
  };
  let triggerId = 0;
  before(async function () {
    this.timeout(120_000);
    await fill(other);
    triggerId = await fill(ada);
    await platform.query('ANALYZE TABLE firings, deliveries');
  });

  const range = { startMs: START_MS + 3 * DAY_MS, endMs: START_MS + 5 * DAY_MS };
  const page = { offset: 0, limit: 10, withTotal: false };
  const report = () =>
    platform.container.services.noise.report(
      Number(ada.id),
      { by: 'trigger', timezone: 'UTC', ...range, days: [] },
      page,
    );
  const plansOf = async (work: () => Promise<unknown>, table: string) => {
    const sent = (await sentDuring(work)).filter((sql) =>
      new RegExp(`^(/\\*.*?\\*/ )?SELECT[^;]*FROM ${table}\\s`, 's').test(sql),
    );
    assert.ok(sent.length > 0);
    return Promise.all(sent.map(async (sql) => (await platform.query(`EXPLAIN FORMAT=TRADITIONAL ${sql}`))[0]));
  };

  it('reads firings and deliveries by indexes, in order, and no points', async () => {
    const { summary } = await report();
    assert.deepEqual([summary.firings, summary.deliveries], [2 * 1_440, 2 * 1_440]);
    for (const plan of await plansOf(report, 'firings f')) {
      assert.deepEqual([plan?.type, plan?.key], ['range', 'firings_owner']);
      assert.ok(Number(plan?.rows) < 8_000, JSON.stringify(plan));
      assert.doesNotMatch(String(plan?.Extra), /filesort|temporary/);
    }
    for (const plan of await plansOf(report, 'deliveries')) {
      assert.deepEqual([plan?.type, plan?.key], ['range', 'deliveries_of_firing']);
    }
    const sent = await sentDuring(report);
    assert.deepEqual(
      sent.filter((sql) => /data_points|data_chunks/.test(sql)),
      [],
    );
  });

  it('finds the episodes of a trigger by an index', async () => {
    const suggest = () => platform.container.services.suggestions.suggest(Number(ada.id), range, triggerId);
    const plans = await plansOf(suggest, 'firings f JOIN');
    assert.equal(plans.length, 2);
    for (const plan of plans) assert.match(String(plan?.key), /^firings_/, JSON.stringify(plan));
  });

  it('is charged by what it counts, and ends when the client has left', async () => {
    const held: number[] = [];
    const closed = new AbortController();
    const account = { userId: Number(ada.id), hold: (bytes: number) => held.push(bytes) };
    const whole = { startMs: START_MS, endMs: START_MS + 20 * DAY_MS };
    const { noise } = platform.container.services;
    const asked = { by: 'notification', timezone: 'UTC', ...whole, days: [] } as const;
    await runCancellable(closed.signal, () => noise.report(Number(ada.id), asked, page), account);
    assert.ok(held.length > 5 && Number(held.at(-1)) > FIRINGS * 16, String(held));
    const leaving = { ...account, hold: () => closed.abort(new Error('gone')) };
    const work = runCancellable(closed.signal, () => noise.report(Number(ada.id), asked, page), leaving);
    await assert.rejects(work, /gone/);
  });
});
