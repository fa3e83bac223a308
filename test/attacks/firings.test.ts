import assert from 'node:assert/strict';
import type { RowDataPacket } from 'mysql2/promise';
import { buildNotification, buildTrigger, create, createKey } from '../support/factories';
import { someAtOnce } from '../support/fleet';
import { useBystander, useReceiver, useStandingPlatform, useUser } from '../support/hooks';
import { until } from '../support/until';

/** As many as may fire in one pass. */
const SENSORS = 500;
const NOTIFICATIONS = 20;
const MAX_TEXT = 10_000;
const WAIT_MS = 120_000;

describe('an attack by firings', function () {
  this.timeout(300_000);
  const platform = useStandingPlatform({}, { apis: 2, workers: 2 });
  const bystander = useBystander(platform);
  const attacker = useUser(platform);
  const receiver = useReceiver();
  let secret = '';

  before(async () => {
    ({ secret } = await createKey(attacker, { scopes: ['data:write', 'sensors:create'] }));
  });

  const lines = (value: number) => Array.from({ length: SENSORS }, (_, at) => `m,s=${at} value=${value}`).join('\n');
  const write = async (value: number) => {
    const headers = { Authorization: `Token ${secret}` };
    const response = await fetch(`${platform.url}/api/v2/write`, { method: 'POST', headers, body: lines(value) });
    assert.equal(response.status, 204, await response.text());
  };

  it(`of ${SENSORS} sensors in one request, with 40 notifications each whose texts are the longest, delays nobody`, async () => {
    await write(0);
    const sensorIds = (await attacker.api.get('/sensors?per_page=1000')).body.sensors.map(
      ({ id }: { id: string }) => id,
    );
    assert.equal(sensorIds.length, SENSORS);
    const trigger = await buildTrigger(attacker, { expression: 'sensor_data_value > 0', notify_resolved: true });
    const ids = await someAtOnce(2 * NOTIFICATIONS, (at) =>
      buildNotification(attacker, { destination: `${receiver.url}/${at}`, text: `${at} ${'x'.repeat(MAX_TEXT - 10)}` }),
    );
    for (const id of ids.slice(NOTIFICATIONS))
      await create(attacker, `/triggers/${trigger}/notifications`, { notification: { id } });
    const action = { connect_trigger: { id: trigger, notifications: ids.slice(0, NOTIFICATIONS) } };
    const { body } = await attacker.api.post('/sensors/bulk', { sensors: sensorIds, action });
    assert.equal(body.done, SENSORS, JSON.stringify(body));
    const written = async () => {
      const sql = 'SELECT COUNT(*) AS total FROM deliveries WHERE owner_id = ? AND firing_id > 0';
      const [[row]] = await platform.pool.query<RowDataPacket[]>(sql, [attacker.id]);
      return Number(row?.total);
    };
    const seen = await bystander.during(async () => {
      await write(1);
      await until('all firings are written', async () => (await written()) >= SENSORS * 2 * NOTIFICATIONS, WAIT_MS);
      await write(0);
      await until('all ends are written', async () => (await written()) >= 2 * SENSORS * 2 * NOTIFICATIONS, WAIT_MS);
    });
    console.log(`      ${JSON.stringify(seen)}`);
  });
});
