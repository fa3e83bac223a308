import assert from 'node:assert/strict';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { RowDataPacket } from 'mysql2/promise';
import { buildNotification, buildSensor, buildTrigger, upload } from '../support/factories';
import { someAtOnce } from '../support/fleet';
import { useBystander, useStandingPlatform, useUser } from '../support/hooks';

const SENSORS = 150;
const NOTIFICATIONS = 20;
const RECEIVERS = SENSORS * NOTIFICATIONS;

describe('an attack by many receivers', function () {
  this.timeout(300_000);
  const platform = useStandingPlatform({}, { apis: 2, workers: 2 });
  const bystander = useBystander(platform);
  const attacker = useUser(platform);
  let server: Server;

  before(async () => {
    server = createServer(() => undefined);
    await new Promise<void>((resolve) => server.listen(0, '0.0.0.0', resolve));
  });
  after(() => {
    server.closeAllConnections();
    server.close();
  });

  it(`of ${RECEIVERS} deliveries to as many hosts that never answer delays nobody`, async () => {
    const { port } = server.address() as AddressInfo; // it listens on a port
    const trigger = await buildTrigger(attacker, { expression: 'sensor_data_value > 0', severity: 'critical' });
    const sensorIds = await someAtOnce(SENSORS, async (sensor) => {
      const id = await buildSensor(attacker);
      const notifications: string[] = [];
      for (let at = 0; at < NOTIFICATIONS; at += 1)
        notifications.push(
          await buildNotification(attacker, { destination: `http://127.${sensor}.${at}.7:${port}/`, text: 'x' }),
        );
      const action = { connect_trigger: { id: trigger, notifications } };
      assert.equal((await attacker.api.post('/sensors/bulk', { sensors: [id], action })).body.done, 1);
      return id;
    });
    const seen = await bystander.during(async () => {
      await someAtOnce(SENSORS, (at) => upload(attacker, sensorIds[at] ?? '', { value: 1 }));
      await new Promise((resolve) => setTimeout(resolve, 20_000));
    });
    const [[row]] = await platform.pool.query<RowDataPacket[]>(
      `SELECT COUNT(*) AS total, COALESCE(SUM(attempts > 0), 0) AS attempted, COALESCE(SUM(next_attempt_ms IS NULL), 0) AS throttled
       FROM deliveries WHERE owner_id = ?`,
      [attacker.id],
    );
    console.log(`      ${JSON.stringify(seen)} ${JSON.stringify(row)}`);
    assert.equal(Number(row?.total), RECEIVERS);
  });
});
