import assert from 'node:assert/strict';
import type { ResultSetHeader } from 'mysql2/promise';
import { buildSensor, buildTrigger } from '../../support/factories';
import { usePlatform, useUser } from '../../support/hooks';

describe('the limit of triggers on a sensor', () => {
  const platform = usePlatform();
  const user = useUser(platform);

  it('is 100, whether they are connected one by one, as a list or simultaneously', async () => {
    const [sensorId, other, triggerId] = [await buildSensor(user), await buildSensor(user), await buildTrigger(user)];
    const rows = Array.from({ length: 101 }, () => [user.id, 't', 'sensor_data_value > 30', 1]);
    const { pool } = platform.container.database;
    const [made] = await pool.query<ResultSetHeader>(
      'INSERT INTO triggers (owner_id, name, expression, created_ms) VALUES ?',
      [rows],
    );
    const ids = rows.map((_, index) => String(made.insertId + index));
    const listOf = (some: string[]) => ({ triggers: some.map((id) => ({ trigger: { id } })) });
    const connect = (body: object, to = sensorId) => user.api.post(`/sensors/${to}/triggers`, body);
    const connected = async () => (await user.api.get(`/sensors/${sensorId}/triggers?total=1`)).body.total;

    const refused = await connect(listOf(ids));
    assert.deepEqual([refused.status, refused.body.code, await connected()], [409, 'conflict', 0]);
    assert.match(refused.body.error, /at most 100 triggers/);
    assert.equal((await connect(listOf(ids.slice(0, 98)))).status, 201);
    const atOnce = await Promise.all(ids.slice(98).map((id) => connect({ trigger: { id } })));
    assert.deepEqual(atOnce.map(({ status }) => status).sort(), [201, 201, 409]);
    assert.equal((await connect({ trigger: { id: triggerId } })).status, 409);
    assert.equal((await connect(listOf(ids.slice(0, 98)))).status, 201);
    assert.equal(await connected(), 100);
    assert.equal((await connect({ trigger: { id: triggerId } }, other)).status, 201);
    assert.equal((await user.api.delete(`/sensors/${sensorId}/triggers/${ids[0]}`)).status, 200);
    assert.equal((await connect({ trigger: { id: triggerId } })).status, 201);
  });
});
