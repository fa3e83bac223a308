import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { slack } from '../support/bystander';
import { buildNotification, buildSensor, buildTrigger, connectTrigger, create, upload } from '../support/factories';
import { buildFleet, someAtOnce } from '../support/fleet';
import { useBystander, useReceiver, useStandingPlatform, useUser } from '../support/hooks';
import { Stopwatch } from '../support/stopwatch';
import { until } from '../support/until';

const SENSORS = 300;
const NOTIFICATIONS = 20;
/** New deliveries of the attacker, in each of which the neighbour has an alert. */
const ROUNDS = 15;
const ROUND_MS = 1_000;
/** With 20 permits, 40 deliveries a second. */
const ANSWER_MS = 500;
const LATE_MS = 5_000;

describe('an attack by a backlog at a receiver of many accounts', function () {
  this.timeout(300_000);
  const platform = useStandingPlatform({ DIGEST_AFTER: '1000000' }, { apis: 2, workers: 2 });
  const bystander = useBystander(platform);
  const attacker = useUser(platform);
  const neighbour = useUser(platform);
  const receiver = useReceiver();

  it('of 6,000 critical deliveries of the highest priority, and new ones each second, delays no alert of others', async () => {
    const { sensorIds } = await buildFleet(attacker, {
      sensors: SENSORS,
      trigger: { expression: 'sensor_data_value > 0', severity: 'critical' },
      notifications: Array.from({ length: NOTIFICATIONS }, (_, index) => ({
        destination: `${receiver.url}/attacker/${index}`,
      })),
    });
    const own = await buildAlerts();
    receiver.responses.push(
      ...Array.from({ length: 10_000 }, () => (response: { end(): unknown }) => {
        setTimeout(() => response.end(), ANSWER_MS);
      }),
    );
    const [firstRound, inRound] = [SENSORS / 2, SENSORS / 2 / ROUNDS];
    let longestMs = 0;
    const seen = await bystander.during(async () => {
      await someAtOnce(firstRound, (index) => upload(attacker, sensorIds[index] ?? '', { value: 1 }));
      const alerts: Promise<void>[] = [];
      for (const [round, sensorId] of own.entries()) {
        const from = firstRound + round * inRound;
        await someAtOnce(inRound, (index) => upload(attacker, sensorIds[from + index] ?? '', { value: 1 }));
        alerts.push(
          arrival(sensorId).then((ms) => {
            longestMs = Math.max(longestMs, ms);
          }),
        );
        await sleep(ROUND_MS);
      }
      await Promise.all(alerts);
    });
    console.log(
      `      ${JSON.stringify(seen)}, an alert ${longestMs} ms late of ${receiver.received.length} deliveries`,
    );
    assert.ok(receiver.received.length < SENSORS * NOTIFICATIONS, 'a backlog is left');
    assert.ok(longestMs < LATE_MS * slack(), `an alert of somebody else came after ${longestMs} ms`);
  });

  /** Sensors of the neighbour with a notification at the same receiver. */
  async function buildAlerts(): Promise<string[]> {
    const triggerId = await buildTrigger(neighbour, { expression: 'sensor_data_value > 0' });
    const id = await buildNotification(neighbour, {
      destination: `${receiver.url}/neighbour`,
      text: 'own $sensor_id',
    });
    await create(neighbour, `/triggers/${triggerId}/notifications`, { notification: { id } });
    return someAtOnce(ROUNDS, async () => {
      const sensorId = await buildSensor(neighbour);
      await connectTrigger(neighbour, sensorId, triggerId);
      return sensorId;
    });
  }

  /** Uploads a point that fires. Returns how long its alert takes, in ms. */
  async function arrival(sensorId: string): Promise<number> {
    const watch = new Stopwatch();
    await upload(neighbour, sensorId, { value: 1 });
    const isHere = () => receiver.received.some(({ form }) => form.text === `own ${sensorId}`);
    await until('the alert arrives', isHere, 120_000);
    return watch.stop();
  }
});
