import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { buildSensor, buildTrigger } from '../support/factories';
import { useBystander, useStandingPlatform, useUser } from '../support/hooks';
import type { TestUser } from '../support/platform';
import { until } from '../support/until';

const ACCOUNTS = 2;
const SENSORS = 20_000;
const TAGS = 30;
const SELECTORS = 100;
/** Promise 9. */
const CONNECTED_MS = 10_000;
const NEW_SENSORS = 8;

/** Each list has many matches, and no sensor matches all of them. */
const EXPENSIVE = {
  filter: {
    metatag_statement_groups: ['a', ...Array.from({ length: TAGS - 2 }, (_, tag) => `t${tag}`), 'b'].map((name) => [
      { metatag_name: name, operator: 'is_set' },
    ]),
  },
};
const OF_BYSTANDER = {
  filter: { metatag_statement_groups: [[{ metatag_name: 'kind', operator: 'equal', value: 'freezer' }]] },
};

describe('an attack by selectors', function () {
  this.timeout(900_000);
  const platform = useStandingPlatform();
  const bystander = useBystander(platform);
  const owner = useUser(platform);
  const attackers: TestUser[] = [];

  before(async () => {
    for (let account = 0; account < ACCOUNTS; account += 1) {
      const attacker = await platform.user();
      attackers.push(attacker);
      await buildSensors(attacker);
    }
  });

  it('that match nothing in 20,000 sensors delays only the selectors of their owner', async () => {
    for (const attacker of attackers) await buildSelectors(attacker);
    const triggerId = await buildTrigger(owner, { selector: OF_BYSTANDER });
    const waitedMs: number[] = [];
    let isOver = false;
    const changes = attackers.map(async (attacker) => {
      while (!isOver) {
        await buildSensor(attacker);
        await sleep(1_000);
      }
    });
    await bystander.during(async () => {
      await sleep(10_000);
      for (let count = 0; count < NEW_SENSORS; count += 1) waitedMs.push(await timeNewSensor(triggerId));
      isOver = true;
      await Promise.all(changes);
    });
    console.log(`      connected after ${waitedMs.map(Math.round).join(', ')} ms`);
    assert.ok(Math.max(...waitedMs) < CONNECTED_MS, `connected after ${waitedMs.map(Math.round)} ms`);
  });

  it('is refused when a new selector takes too long to count, and does not occupy the changes of others', async () => {
    const rounds = Array.from({ length: 3 }, async () => {
      for (const attacker of attackers) {
        const { status, body } = await attacker.api.post('/triggers', {
          trigger: { name: 'slow', expression: 'sensor_data_value > 0', selector: EXPENSIVE },
        });
        assert.ok([201, 400, 409, 429].includes(status), JSON.stringify(body));
      }
    });
    await bystander.during(() => Promise.all(rounds));
  });

  async function timeNewSensor(triggerId: string): Promise<number> {
    const startedMs = performance.now();
    const sensorId = await buildSensor(owner);
    const tagged = await owner.api.put(`/sensors/${sensorId}/metatags`, { metatags: { kind: ['freezer'] } });
    assert.equal(tagged.status, 200);
    const isConnected = async () => (await owner.api.get(`/sensors/${sensorId}/triggers/${triggerId}`)).status === 200;
    await until('the new sensor is connected', isConnected, 4 * CONNECTED_MS);
    return performance.now() - startedMs;
  }

  /** By SQL, which saves minutes. Half of the sensors have the tag `a`, the others `b`, and all have the rest. */
  async function buildSensors({ id }: TestUser): Promise<void> {
    for (let count = 0; count < SENSORS; count += 1_000) {
      const rows = Array.from({ length: 1_000 }, (_, index) => [id, `sensor ${count + index}`, '', 1]);
      await platform.pool.query('INSERT INTO sensors (owner_id, name, data_structure, created_ms) VALUES ?', [rows]);
    }
    const names = Array.from({ length: TAGS - 2 }, (_, tag) => `SELECT 't${tag}' AS name`);
    await platform.pool.query(
      `INSERT INTO metatags (sensor_id, namespace, name, position, owner_id, value, value_key)
       SELECT s.id, 'default', n.name, 0, s.owner_id, 'x', 'x' FROM sensors s
       JOIN (${names.join(' UNION ALL ')}) n WHERE s.owner_id = ?
       UNION ALL SELECT s.id, 'default', IF(MOD(s.id, 2), 'a', 'b'), 0, s.owner_id, 'x', 'x' FROM sensors s
       WHERE s.owner_id = ?`,
      [id, id],
    );
  }

  /** One by the API, which records the change; the others by SQL, because counting each takes seconds. */
  async function buildSelectors(attacker: TestUser): Promise<void> {
    const selector = JSON.stringify({ ...EXPENSIVE, namespace: 'default' });
    const rows = Array.from({ length: SELECTORS - 1 }, () => [
      attacker.id,
      'expensive',
      'sensor_data_value > 0',
      1,
      selector,
      0,
    ]);
    const columns = 'owner_id, name, expression, created_ms, selector, selected_sensors';
    await platform.pool.query(`INSERT INTO triggers (${columns}) VALUES ?`, [rows]);
    await buildTrigger(attacker, {
      selector: { filter: { metatag_statement_groups: [[{ metatag_name: 'none', operator: 'is_set' }]] } },
    });
  }
});
