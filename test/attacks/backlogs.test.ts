import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { slack } from '../support/bystander';
import {
  buildNotification,
  buildSensor,
  buildTrigger,
  connectNotification,
  connectTrigger,
  upload,
} from '../support/factories';
import { buildFleet, someAtOnce } from '../support/fleet';
import { useBystander, useReceiver, useStandingPlatform, useUser } from '../support/hooks';
import { Stopwatch } from '../support/stopwatch';
import { until } from '../support/until';

const SENSORS = 1_000;
const NOTIFICATIONS = 20;
const ROUNDS = 30;
const AFTER_S = 1;
const LATE_MS = 5_000;
/** As much as one expression may read, in as many expressions as a body may have characters for. */
const COSTLY = `{{${'lower('.repeat(90)}text${')'.repeat(90)} == "" ? 1 : 2}}`;

describe('an attack by a backlog', function () {
  this.timeout(900_000);
  const platform = useStandingPlatform({}, { apis: 3, workers: 2 });
  const bystander = useBystander(platform);
  const attacker = useUser(platform);
  const neighbour = useUser(platform);
  const receiver = useReceiver();

  it('of 20,000 costly deliveries to 20 receivers delays no escalation of others', async () => {
    const { sensorIds } = await buildFleet(attacker, {
      sensors: SENSORS,
      trigger: { expression: 'length(sensor_data_value) > 1' },
      notifications: Array.from({ length: NOTIFICATIONS }, (_, index) => ({
        destination: `http://127.0.0.${index + 2}:9/`,
        text: '$sensor_data_value',
        body: { costly: Array.from({ length: 25 }, () => COSTLY) },
      })),
    });
    const own = await buildEscalations();
    let longestMs = 0;
    await bystander.during(async () => {
      await someAtOnce(SENSORS, (index) => upload(attacker, sensorIds[index] ?? '', { value: 'X'.repeat(20_000) }));
      for (const sensorId of own) {
        const watch = new Stopwatch();
        await upload(neighbour, sensorId, { value: 1 });
        await until(
          'the escalation arrives',
          async () => receiver.received.some(({ form }) => form.text === `late ${sensorId}`),
          60_000,
        );
        longestMs = Math.max(longestMs, watch.stop() - AFTER_S * 1_000);
        await sleep(500);
      }
    });
    assert.ok(longestMs < LATE_MS * slack(), `an escalation of somebody else came ${longestMs} ms late`);
  });

  /** Sensors of the neighbour whose notification takes part a second after the beginning. */
  async function buildEscalations(): Promise<string[]> {
    const triggerId = await buildTrigger(neighbour, { expression: 'sensor_data_value > 0', repeat: 0 });
    const id = await buildNotification(neighbour, { destination: receiver.url, text: 'late $sensor_id' });
    return someAtOnce(ROUNDS, async () => {
      const sensorId = await buildSensor(neighbour);
      await connectTrigger(neighbour, sensorId, triggerId);
      await connectNotification(neighbour, sensorId, triggerId, id, AFTER_S);
      return sensorId;
    });
  }
});
