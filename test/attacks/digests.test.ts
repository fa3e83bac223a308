import { upload } from '../support/factories';
import { buildFleet, someAtOnce } from '../support/fleet';
import { useBystander, useReceiver, useStandingPlatform, useUser } from '../support/hooks';
import { until } from '../support/until';

/** Each notification gets 30 deliveries, and a digest that shows as many others as it may. */
const SENSORS = 140;
const NOTIFICATIONS = 20;
const WAIT_MS = 300_000;

describe('an attack by digests', function () {
  this.timeout(900_000);
  const platform = useStandingPlatform({}, { apis: 3, workers: 2 });
  const bystander = useBystander(platform);
  const attacker = useUser(platform);
  const receiver = useReceiver();

  it('of 100 of the largest values each, for 20 notifications at once, delays nobody', async () => {
    const { sensorIds } = await buildFleet(attacker, {
      sensors: SENSORS,
      trigger: { expression: 'length(sensor_data_value) > 1', repeat: 0 },
      notifications: Array.from({ length: NOTIFICATIONS }, (_, index) => ({
        destination: `${receiver.url}/${index}`,
        text: '$sensor_data_value',
        format: 'json',
      })),
    });
    await bystander.during(async () => {
      await someAtOnce(SENSORS, (index) => upload(attacker, sensorIds[index] ?? '', { value: 'X'.repeat(65_000) }));
      const digests = () => receiver.received.filter(({ rawBody }) => JSON.parse(rawBody).data.count >= 100);
      await until(
        'all digests arrive',
        async () => new Set(digests().map(({ path }) => path)).size === NOTIFICATIONS,
        WAIT_MS,
      );
    });
  });
});
