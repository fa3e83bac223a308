import assert from 'node:assert/strict';
import { buildSensor, buildTrigger, connectTrigger } from '../support/factories';
import { flood } from '../support/flood';
import { useBystander, useStandingPlatform, useUser } from '../support/hooks';

/** The most that a sensor may have. */
const TRIGGERS = 100;
const SENSORS = 4;

describe('an attack by expressions', function () {
  this.timeout(300_000);
  const platform = useStandingPlatform();
  const bystander = useBystander(platform);
  const attacker = useUser(platform);
  const sensorIds: string[] = [];

  before(async () => {
    for (let sensor = 0; sensor < SENSORS; sensor += 1) {
      const sensorId = await buildSensor(attacker);
      sensorIds.push(sensorId);
      for (let index = 0; index < TRIGGERS; index += 1) {
        const expression = `${sensor * TRIGGERS + index} > ${'1+'.repeat(980)}sensor_data_value`;
        await connectTrigger(attacker, sensorId, await buildTrigger(attacker, { expression }));
      }
    }
  });

  it('that are long and too many to be remembered delays only their owner', async () => {
    const headers = { 'X-SESSION_ID': attacker.session };
    const bodies = ['{"value":0}'];
    await bystander.during(async () => {
      const urls = sensorIds.map((sensorId) => `${platform.url}/sensors/${sensorId}/data`);
      const floods = urls.map((url) => flood({ url, headers, bodies, count: 4_000, atOnce: 16 }));
      const statuses = Object.assign({}, ...(await Promise.all(floods)));
      assert.deepEqual(Object.keys(statuses), ['201']);
    });
  });
});
