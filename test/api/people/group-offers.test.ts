import assert from 'node:assert/strict';
import type { RowDataPacket } from 'mysql2/promise';
import { buildGroup, buildSensor } from '../../support/factories';
import { accept, join, sensorsOf } from '../../support/groups';
import { usePlatform, useUser } from '../../support/hooks';

describe('sensors that are offered with a repeated join request', () => {
  const platform = usePlatform();
  const founder = useUser(platform);
  const user = useUser(platform);

  it('are shared at once for a member, and on acceptance for a user who waits', async () => {
    const [first, second] = [await buildSensor(user, { name: 'asked' }), await buildSensor(user)];
    const open = await buildGroup(founder, { public: 1 });
    await join(user, open);
    for (let times = 0; times < 2; times += 1) {
      assert.equal((await join(user, open, { sensors: [first, second] })).status, 201);
      assert.deepEqual(await sensorsOf(founder, open), [first, second]);
    }
    const closed = await buildGroup(founder);
    await join(user, closed, { sensors: [first] });
    assert.equal((await join(user, closed, { sensors: [second, first] })).body.users[0].accepted, false);
    assert.equal((await join(user, closed, { sensors: [await buildSensor(founder)] })).status, 404);
    assert.deepEqual(await sensorsOf(founder, closed), []);
    await accept(founder, closed, user);
    assert.deepEqual(await sensorsOf(founder, closed), [first, second]);
  });

  it('are limited to those that the group asks for without the right to add sensors', async () => {
    const [asked, extra] = [await buildSensor(user, { name: 'asked' }), await buildSensor(user)];
    for (const group of [{ public: 1 }, {}]) {
      const groupId = await buildGroup(founder, { ...group, default_add_sensors: 0 });
      await join(user, groupId);
      await founder.api.put(`/groups/${groupId}`, { group: { optional_sensors: ['asked'] } });
      assert.equal((await join(user, groupId, { sensors: [extra] })).status, 403);
      assert.equal((await join(user, groupId, { sensors: [asked] })).status, 201);
      await accept(founder, groupId, user);
      assert.deepEqual(await sensorsOf(founder, groupId), [asked]);
    }
  });

  it('are limited to 1,000 in total while the user waits', async () => {
    const groupId = await buildGroup(founder);
    const rows = Array.from({ length: 1_001 }, () => [user.id, 'many', '', 1]);
    const { pool } = platform.container.database;
    await pool.query('INSERT INTO sensors (owner_id, name, data_structure, created_ms) VALUES ?', [rows]);
    const [own] = await pool.query<RowDataPacket[]>("SELECT id FROM sensors WHERE name = 'many' ORDER BY id");
    const ids = own.map(({ id }) => String(id));
    assert.equal((await join(user, groupId, { sensors: ids.slice(0, 1_000) })).status, 201);
    const refused = await join(user, groupId, { sensors: ids.slice(1) });
    assert.equal(refused.status, 400);
    assert.match(refused.body.fields.sensors, /more than 1000/);
    assert.equal((await join(user, groupId, { sensors: ids.slice(0, 1_000) })).status, 201);
  });
});
