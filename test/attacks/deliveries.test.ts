import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buildNotification, buildSensor } from '../support/factories';
import { useBystander, useStandingPlatform, useUser } from '../support/hooks';

const RECEIVERS = 60;

describe('an attack by deliveries', function () {
  this.timeout(300_000);
  const platform = useStandingPlatform();
  const bystander = useBystander(platform);
  const attacker = useUser(platform);
  let servers: Server[];
  const held: ServerResponse[] = [];

  before(async () => {
    const hang = (_: unknown, response: ServerResponse) => void held.push(response);
    servers = await Promise.all(
      Array.from({ length: RECEIVERS }, async () => {
        const server = createServer(hang);
        await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
        return server;
      }),
    );
  });
  after(async () => {
    for (const server of servers) server.closeAllConnections();
    await Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))));
  });

  it('to 60 receivers that never respond, two to each with the highest priority, delays no other user', async () => {
    for (const server of servers) {
      const destination = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`; // it listens on a port
      const notificationId = await buildNotification(attacker, { destination });
      for (const suffix of ['a', 'b']) {
        const fields = { name: `${notificationId} ${suffix}`, event: 'add_sensor', priority: 400_000 };
        await attacker.api.post('/events/notifications', {
          event_notification: { ...fields, notification_id: notificationId },
        });
      }
    }
    await bystander.during(async () => {
      for (let round = 0; round < 3; round += 1) {
        await buildSensor(attacker);
        await new Promise((resolve) => setTimeout(resolve, 4_000));
      }
    });
  });
});
