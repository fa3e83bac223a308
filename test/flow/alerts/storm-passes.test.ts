import assert from 'node:assert/strict';
import { type PassSetting, runPass } from '../../../src/alerts/evaluation/pass';
import { TriggerStore } from '../../../src/alerts/trigger-store/trigger-store';
import { FairShareScheduler } from '../../../src/fairness/fair-share-scheduler';
import { buildAlarm } from '../../support/alarm';
import { buildTrigger, upload } from '../../support/factories';
import { usePlatform, useUser } from '../../support/hooks';

const SENSORS = 700;
const FIRES = { expression: 'sensor_data_value > 0' };

describe('many sensors that fire at once', () => {
  const platform = usePlatform({ config: { SENSOR_PARTITIONS: '1' } });
  const user = useUser(platform);
  const neighbour = useUser(platform);

  /** Sensors of the user that share a trigger. */
  const buildSensors = async (): Promise<string[]> => {
    const triggerId = await buildTrigger(user, FIRES);
    const rows = Array.from({ length: SENSORS }, (_, index) => [user.id, `storm ${index}`, '', 1]);
    await platform.query('INSERT INTO sensors (owner_id, name, data_structure, created_ms) VALUES ?', [rows]);
    const sensors = await platform.query("SELECT id FROM sensors WHERE name LIKE 'storm %'");
    const ids = sensors.map(({ id }) => String(id));
    await platform.query('INSERT INTO sensor_triggers (sensor_id, trigger_id, created_ms) VALUES ?', [
      ids.map((id) => [id, triggerId, 1]),
    ]);
    return ids;
  };

  it('take several passes, and the passes of other users do not wait for the last one', async () => {
    const ids = await buildSensors();
    const { sensorId } = await buildAlarm(neighbour, { trigger: FIRES, notifications: [] });
    const data = [{ value: 1 }];
    const sensors = ids.map((sensor_id) => ({ sensor_id, data }));
    assert.equal((await user.api.post('/sensors/data', { sensors })).status, 201);
    await upload(neighbour, sensorId, { value: 1 });

    const { database, clock, layout } = platform.container;
    const shares = new FairShareScheduler();
    for (const { id } of [user, neighbour]) shares.charge(Number(id), 0, 1);
    const setting: PassSetting = {
      pool: database.pool,
      clock,
      layout,
      shares,
      store: new TriggerStore({ checksCache: true }),
    };
    const pass = () => runPass(setting, { partitions: [0] });
    const first = await pass();
    const firedBy = first.results.filter(({ changes }) => changes.firings.length > 0).map(({ sensor }) => sensor.id);
    assert.equal(firedBy.length, 500);
    assert.ok(firedBy.includes(Number(sensorId)));
    assert.ok(first.hasMore);
    assert.ok(first.isCut);
    const others = [await pass(), await pass(), await pass()];
    assert.deepEqual(
      others.map(({ points, isCut }) => [points, isCut]),
      [
        [201, false],
        [0, false],
        [0, false],
      ],
    );

    const firings = await platform.query('SELECT sensor_id AS id FROM firings');
    assert.deepEqual([firings.length, new Set(firings.map(({ id }) => id)).size], [SENSORS + 1, SENSORS + 1]);
    assert.deepEqual(await platform.query('SELECT id FROM inbox_batches'), []);
  });
});
