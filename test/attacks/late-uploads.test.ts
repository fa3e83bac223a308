import assert from 'node:assert/strict';
import type { ResultSetHeader } from 'mysql2/promise';
import { buildTrigger, createKey } from '../support/factories';
import { flood } from '../support/flood';
import { useBystander, useStandingPlatform, useUser } from '../support/hooks';

const SENSORS = 500;
const STORED = 1_000;
const UPLOADS = 150;
const POINT_EVERY_MS = 60_000;
/** The dates of the uploads are older than those that a process compares without MySQL. */
const LATE_S = 600;

describe('an attack by late uploads', function () {
  this.timeout(300_000);
  const platform = useStandingPlatform();
  const bystander = useBystander(platform);
  const attacker = useUser(platform);

  it(`of a point each for ${SENSORS} sensors with ${STORED} stored points delays nobody`, async () => {
    const { secret } = await createKey(attacker, { scopes: ['data:write', 'sensors:create'] });
    const attack = { url: `${platform.url}/api/v2/write?precision=s`, headers: { Authorization: `Token ${secret}` } };
    const nowS = Math.floor(Date.now() / 1_000);
    const lines = (value: number, dateS: number) =>
      Array.from({ length: SENSORS }, (_, room) => `late,room=r${room} value=${value} ${dateS}`).join('\n');
    assert.deepEqual(await flood({ ...attack, bodies: [lines(1, nowS)], count: 1 }), { 204: 1 });
    await connectAll(await buildTrigger(attacker, { expression: 'sensor_data_value > 1000000' }));
    await storeMore(nowS * 1_000);

    const bodies = Array.from({ length: UPLOADS }, (_, upload) => lines(upload, nowS - LATE_S - upload));
    let statuses: Record<string, number> = {};
    const seen = await bystander.during(async () => {
      statuses = await flood({ ...attack, bodies, count: UPLOADS, atOnce: 16, giveUpMs: 120_000 });
    });
    console.log(`      ${JSON.stringify(statuses)} ${JSON.stringify(seen)}`);
    const unexpected = Object.keys(statuses).filter((status) => !['204', '429'].includes(status));
    assert.deepEqual(unexpected, []);
    assert.ok((statuses['204'] ?? 0) > UPLOADS / 4, 'otherwise the platform was never attacked');
  });

  async function connectAll(triggerId: string): Promise<void> {
    const { body } = await attacker.api.get('/sensors?per_page=1000');
    const ids = body.sensors.map(({ id }: { id: string }) => id);
    const action = { connect_trigger: { id: triggerId, notifications: [] } };
    const connected = await attacker.api.post('/sensors/bulk', { sensors: ids, action });
    assert.deepEqual(connected.body, { done: SENSORS, failed: [] });
  }

  /** As if the sensors had reported for sixteen hours. */
  async function storeMore(beforeMs: number): Promise<void> {
    const numbers = `(WITH RECURSIVE n AS (SELECT 1 AS at UNION ALL SELECT at + 1 FROM n WHERE at < ${STORED}) SELECT at FROM n) n`;
    const [{ affectedRows }] = await platform.pool.query<ResultSetHeader>(
      `INSERT INTO data_points (sensor_id, date_ms, value, delay_s)
       SELECT s.id, ? - at * ${POINT_EVERY_MS}, '0', 0 FROM sensors s JOIN ${numbers} WHERE s.owner_id = ?`,
      [beforeMs, attacker.id],
    );
    assert.equal(affectedRows, SENSORS * STORED);
  }
});
