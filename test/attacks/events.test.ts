import assert from 'node:assert/strict';
import type { RowDataPacket } from 'mysql2/promise';
import { slack } from '../support/bystander';
import { buildNotification, buildSensor } from '../support/factories';
import { buildHistory } from '../support/heavy-account';
import { useBystander, useReceiver, useStandingPlatform, useUser } from '../support/hooks';
import { Stopwatch, timed } from '../support/stopwatch';
import { subscribe } from '../support/subscribe';
import { until } from '../support/until';

/** More than the API allows, as they may have been made before there was a limit. */
const EVENT_NOTIFICATIONS = 1_000;
const EVENTS = 100;
const EVENT_MS = 5_000;

describe('an attack by events and history', function () {
  this.timeout(300_000);
  const platform = useStandingPlatform();
  const bystander = useBystander(platform);
  const attacker = useUser(platform);
  const other = useUser(platform);
  const receiver = useReceiver();

  it('that matches 1,000 event notifications, 100 times at once, delays no event of others', async () => {
    const notificationId = await buildNotification(attacker, { text: 'a new sensor' });
    await platform.pool.query(
      'INSERT INTO event_notifications (owner_id, event, notification_id, created_ms) VALUES ?',
      [Array.from({ length: EVENT_NOTIFICATIONS }, () => [attacker.id, 'add_sensor', notificationId, 1])],
    );
    await subscribe(other, receiver.url, 'add_sensor');
    let longestMs = 0;
    const seen = await bystander.during(async () => {
      await Promise.all(Array.from({ length: EVENTS }, () => buildSensor(attacker)));
      for (let round = 0; round < 5; round += 1) {
        const watch = new Stopwatch();
        const sensorId = await buildSensor(other);
        const isHere = () => receiver.received.some(({ form }) => form.subject_id === sensorId);
        await until('the event of somebody else arrives', isHere);
        longestMs = Math.max(longestMs, watch.stop());
      }
    });
    assert.ok(longestMs < EVENT_MS * seen.slack, `an event of somebody else took ${longestMs} ms`);
  });

  it('by the deletion of an account with 300,000 points and 30,000 firings delays nobody', async () => {
    const user = await platform.user();
    await buildHistory(platform.pool, user, { points: 300_000, firings: 30_000, atMs: Date.now() });
    const left = async () => {
      const [[row]] = await platform.pool.query<RowDataPacket[]>(
        'SELECT COUNT(*) AS total FROM deliveries WHERE owner_id = ?',
        [user.id],
      );
      return Number(row?.total);
    };
    const allowed = slack();
    await bystander.during(async () => {
      const ms = await timed(async () => assert.equal((await user.api.delete(`/users/${user.id}`)).status, 200));
      assert.ok(ms < 2_000 * allowed, `the request took ${ms} ms`);
      platform.startPurge();
      // It needs several runs on a slow machine.
      await until('the purge is deleting the history', async () => (await left()) < 25_000, 200_000);
    });
  });
});
