import { type AddressInfo, createServer, type Server } from 'node:net';
import tls from 'node:tls';
import type { RowDataPacket } from 'mysql2/promise';
import { SERVER } from '../support/certificates';
import { buildMqttSource, upload } from '../support/factories';
import { buildFleet, someAtOnce } from '../support/fleet';
import { useBystander, useStandingPlatform, useUser } from '../support/hooks';
import { until } from '../support/until';

const SENSORS = 20;
/** Receivers that fail get few attempts at a time. */
const ATTEMPTED = 100;
const NOTIFICATIONS = 20;
const SOURCES = 20;
const WAIT_MS = 200_000;

describe('an attack by handshakes that fail', function () {
  this.timeout(600_000);
  const platform = useStandingPlatform({}, { apis: 2, workers: 2 });
  const bystander = useBystander(platform);
  const attacker = useUser(platform);
  const servers: Server[] = [];

  const listen = async (server: Server) => {
    await new Promise<void>((resolve) => server.listen(0, '0.0.0.0', resolve));
    servers.push(server);
    return (server.address() as AddressInfo).port; // it listens on a port
  };
  after(() => {
    for (const server of servers) server.close();
  });
  const attempted = async () => {
    const sql =
      'SELECT COUNT(DISTINCT a.delivery_id) AS total FROM delivery_attempts a JOIN deliveries d ON d.id = a.delivery_id WHERE d.owner_id = ?';
    const [[row]] = await platform.pool.query<RowDataPacket[]>(sql, [attacker.id]);
    return Number(row?.total);
  };

  it(`by ${SENSORS * NOTIFICATIONS} deliveries and ${SOURCES} sources, each with its own authority, delays nobody`, async () => {
    // One shows what no authority of the attacker has signed, the other says nothing that is TLS.
    const untrusted = await listen(tls.createServer(SERVER));
    const noTls = await listen(createServer((socket) => socket.on('error', () => undefined).end('no TLS\r\n')));
    const { sensorIds, notificationIds } = await buildFleet(attacker, {
      sensors: SENSORS,
      trigger: { expression: 'sensor_data_value > 0' },
      notifications: Array.from({ length: NOTIFICATIONS }, (_, index) => ({
        ...{ destination: `https://127.0.${index}.1:${index % 2 === 0 ? untrusted : noTls}/`, text: 'x' },
      })),
    });
    const authorityOf = (index: number) => `# ${index}\n${tls.rootCertificates[index] ?? ''}`;
    for (const [index, id] of notificationIds.entries())
      await platform.pool.query('UPDATE notifications SET ca_certificate = ? WHERE id = ?', [authorityOf(index), id]);
    const seen = await bystander.during(async () => {
      for (let index = 0; index < SOURCES; index += 1) {
        const url = `mqtts://127.1.${index}.1:${index % 2 === 0 ? untrusted : noTls}`;
        const id = await buildMqttSource(attacker, { url });
        await platform.pool.query('UPDATE mqtt_sources SET ca_certificate = ? WHERE id = ?', [authorityOf(index), id]);
      }
      await someAtOnce(SENSORS, (index) => upload(attacker, sensorIds[index] ?? '', { value: 1 }));
      await until('many are attempted', async () => (await attempted()) >= ATTEMPTED, WAIT_MS);
    });
    console.log(`      ${JSON.stringify(seen)}`);
  });
});
