import assert from 'node:assert/strict';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { RowDataPacket } from 'mysql2/promise';
import { AUTHORITY } from '../support/certificates';
import { buildNotification, buildSensor, buildTrigger, connectTrigger, create, upload } from '../support/factories';
import { useBystander, useStandingPlatform, useUser } from '../support/hooks';
import type { TestUser } from '../support/platform';
import { until } from '../support/until';

const SENSORS = 10;
const LARGE = 'a'.repeat(65_000);
const AUTHORITIES = 30;
/** More than each of them needs while the others run. */
const ENDED_MS = 200_000;

describe('an attack by the receivers of webhooks', function () {
  this.timeout(400_000);
  const platform = useStandingPlatform({ RATE_LIMIT_TESTS: '0' });
  const bystander = useBystander(platform);
  const attacker = useUser(platform);
  let receiver: Server;
  let url: string;
  let answered = 0;

  before(async () => {
    receiver = createServer({ maxHeaderSize: 65_536 }, (request, response) => {
      request.resume().on('end', () => {
        answered += 1;
        response.end('a'.repeat(20_000));
      });
    });
    await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
    url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/`; // it listens on a port
  });
  after(() => {
    receiver.closeAllConnections();
    receiver.close();
  });

  /** Sensors whose points of long texts fire a trigger with these notifications. */
  const buildSensors = async (notificationIds: readonly string[]) => {
    const triggerId = await buildTrigger(attacker, { expression: 'length(sensor_data_value) > 1' });
    for (const id of notificationIds)
      await create(attacker, `/triggers/${triggerId}/notifications`, { notification: { id } });
    const sensorIds: string[] = [];
    for (let index = 0; index < SENSORS; index += 1) {
      const sensorId = await buildSensor(attacker, { data_type: 'string' });
      await connectTrigger(attacker, sensorId, triggerId);
      sensorIds.push(sensorId);
    }
    return sensorIds;
  };
  const attempted = async ({ id }: TestUser) => {
    const [[row]] = await platform.pool.query<RowDataPacket[]>(
      'SELECT COUNT(DISTINCT d.id) AS total FROM deliveries d JOIN delivery_attempts a ON a.delivery_id = d.id WHERE d.owner_id = ?',
      [id],
    );
    return Number(row?.total);
  };

  it('with ten headers of many parts, large bodies and large answers delays nobody', async () => {
    const notificationId = await buildNotification(attacker, { destination: url, text: '$sensor_data_value' });
    await plantHeaders(notificationId);
    const sensorIds = await buildSensors([notificationId]);
    const seen = await bystander.during(async () => {
      for (const id of sensorIds) await upload(attacker, id, { value: LARGE });
      await until('all are sent', async () => answered >= SENSORS, ENDED_MS);
    });
    console.log(`      ${JSON.stringify(seen)}`);
    const [rows] = await platform.pool.query<RowDataPacket[]>(
      'SELECT request_body AS sent FROM delivery_attempts a JOIN deliveries d ON d.id = a.delivery_id WHERE d.owner_id = ?',
      [attacker.id],
    );
    assert.deepEqual(
      [...new Set(rows.map(({ sent }) => sent))],
      ['…'],
      'nothing of what could not be searched is kept',
    );
  });

  it('with an authority each for 30 notifications delays nobody', async () => {
    const before = await attempted(attacker);
    const ids: string[] = [];
    for (let index = 0; index < AUTHORITIES; index += 1) {
      const id = await buildNotification(attacker, { destination: `https://127.0.0.1:9/${index}` });
      await platform.pool.query('UPDATE notifications SET ca_certificate = ? WHERE id = ?', [
        `# ${index}\n${AUTHORITY}`,
        id,
      ]);
      ids.push(id);
    }
    const seen = await bystander.during(async () => {
      for (let round = 0; round < 3; round += 1)
        for (const id of ids) await attacker.api.post(`/notifications/${id}/test?wait=0`);
      await until('all are attempted', async () => (await attempted(attacker)) >= before + AUTHORITIES, ENDED_MS);
    });
    console.log(`      ${JSON.stringify(seen)}`);
  });

  it('with templates at all their bounds, on ten sensors with ten notifications, delays nobody', async () => {
    const before = await attempted(attacker);
    const ids: string[] = [];
    for (let index = 0; index < 10; index += 1) {
      const costly = `{{length(escape(escape(escape(cut(text, ${65_000 - index})))))}}`;
      const body = { costly: Array.from({ length: 98 }, () => costly), large: '{{text}}{{text}}' };
      ids.push(
        await buildNotification(attacker, {
          destination: `${url}{{cut(text, 500)}}`,
          text: '$sensor_data_value',
          body,
        }),
      );
    }
    const sensorIds = await buildSensors(ids);
    const seen = await bystander.during(async () => {
      for (const id of sensorIds) await upload(attacker, id, { value: '&'.repeat(65_000) });
      const wanted = before + ids.length * SENSORS;
      await until('all are attempted', async () => (await attempted(attacker)) >= wanted, ENDED_MS);
    });
    console.log(`      ${JSON.stringify(seen)}`);
  });

  /** Ten different headers of the largest size, which are more than a request may have together. */
  async function plantHeaders(notificationId: string): Promise<void> {
    const sealed: Record<string, string> = {};
    for (let pair = 0; pair < 5; pair += 1) {
      const numbers = [2 * pair, 2 * pair + 1];
      const headers = Object.fromEntries(numbers.map((number) => [`X-${number}`, manyParts(number)]));
      const id = await buildNotification(attacker, { destination: url, headers });
      const [[row]] = await platform.pool.query<RowDataPacket[]>('SELECT headers FROM notifications WHERE id = ?', [
        id,
      ]);
      Object.assign(sealed, JSON.parse(row?.headers));
    }
    await platform.pool.query('UPDATE notifications SET headers = ? WHERE id = ?', [
      JSON.stringify(sealed),
      notificationId,
    ]);
  }
});

/** A header of 570 parts, which no other header has, and which nearly are in a text of many `a`. */
function manyParts(number: number): string {
  const parts = Array.from({ length: 570 }, (_, index) => `=aa${((number + 6) * 570 + index).toString(36)}`);
  return `x=b ${parts.join(' ')}`.slice(0, 3_990);
}
