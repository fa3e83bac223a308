import assert from 'node:assert/strict';
import { exportedZip, makeImport } from '../../support/archives';
import { packAll } from '../../support/chunks';
import { buildSensor } from '../../support/factories';
import { usePlatform } from '../../support/hooks';

const SENSORS = 4;
const POINTS = 100_000;
const T0 = 1_795_000_000_000;

describe('the rates of exports from chunks, and of imports', () => {
  const platform = usePlatform();

  it('are shown, and memory is bounded', async function () {
    this.timeout(600_000);
    const [from, to] = [await platform.user(), await platform.user()];
    const ids: string[] = [];
    for (let index = 0; index < SENSORS; index += 1) {
      const id = await buildSensor(from, { name: `sensor ${index}` });
      ids.push(id);
      for (let at = 0; at < POINTS; at += 20_000) {
        const rows = Array.from({ length: 20_000 }, (_, more) => [id, T0 + (at + more) * 1000, `${at + more}.5`, 1]);
        await platform.query('INSERT INTO data_points (sensor_id, date_ms, value, delay_s) VALUES ?', [rows]);
      }
    }
    await packAll(platform, ...ids);
    const all = SENSORS * POINTS;
    const measure = async <T>(what: string, work: () => Promise<T>) => {
      const [begun, before] = [performance.now(), process.memoryUsage().rss];
      let most = before;
      const timer = setInterval(() => {
        most = Math.max(most, process.memoryUsage().rss);
      }, 20);
      const result = await work();
      clearInterval(timer);
      const rate = Math.round(all / ((performance.now() - begun) / 1000));
      process.stdout.write(`      ${what}: ${rate} points a second, ${Math.round((most - before) / 1e6)} MB more\n`);
      assert.ok(most - before < 500_000_000);
      return result;
    };
    const zip = await measure('out', () => exportedZip(platform, from));
    const done = await measure('in', () => makeImport(platform, to, zip));
    assert.deepEqual([done.state, done.points], ['done', all]);
  });
});
