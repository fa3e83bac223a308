import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { type InfluxDb, startInfluxDb } from '../support/agents/influxdb';
import { INFLUXD, skipWithout } from '../support/agents/programs';
import { createKey } from '../support/factories';
import { usePlatform, useUserPerTest } from '../support/hooks';
import { countIn, metatagsOf, runImportCommand, sensorsByName, storedIn } from '../support/import-command';

const BEGIN_MS = Date.UTC(2023, 10, 14);
const POINTS = 25_000;
const LINES = [
  ...Array.from(
    { length: POINTS },
    (_, i) => `air,room=r${i % 2} celsius=${i / 4},count=${i}i ${BEGIN_MS + i * 1_000}000000`,
  ),
  `door,room=my\\ hall open=true,note="it \\"is\\", open" ${BEGIN_MS}000000`,
].join('\n');
const NAMES = [
  'air celsius room=r0',
  'air celsius room=r1',
  'air count room=r0',
  'air count room=r1',
  'door note room=my hall',
  'door open room=my hall',
];

describe('InfluxDB 1 of Debian', () => {
  const platform = usePlatform();
  const user = useUserPerTest(platform);
  let influx: InfluxDb;
  let folder = '';
  let key = '';

  before(async function () {
    await skipWithout(this, INFLUXD);
    influx = await startInfluxDb();
    folder = mkdtempSync(join(tmpdir(), 'import-'));
    await influx.query('CREATE DATABASE home');
    await influx.query('CREATE RETENTION POLICY "a year" ON home DURATION 0s REPLICATION 1');
    await influx.write('home', LINES);
    await influx.write('home&rp=a%20year', `air,room=r0 celsius=1 ${BEGIN_MS}000000`);
  });
  after(async () => {
    await influx?.close();
    if (folder) rmSync(folder, { recursive: true, force: true });
  });
  beforeEach(async () => {
    key = (await createKey(user)).secret;
  });

  const assertImported = async (out: string) => {
    const names = [...(await sensorsByName(user)).keys()].sort();
    assert.deepEqual(
      names.filter((name) => !name.includes('#')),
      NAMES,
    );
    assert.equal(names.length, NAMES.length + 1, 'and the series of the other retention policy');
    for (const name of NAMES.slice(0, 4)) assert.equal(await countIn(user, name), POINTS / 2, name);
    const date = new Date(BEGIN_MS).toISOString();
    assert.deepEqual(await storedIn(user, 'door note room=my hall'), [`${date} it "is", open`]);
    assert.deepEqual(await storedIn(user, 'door open room=my hall'), [`${date} true`]);
    assert.match(out, /\n50,003 points of 7 series were read, 50,003 are stored\.\n/);
    assert.deepEqual((await metatagsOf(user, 'air count room=r1')).database, ['home.autogen']);
  };

  it('is imported while it runs', async () => {
    const state = join(folder, 'state.json');
    const args = ['influx', influx.url, '--database', 'home', '--state', state];
    const { status, out, err } = await runImportCommand(platform.url, key, args);
    assert.equal(status, 0, out + err);
    await assertImported(out);
    const wrong = await runImportCommand(platform.url, key, [
      'influx',
      influx.url,
      '--database',
      'nothing',
      '--state',
      state,
    ]);
    assert.equal(wrong.err, `${influx.url}: database not found: nothing\n`);
  });

  it('gives the same sensors as what is exported from it', async () => {
    const file = join(folder, 'export.gz');
    const part = (policy: string, lines: string) =>
      `# DML\n# CONTEXT-DATABASE:home\n# CONTEXT-RETENTION-POLICY:${policy}\n# writing tsm data\n${lines}\n`;
    const year = `air,room=r0 celsius=1 ${BEGIN_MS}000000`;
    writeFileSync(file, gzipSync(part('autogen', LINES) + part('a year', year)));
    const { status, out, err } = await runImportCommand(platform.url, key, ['influx', file]);
    assert.equal(status, 0, out + err);
    await assertImported(out);
    const args = ['influx', influx.url, '--database', 'home', '--state', join(folder, 'state.json')];
    const again = await runImportCommand(platform.url, key, args);
    assert.deepEqual([again.status, (await sensorsByName(user)).size], [0, NAMES.length + 1], again.err);
  });
});
