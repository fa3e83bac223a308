import assert from 'node:assert/strict';
import type { RowDataPacket } from 'mysql2/promise';
import { buildGroup, buildSensor, buildTrigger, connectTrigger } from '../support/factories';
import { accept, join } from '../support/groups';
import { usePlatform, useUser } from '../support/hooks';
import type { TestUser } from '../support/platform';
import { sentDuring } from '../support/sent-statements';

const DOUBLINGS = Number(process.env.FIRING_DOUBLINGS ?? 14);
const HISTORY = 2 ** DOUBLINGS;
const REPEATS = 4;
const MINUTE_MS = 60_000;

describe(`open alerts of triggers with ${HISTORY} ended ones`, () => {
  const platform = usePlatform();
  const [owner, member] = [useUser(platform), useUser(platform)];
  let triggerId = '';

  before(async function () {
    this.timeout(120_000);
    const groupId = await buildGroup(owner);
    await join(member, groupId);
    await accept(owner, groupId, member, { group_permissions: { see_alerts: true, handle_alerts: true } });
    triggerId = await fill(owner, { group_id: groupId });
    await fill(member, {});
    await platform.query('ANALYZE TABLE firings, triggers, group_users');
  });

  /** A history of ended alerts, and one that is open, with repeats. */
  const fill = async (user: TestUser, fields: Record<string, unknown>) => {
    const [sensor, trigger] = [await buildSensor(user), await buildTrigger(user, fields)];
    await connectTrigger(user, sensor, trigger);
    const [pair] = await platform.query('SELECT id FROM sensor_triggers WHERE trigger_id = ?', [trigger]);
    const columns = 'owner_id, sensor_id, trigger_id, sensor_trigger_id, reason, variables';
    const start = Date.now() - (HISTORY + REPEATS + 1) * MINUTE_MS;
    await platform.query(`INSERT INTO firings (${columns}, fired_ms, ended_ms) VALUES (?)`, [
      [user.id, sensor, trigger, pair?.id, 'expression', '{"sensor_data_value":"31"}', start, start],
    ]);
    for (let count = 1; count < HISTORY; count *= 2) {
      await platform.query(
        `INSERT INTO firings (${columns}, fired_ms, ended_ms)
         SELECT ${columns}, fired_ms + ?, ended_ms + ? FROM firings WHERE sensor_trigger_id = ?`,
        [count * MINUTE_MS, count * MINUTE_MS, pair?.id],
      );
    }
    const [last] = await platform.query('SELECT MAX(id) AS id FROM firings WHERE sensor_trigger_id = ?', [pair?.id]);
    for (let at = 0; at <= REPEATS; at += 1) {
      await platform.query(
        `INSERT INTO firings (id, ${columns}, fired_ms, is_lasting, episode_id)
         SELECT ? + ?, ${columns}, ? + ? * ${MINUTE_MS}, ? = 0, IF(? = 0, NULL, ? + 1) FROM firings WHERE id = ?`,
        [last?.id, at + 1, start + HISTORY * MINUTE_MS, at, at, at, last?.id, last?.id],
      );
    }
    return trigger;
  };

  /** What MySQL reads for the list. With repeats, MariaDB also skips entries of an index, and counts them apart. */
  const readFor = async ({ api }: TestUser, query: string) => {
    const answer = { found: 0, total: 0 };
    const sent = await sentDuring(async () => {
      const { status, body } = await api.get(`/firings?state=firing&total=1&${query}`);
      assert.equal(status, 200, JSON.stringify(body));
      Object.assign(answer, { found: body.firings.length, total: body.total });
    });
    const connection = await platform.container.database.pool.getConnection();
    try {
      await connection.query('FLUSH STATUS');
      for (const sql of sent.filter((text) => /firings_lasting/.test(text))) await connection.query(sql);
      const which = query.includes('repeats=false')
        ? "LIKE 'Handler_read%' OR Variable_name LIKE 'Handler_icp%'"
        : "LIKE 'Handler_read%'";
      const [rows] = await connection.query<RowDataPacket[]>(`SHOW SESSION STATUS WHERE Variable_name ${which}`);
      return { ...answer, read: rows.reduce((sum, { Value }) => sum + Number(Value), 0) };
    } finally {
      connection.release();
    }
  };

  for (const [query, count] of [
    ['repeats=false', 1],
    ['', REPEATS + 1],
  ] as const) {
    it(`are read without the history, ${count === 1 ? 'alone' : 'with their repeats'}`, async () => {
      const own = await readFor(owner, query);
      assert.deepEqual([own.found, own.total], [count, count]);
      assert.ok(own.read < 500, `${own.read} rows`);
      const seen = await readFor(member, query);
      assert.deepEqual([seen.found, seen.total], [2 * count, 2 * count]);
      assert.ok(seen.read < 500, `${seen.read} rows`);
      const ofOne = await readFor(owner, `${query}&trigger_id=${triggerId}`);
      assert.equal(ofOne.found, count);
      assert.ok(ofOne.read < 500, `${ofOne.read} rows`);
    });
  }
});
