import assert from 'node:assert/strict';
import type { RowDataPacket } from 'mysql2/promise';
import { buildNotification, buildSensor, buildTrigger, connectTrigger, create, upload } from '../support/factories';
import { useBystander, useReceiver, useStandingPlatform, useUser } from '../support/hooks';
import { until } from '../support/until';

const SENSORS = 30;
const NOTIFICATIONS = 20;
const DELIVERIES = SENSORS * NOTIFICATIONS;
/** As much as one expression may read, in as many expressions as a body may have characters for. */
const COSTLY = `{{${'lower('.repeat(90)}text${')'.repeat(90)} == "" ? 1 : 2}}`;

describe('an attack by templates', function () {
  this.timeout(300_000);
  const platform = useStandingPlatform();
  const bystander = useBystander(platform);
  const attacker = useUser(platform);
  const receiver = useReceiver();

  it('that read the largest values again and again, in 600 deliveries at once, delays nobody', async () => {
    const triggerId = await buildTrigger(attacker, { expression: 'length(sensor_data_value) > 1' });
    for (let index = 0; index < NOTIFICATIONS; index += 1) {
      const body = { costly: Array.from({ length: 25 }, () => COSTLY), large: '{{text}}'.repeat(50) };
      const id = await buildNotification(attacker, { destination: receiver.url, text: '$sensor_data_value', body });
      await create(attacker, `/triggers/${triggerId}/notifications`, { notification: { id } });
    }
    const sensorIds: string[] = [];
    for (let index = 0; index < SENSORS; index += 1) {
      const sensorId = await buildSensor(attacker, { data_type: 'string' });
      await connectTrigger(attacker, sensorId, triggerId);
      sensorIds.push(sensorId);
    }
    const ended = async () => {
      const [[row]] = await platform.pool.query<RowDataPacket[]>(
        "SELECT COUNT(*) AS total FROM deliveries WHERE owner_id = ? AND status <> 'pending'",
        [attacker.id],
      );
      return Number(row?.total);
    };
    await bystander.during(async () => {
      for (const sensorId of sensorIds) await upload(attacker, sensorId, { value: 'X'.repeat(60_000) });
      await until('the deliveries are made', async () => (await ended()) === DELIVERIES, 200_000);
    });
    const [{ rawBody } = assert.fail()] = receiver.received;
    assert.ok(rawBody.length < 70_000, `a body of ${rawBody.length} bytes`);
  });
});
