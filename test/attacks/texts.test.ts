import assert from 'node:assert/strict';
import type { RowDataPacket } from 'mysql2/promise';
import { upload } from '../support/factories';
import { buildFleet, someAtOnce } from '../support/fleet';
import { useBystander, useReceiver, useStandingPlatform, useUser } from '../support/hooks';
import { until } from '../support/until';

const SENSORS = 100;
const NOTIFICATIONS = 20;
const ROUNDS = 2;
const MAX_TEXT = 10_000;
const WAIT_MS = 60_000;
/** Costly for each character, and short in the result. */
const COSTLY = '{{date(sensor_data_value.t, "Europe/Berlin")}}';

describe('an attack by texts of notifications', function () {
  this.timeout(300_000);
  const platform = useStandingPlatform();
  const bystander = useBystander(platform);
  const attacker = useUser(platform);
  const receiver = useReceiver();

  it('of the longest length, for 20 notifications of 100 sensors that fire and end at once, delays nobody', async () => {
    const text = COSTLY.repeat(MAX_TEXT / COSTLY.length);
    const { sensorIds } = await buildFleet(attacker, {
      sensors: SENSORS,
      trigger: { expression: 'sensor_data_value.t > 1', repeat: 0, notify_resolved: true, resolved_text: text },
      notifications: Array.from({ length: NOTIFICATIONS }, (_, at) => ({ destination: `${receiver.url}/${at}`, text })),
    });
    const written = async () => {
      const sql = 'SELECT COUNT(*) AS total FROM deliveries WHERE owner_id = ? AND firing_id > 0';
      const [[row]] = await platform.pool.query<RowDataPacket[]>(sql, [attacker.id]);
      return Number(row?.total);
    };
    const list = Array.from({ length: 6_000 }, (_, at) => at);
    const seen = await bystander.during(async () => {
      for (let round = 0; round < ROUNDS; round += 1) {
        for (const t of [1_700_000_000 + round, 0])
          await someAtOnce(SENSORS, (at) => upload(attacker, sensorIds[at] ?? '', { value: { t, list } }));
      }
      await until('all deliveries are written', async () => (await written()) >= SENSORS * NOTIFICATIONS, WAIT_MS);
    });
    assert.ok(seen.beats > 3);
    console.log(`      ${JSON.stringify(seen)} ${await written()} deliveries`);
  });
});
