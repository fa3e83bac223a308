import assert from 'node:assert/strict';
import type { ResultSetHeader, RowDataPacket } from 'mysql2/promise';
import { upload } from '../support/factories';
import { buildFleet, someAtOnce } from '../support/fleet';
import { useBystander, useReceiver, useStandingPlatform, useUser } from '../support/hooks';
import { until } from '../support/until';

/** As many as a digest shows, after the one delivery that each notification gets by itself. */
const SENSORS = 101;
const NOTIFICATIONS = 20;
const ITEMS = (SENSORS - 1) * NOTIFICATIONS;
const WAIT_MS = 120_000;

describe('an attack by digests', function () {
  this.timeout(300_000);
  const platform = useStandingPlatform({ DIGEST_AFTER: '1' });
  const bystander = useBystander(platform);
  const attacker = useUser(platform);
  const receiver = useReceiver();

  const inDigests = async () => {
    const sql = 'SELECT COUNT(*) AS total FROM deliveries WHERE owner_id = ? AND digest_id IS NOT NULL';
    const [[row]] = await platform.pool.query<RowDataPacket[]>(sql, [attacker.id]);
    return Number(row?.total);
  };
  /** The minutes of the digests are over. */
  const endMinutes = async () => {
    const sql =
      "UPDATE deliveries SET next_attempt_ms = 1 WHERE owner_id = ? AND digest_minute_ms IS NOT NULL AND status = 'pending' AND lease IS NULL";
    const [{ affectedRows }] = await platform.pool.query<ResultSetHeader>(sql, [attacker.id]);
    return affectedRows;
  };

  it('of 100 of the largest values each, for 20 notifications at once, delays nobody', async () => {
    const { sensorIds } = await buildFleet(attacker, {
      sensors: SENSORS,
      trigger: { expression: 'length(sensor_data_value) > 1', repeat: 0 },
      notifications: Array.from({ length: NOTIFICATIONS }, (_, index) => ({
        destination: `${receiver.url}/${index}`,
        text: '$sensor_data_value',
        format: 'json',
        digest: true,
      })),
    });
    const digests = () =>
      receiver.received.flatMap(({ rawBody }) => {
        const { data } = JSON.parse(rawBody);
        return typeof data?.count === 'number' ? [Number(data.count)] : [];
      });
    const seen = await bystander.during(async () => {
      await someAtOnce(SENSORS, (index) => upload(attacker, sensorIds[index] ?? '', { value: 'X'.repeat(65_000) }));
      await until('the deliveries are aggregated', async () => (await inDigests()) >= ITEMS, WAIT_MS);
      assert.ok((await endMinutes()) >= NOTIFICATIONS);
      const sent = () => digests().reduce((sum, count) => sum + count, 0);
      await until('the digests arrive', async () => sent() >= ITEMS, WAIT_MS);
    });
    console.log(`      ${JSON.stringify(seen)} ${JSON.stringify(digests())}`);
  });
});
