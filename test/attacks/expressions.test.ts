import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ResultSetHeader } from 'mysql2/promise';
import { buildSensor, buildTrigger, connectTrigger, create, upload } from '../support/factories';
import { flood } from '../support/flood';
import { useBystander, useStandingPlatform, useUser } from '../support/hooks';
import type { TestUser } from '../support/platform';

/** The most that a sensor may have. */
const TRIGGERS = 100;
const SENSORS = 4;
const ACCOUNTS = 30;
const TRIGGERS_OF_EACH = 50;
/** What they have uploaded waits for longer than this. */
const WAITING_MS = 15_000;
const COLD_SENSORS = 30;
const ROUNDS = 15;
const ROUND_MS = 1_000;
const LONG = `${'1+'.repeat(980)}sensor_data_value`;

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
      await connectTriggers(attacker, sensorId, sensor * TRIGGERS, TRIGGERS);
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
    // The worker would evaluate the remaining points for another minute, which no check needs.
    const { body } = await attacker.api.post('/sensors/bulk', { sensors: sensorIds, action: { delete: {} } });
    assert.equal(body.done, SENSORS);
  });

  it(`of ${ACCOUNTS} accounts, each within its share, does not delay others for long`, async () => {
    const accounts = await Promise.all(Array.from({ length: ACCOUNTS }, () => platform.user()));
    const uploads = await Promise.all(
      accounts.map(async (user, account) => {
        const sensorId = await buildSensor(user);
        await connectTriggers(user, sensorId, account * TRIGGERS_OF_EACH, TRIGGERS_OF_EACH);
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

  it(`on ${COLD_SENSORS} sensors, whose 3,000 rules each edit lets passes read again, delay only their owner`, async () => {
    const cold: string[] = [];
    for (let sensor = 0; sensor < COLD_SENSORS; sensor += 1) {
      const sensorId = await buildSensor(attacker);
      cold.push(sensorId);
      await connectTriggers(attacker, sensorId, (SENSORS + sensor) * TRIGGERS, TRIGGERS, true);
    }
    const own = await buildTrigger(attacker, { expression: 'sensor_data_value > 0' });
    // One in each partition: an edit of the trigger makes what is cached of both stale.
    for (let sensor = 0; sensor < 2; sensor += 1) await connectTrigger(attacker, await buildSensor(attacker), own);
    const seen = await bystander.during(async () => {
      for (let value = 0; value < ROUNDS; value += 1) {
        await Promise.all(cold.map((sensorId) => upload(attacker, sensorId, { value })));
        await attacker.api.put(`/triggers/${own}`, { trigger: { expression: `sensor_data_value > ${value}` } });
        await sleep(ROUND_MS);
      }
    });
    console.log(`      ${JSON.stringify(seen)}`);
    const { body } = await attacker.api.post('/sensors/bulk', { sensors: cold, action: { delete: {} } });
    assert.equal(body.done, COLD_SENSORS);
  });

  /** Connects `count` triggers with different expressions. Only the first is created by the API, which would take a minute for all. */
  async function connectTriggers(
    user: TestUser,
    sensorId: string,
    from: number,
    count: number,
    resolves = false,
  ): Promise<void> {
    const expressions = Array.from({ length: count }, (_, index) => `${from + index} > ${LONG}`);
    const [expression, ...others] = expressions;
    const ids = [await buildTrigger(user, { expression })];
    const [{ insertId }] = await platform.pool.query<ResultSetHeader>(
      'INSERT INTO triggers (owner_id, name, expression, resolve_expression, created_ms) VALUES ?',
      [others.map((other) => [user.id, 'a trigger', other, resolves ? `${other}+1` : null, 1])],
    );
    ids.push(...others.map((_, index) => String(insertId + index)));
    await create(user, `/sensors/${sensorId}/triggers`, { triggers: ids.map((id) => ({ trigger: { id } })) });
  }
});
