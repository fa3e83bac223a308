import assert from 'node:assert/strict';
import { once } from 'node:events';
import { downloadFile, entriesOf, exportedZip, linesOf, sendArchive } from '../../support/archives';
import { buildSensor } from '../../support/factories';
import { usePlatform } from '../../support/hooks';
import { startWorkerElsewhere } from '../../support/other-process';
import type { TestUser } from '../../support/platform';
import { until } from '../../support/until';

const T0 = 1_795_000_000_000;
const POINTS = 400_000;
const AT_ONCE = 20_000;
const KILLS = 2;

describe('exports and imports by workers that are killed', function () {
  this.timeout(240_000);
  const platform = usePlatform();
  let owner: TestUser;
  let whole: string[];
  let zip: Buffer;

  before(async () => {
    owner = await platform.user();
    const id = await buildSensor(owner, { name: 'many' });
    for (let at = 0; at < POINTS; at += AT_ONCE) {
      const rows = Array.from({ length: AT_ONCE }, (_, more) => [id, T0 + (at + more) * 7, `${at + more}.25`, 1]);
      await platform.query('INSERT INTO data_points (sensor_id, date_ms, value, delay_s) VALUES ?', [rows]);
    }
    zip = await exportedZip(platform, owner);
    whole = await dataIn(zip);
    assert.equal(whole.length, POINTS);
  });

  /** The points of the only sensor with points. */
  const dataIn = async (file: Buffer) => {
    const entries = await entriesOf(file);
    const [name = ''] = [...entries.keys()].filter((one) => one.startsWith('data/'));
    return linesOf(entries, name).map(({ date, value }) => `${date} ${value}`);
  };
  const rowOf = async (id: string) => (await platform.query('SELECT step, active FROM archives WHERE id = ?', [id]))[0];

  /** Each worker is killed after it has written some more. Returns how many were killed before it was over. */
  const finishByKilledWorkers = async (id: string): Promise<number> => {
    let killed = 0;
    for (; killed < KILLS; killed += 1) {
      const from = Number((await rowOf(id))?.step);
      const worker = await startWorkerElsewhere(platform, platform.container.config.redisUrl);
      const ended = once(worker, 'exit');
      let isOver = false;
      await until('the worker has written more', async () => {
        const row = await rowOf(id);
        isOver = row?.active === null;
        return isOver || Number(row?.step) > from + 1;
      });
      worker.kill('SIGKILL');
      await ended;
      if (isOver) break;
    }
    await platform.startWorkers(['archives', 'schedule']);
    await until('it is over', async () => (await rowOf(id))?.active === null);
    await platform.stopWorkers();
    return killed;
  };

  it('write each point once into the file', async () => {
    const { id } = (await owner.api.post('/exports', {})).body.export;
    assert.ok((await finishByKilledWorkers(id)) > 0);
    const { state, file } = (await owner.api.get(`/exports/${id}`)).body.export;
    assert.equal(state, 'done');
    const made = Buffer.from(await (await downloadFile(platform, { file })).arrayBuffer());
    assert.deepEqual(await dataIn(made), whole);
  });

  it('store each point once, and make each sensor once', async () => {
    const other = await platform.user();
    const { id } = (await sendArchive(platform, other, zip)).body.import;
    assert.ok((await finishByKilledWorkers(id)) > 0);
    const { state, sensors, points } = (await other.api.get(`/imports/${id}`)).body.import;
    assert.deepEqual([state, sensors.made, points], ['done', 1, POINTS]);
    assert.equal((await other.api.get('/sensors')).body.sensors.length, 1);
    assert.deepEqual(await dataIn(await exportedZip(platform, other)), whole);
  });
});
