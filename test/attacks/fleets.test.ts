import { setTimeout as sleep } from 'node:timers/promises';
import { create } from '../support/factories';
import { buildFleet, runMethod } from '../support/fleets';
import { useBystander, useStandingPlatform } from '../support/hooks';

const SENSORS = 2_000;
const FLEETS = 20;
const POINTS_PER_REQUEST = 1_000;
const ATTACK_MS = 20_000;

describe('an attack by fleets', function () {
  this.timeout(900_000);
  const platform = useStandingPlatform();
  const bystander = useBystander(platform);

  it('with 20 fleets of 2,000 sensors each delays nobody', async () => {
    const attacker = await platform.user();
    const ids: string[] = [];
    for (let from = 0; from < SENSORS; from += 100) {
      const made = Array.from({ length: 100 }, () => create(attacker, '/sensors', { sensor: { name: 'member' } }));
      ids.push(...(await Promise.all(made)).map(({ sensor }) => sensor.id));
    }
    const all = JSON.stringify({
      filter: { sensor_statement_groups: [[{ sensor_property: 'name', operator: 'equal', value: 'member' }]] },
    });
    for (let count = 0; count < FLEETS; count += 1) {
      const fleet = await buildFleet(attacker, ids[0] ?? '', { inactiveAfter: 1 });
      await runMethod(attacker, fleet, 'SetFilter', all);
    }
    await bystander.during(async () => {
      for (const endMs = performance.now() + ATTACK_MS; performance.now() < endMs; await sleep(100)) {
        for (let from = 0; from < SENSORS; from += POINTS_PER_REQUEST) {
          const sensors = ids.slice(from, from + POINTS_PER_REQUEST);
          const value = Math.random();
          await attacker.api.post('/sensors/data', {
            sensors: sensors.map((sensor_id) => ({ sensor_id, data: [{ value }] })),
          });
        }
      }
    });
  });
});
