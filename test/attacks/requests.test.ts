import assert from 'node:assert/strict';
import { buildTrigger } from '../support/factories';
import { flood } from '../support/flood';
import { useBystander, useStandingPlatform, useUser } from '../support/hooks';

const SENSORS = 10_000;
const DIGEST = 'a'.repeat(32);

describe('an attack by many requests', function () {
  this.timeout(300_000);
  const platform = useStandingPlatform();
  const bystander = useBystander(platform);
  // They log in before too many logins of their address have been refused.
  const users = [useUser(platform), useUser(platform), useUser(platform), useUser(platform)];

  it('for logins, 1,000 at once, takes neither the cores nor the threads that compress responses', async () => {
    let statuses: Record<string, number> = {};
    const bodies = Array.from({ length: 1_000 }, (_, index) =>
      JSON.stringify({ username: `nobody ${index}`, password: DIGEST }),
    );
    await bystander.during(async () => {
      statuses = await flood({ url: `${platform.url}/login`, bodies, count: bodies.length });
    });
    assert.ok((statuses[401] ?? 0) <= 110, JSON.stringify(statuses));
    assert.ok((statuses[429] ?? 0) >= 890, JSON.stringify(statuses));
  });

  it('with queries of 1,000 nested parameters and no session does not stop the process', async () => {
    const query = Array.from({ length: 1_000 }, (_, index) => `a${index}[b][c][d]=1`).join('&');
    let statuses: Record<string, number> = {};
    await bystander.during(async () => {
      statuses = await flood({ url: `${platform.url}/sensors?${query}`, method: 'GET', count: 2_000, atOnce: 100 });
    });
    assert.deepEqual(statuses, { 401: 2_000 });
  });

  it('for slow changes, 10 at once by each of 4 users, leaves connections for others', async () => {
    const changes: (() => Promise<Record<string, number>>)[] = [];
    for (const user of users) {
      const triggerId = await buildTrigger(user, { inactivity: 600 });
      await connectToMany(triggerId, user.id);
      const bodies = [800, 700].map((inactivity) => JSON.stringify({ trigger: { inactivity } }));
      const headers = { 'X-SESSION_ID': user.session };
      const url = `${platform.url}/triggers/${triggerId}`;
      changes.push(() => flood({ url, method: 'PUT', headers, bodies, count: 10, giveUpMs: 100_000 }));
    }
    let statuses: Record<string, number>[] = [];
    await bystander.during(async () => {
      statuses = await Promise.all(changes.map((change) => change()));
    });
    assert.deepEqual(statuses, Array(4).fill({ 200: 10 }));
  });

  /** Connects a trigger to many new sensors of its owner, and watches them. */
  async function connectToMany(triggerId: string, ownerId: string): Promise<void> {
    const sensors = Array.from({ length: SENSORS }, () => [ownerId, 'one of many', '', 1]);
    await platform.pool.query('INSERT INTO sensors (owner_id, name, data_structure, created_ms) VALUES ?', [sensors]);
    const nowMs = Date.now();
    await platform.pool.query(
      `INSERT INTO sensor_triggers (sensor_id, trigger_id, created_ms, inactive_since_ms, due_at_ms)
       SELECT id, ?, 1, ?, ? FROM sensors WHERE owner_id = ?`,
      [triggerId, nowMs, nowMs + 3_600_000, ownerId],
    );
  }
});
