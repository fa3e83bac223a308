import assert from 'node:assert/strict';
import type { RowDataPacket } from 'mysql2/promise';
import { buildNotification, create, upload } from '../support/factories';
import { buildFleet, someAtOnce } from '../support/fleet';
import { useBystander, useReceiver, useStandingPlatform, useUser } from '../support/hooks';
import { until } from '../support/until';

const SENSORS = 1_500;
const NOTIFICATIONS = 20;
const BUSY = 200;
const WAIT_MS = 200_000;

describe('an attack by ends of episodes', function () {
  this.timeout(900_000);
  const platform = useStandingPlatform({}, { apis: 3, workers: 2 });
  const bystander = useBystander(platform);
  const attacker = useUser(platform);
  const receiver = useReceiver();

  it('by an edit that ends 1,500 episodes with 20 notifications each, while points arrive, delays nobody', async () => {
    const { sensorIds, triggerId } = await buildFleet(attacker, {
      sensors: SENSORS,
      trigger: { expression: 'sensor_data_value > 0', repeat: 0, notify_resolved: true },
      notifications: [],
    });
    await someAtOnce(SENSORS, (index) => upload(attacker, sensorIds[index] ?? '', { value: 1 }));
    const lasting = async () => {
      const sql = 'SELECT COUNT(*) AS total FROM firings WHERE owner_id = ? AND is_lasting';
      const [[row]] = await platform.pool.query<RowDataPacket[]>(sql, [attacker.id]);
      return Number(row?.total);
    };
    await until('all have fired', async () => (await lasting()) === SENSORS, WAIT_MS);
    for (let index = 0; index < NOTIFICATIONS; index += 1) {
      const id = await buildNotification(attacker, { destination: `${receiver.url}/${index}` });
      await create(attacker, `/triggers/${triggerId}/notifications`, { notification: { id } });
    }
    await bystander.during(async () => {
      let isOver = false;
      const edit = attacker.api
        .put(`/triggers/${triggerId}`, { trigger: { expression: 'sensor_data_value > 0.5' } })
        .finally(() => {
          isOver = true;
        });
      for (let value = 2; !isOver; value += 1)
        await someAtOnce(BUSY, (index) => upload(attacker, sensorIds[index] ?? '', { value }));
      assert.equal((await edit).status, 200);
    });
  });
});
