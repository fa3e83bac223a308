import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { buildSensor, buildTrigger, connectTrigger } from '../support/factories';
import { flood } from '../support/flood';
import { useBystander, useStandingPlatform, useUser } from '../support/hooks';

/** The most that a sensor may have. */
const TRIGGERS = 100;
const SENSORS = 4;
const ACCOUNTS = 30;
const TRIGGERS_OF_EACH = 50;
/** What they have uploaded waits for longer than this. */
const WAITING_MS = 15_000;

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

  it('that are long and too many for the cache delays only their owner', async () => {
    const headers = { 'X-SESSION_ID': attacker.session };
    const bodies = ['{"value":0}'];
    await bystander.during(async () => {
      const urls = sensorIds.map((sensorId) => `${platform.url}/sensors/${sensorId}/data`);
      const floods = urls.map((url) => flood({ url, headers, bodies, count: 4_000, atOnce: 16 }));
      const statuses = Object.assign({}, ...(await Promise.all(floods)));
      assert.deepEqual(Object.keys(statuses), ['201']);
    });
  });

  it(`of ${ACCOUNTS} accounts, each within its share, does not delay others for long`, async () => {
    const accounts = await Promise.all(Array.from({ length: ACCOUNTS }, () => platform.user()));
    const uploads = await Promise.all(
      accounts.map(async (user, account) => {
        const sensorId = await buildSensor(user);
        for (let index = 0; index < TRIGGERS_OF_EACH; index += 1) {
          const expression = `${account * TRIGGERS_OF_EACH + index} > ${'1+'.repeat(980)}sensor_data_value`;
          await connectTrigger(user, sensorId, await buildTrigger(user, { expression }));
        }
        return { url: `${platform.url}/sensors/${sensorId}/data`, headers: { 'X-SESSION_ID': user.session } };
      }),
    );
    const bodies = [JSON.stringify({ data: Array.from({ length: 100 }, (_, value) => ({ value })) })];
    const seen = await bystander.during(async () => {
      await Promise.all(uploads.map(({ url, headers }) => flood({ url, headers, bodies, count: 20, atOnce: 2 })));
      await sleep(WAITING_MS);
    });
    console.log(`      ${JSON.stringify(seen)}`);
  });
});
