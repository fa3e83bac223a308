import assert from 'node:assert/strict';
import type { RowDataPacket } from 'mysql2/promise';
import { slack } from '../support/bystander';
import { buildNotification, buildSensor } from '../support/factories';
import { someAtOnce } from '../support/fleet';
import { useBystander, useStandingPlatform, useUser } from '../support/hooks';
import { timed } from '../support/stopwatch';

const DELIVERIES = 40_000;
const SENSORS = 2_000;
const QUARANTINED = 100;
const IN_INSERT = 2_000;
const ROUNDS = 3;
const MOST_MS = 2_000;
const DAY_MS = 86_400_000;
const OPERATOR = { Authorization: `Basic ${Buffer.from('operator:board-password').toString('base64')}` };

describe('an attack by what operators look at', function () {
  this.timeout(600_000);
  const platform = useStandingPlatform();
  const bystander = useBystander(platform);
  const attacker = useUser(platform);

  /** A half failed, for a cause each; the others wait for their next attempt. */
  const insertDeliveries = async (notificationIds: readonly string[]) => {
    const nowMs = Date.now();
    for (let from = 0; from < DELIVERIES; from += IN_INSERT) {
      const rows = Array.from({ length: IN_INSERT }, (_, each) => {
        const index = from + each;
        const isFailed = index % 2 === 0;
        return [
          ...[
            'firing',
            `attack-${index}`,
            attacker.id,
            notificationIds[index % notificationIds.length],
            'url',
            'http://a.test/',
          ],
          ...[`r${index}.test:80`, 'x'.repeat(1_000), isFailed ? 'failed' : 'pending', isFailed ? 10 : 1, nowMs],
          ...[isFailed ? nowMs : null, isFailed ? null : nowMs + DAY_MS],
        ];
      });
      await platform.pool.query(
        `INSERT INTO deliveries (kind, webhook_id, owner_id, notification_id, type, destination, receiver, text, status, attempts,
           created_ms, finished_ms, next_attempt_ms) VALUES ?`,
        [rows],
      );
    }
    await platform.pool.query(
      `INSERT INTO delivery_attempts (delivery_id, date_ms, duration_ms, error)
       SELECT id, created_ms, 5, CONCAT('refused ', id, REPEAT('x', 200)) FROM deliveries WHERE owner_id = ? AND status = 'failed'`,
      [attacker.id],
    );
  };
  const quarantine = () =>
    platform.pool.query(
      'INSERT INTO quarantine (kind, thing_id, owner_id, deaths, paused_until_ms, since_ms, expires_ms, reason) VALUES ?',
      [
        Array.from({ length: QUARANTINED }, (_, index) => {
          const nowMs = Date.now();
          return ['service', 1_000_000 + index, attacker.id, 3, nowMs + DAY_MS, nowMs, nowMs + DAY_MS, 'x'.repeat(500)];
        }),
      ],
    );

  it('which is all at its bounds delays nobody, and every page is there soon', async () => {
    await someAtOnce(SENSORS, () => buildSensor(attacker));
    const notificationIds = await someAtOnce(100, (index) =>
      buildNotification(attacker, { destination: `http://r${index}.test/` }),
    );
    await insertDeliveries(notificationIds);
    await quarantine();
    const [[row]] = await platform.pool.query<RowDataPacket[]>('SELECT COUNT(*) AS total FROM deliveries');
    assert.ok(Number(row?.total) >= DELIVERIES);
    const pages = ['/admin', '/admin/users', '/admin/users?sort=deliveries', `/admin/users/${attacker.id}`, '/metrics'];
    const allowed = slack();
    const took: [page: string, ms: number][] = [];
    const seen = await bystander.during(async () => {
      for (let round = 0; round < ROUNDS; round += 1)
        for (const page of pages) {
          const ms = await timed(async () => {
            const answer = await fetch(platform.url + page, { headers: OPERATOR });
            assert.equal(answer.status, 200, `${page}: ${await answer.text()}`);
          });
          took.push([page, Math.round(ms)]);
        }
    });
    console.log(`      ${JSON.stringify(seen)} ${JSON.stringify(took)}`);
    for (const [page, ms] of took) assert.ok(ms < MOST_MS * allowed, `${page} took ${ms} ms`);
  });
});
