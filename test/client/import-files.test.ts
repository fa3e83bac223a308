import assert from 'node:assert/strict';
import { once } from 'node:events';
import { appendFileSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { buildSensor, buildTrigger, connectTrigger, createKey, upload } from '../support/factories';
import { usePlatform, useUserPerTest } from '../support/hooks';
import {
  countIn,
  metatagsOf,
  runImportCommand,
  sensorsByName,
  startImportCommand,
  storedIn,
} from '../support/import-command';
import { until } from '../support/until';

/** As `influx_inspect export` writes it: https://docs.influxdata.com/influxdb/v1/tools/influx_inspect/#export */
const EXPORT = `# DDL
CREATE DATABASE telegraf WITH NAME autogen
# DML
# CONTEXT-DATABASE:telegraf
# CONTEXT-RETENTION-POLICY:autogen
# writing tsm data
cpu,host=a\\ b,cpu=cpu0 usage_idle=98.50 1700000000123456789
cpu,cpu=cpu0,host=a\\ b usage_idle=97,ok=true 1700000010000000000
weather count=9223372036854775807i 1700000000000000000
weather note="first line
second \\"line\\"" 1700000000000000000
# writing wal data
weather value=1e3 1700000000000000000
weather value=2 1700000000000000100
`;

/** As `influx query --raw` prints it: https://docs.influxdata.com/influxdb/v2/reference/syntax/annotated-csv/ */
const ANNOTATED = `#group,false,false,true,true,false,false,true,true,true
#datatype,string,long,dateTime:RFC3339,dateTime:RFC3339,dateTime:RFC3339,double,string,string,string
#default,_result,,,,,,,,
,result,table,_start,_stop,_time,_value,_field,_measurement,host
,,0,2023-11-14T00:00:00Z,2023-11-15T00:00:00Z,2023-11-14T22:13:20.5Z,21.5,temp,room,a
,,0,2023-11-14T00:00:00Z,2023-11-15T00:00:00Z,2023-11-14T22:13:30Z,22,temp,room,a

#group,false,false,true,true,false,false,true,true
#datatype,string,long,dateTime:RFC3339,dateTime:RFC3339,dateTime:RFC3339,string,string,string
#default,_result,,,,,,,
,result,table,_start,_stop,_time,_value,_field,_measurement
,,1,2023-11-14T00:00:00Z,2023-11-15T00:00:00Z,2023-11-14T22:13:20Z,"open, a bit",state,door
`;

describe('sensors import csv and influx', () => {
  const platform = usePlatform();
  const user = useUserPerTest(platform);
  let folder = '';
  let key = '';

  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'import-'));
    key = (await createKey(user)).secret;
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  const fileWith = (name: string, text: string | Buffer) => {
    const path = join(folder, name);
    mkdirSync(join(path, '..'), { recursive: true });
    writeFileSync(path, text);
    return path;
  };
  const run = (args: string[], isTTY = false) => runImportCommand(platform.url, key, args, { isTTY });

  it('makes sensors of a folder of CSV, with units, zones and packed files, and counts them', async () => {
    fileWith(
      'data/house/kitchen.csv',
      'time,temperature (°C),door\n2026-01-01T00:00:00Z,21.50,open\n2026-01-01T00:01:00Z,,shut\n',
    );
    fileWith('data/meter.csv.gz', gzipSync('ts;value\r\n1700000000;1\r\n1700000060;2\r\n1700000060;3\r\n'));
    fileWith('data/notes.md', 'no data');
    const { status, out, err } = await run(['csv', join(folder, 'data')]);
    assert.equal(status, 0, out + err);
    assert.deepEqual([...(await sensorsByName(user)).keys()].sort(), [
      'house/kitchen/door',
      'house/kitchen/temperature',
      'meter',
    ]);
    assert.deepEqual(await storedIn(user, 'house/kitchen/temperature'), ['2026-01-01T00:00:00.000Z 21.50']);
    assert.deepEqual(await storedIn(user, 'meter'), ['2023-11-14T22:13:20.000Z 1', '2023-11-14T22:14:20.000Z 3']);
    const sensor = (await sensorsByName(user)).get('house/kitchen/temperature');
    assert.deepEqual([sensor?.unit, sensor?.data_type, sensor?.device_type], ['°C', 'float', 'import csv']);
    assert.deepEqual(await metatagsOf(user, 'meter'), { file: ['meter.csv.gz'] });
    assert.match(out, /^sensor +read +left out +repeated +stored\n/);
    assert.match(out, /\nmeter +3 +0 +1 +2\n/);
    assert.match(out, /\n6 points of 3 series were read, 5 are stored\.\n/);
    assert.match(out, /\n {2}1 × empty cells: .*kitchen\.csv:3 temperature \(°C\)\n/);
    assert.ok(!existsSync(join(folder, 'data.import.json')));
  });

  it('reads dates without a zone only with one, and decimal commas only with an option', async () => {
    const file = fileWith(
      'log.csv',
      'Date;Temp\n2026-03-29 01:59:59;1,5\n2026-03-29 03:00:00;2,5\n2026-10-25 02:30:00;-3,5\n',
    );
    const zoneless = await run(['csv', file]);
    assert.deepEqual([zoneless.status, zoneless.out], [1, '']);
    assert.ok(
      zoneless.err.startsWith(`${file}:2: "2026-03-29 01:59:59" has no time zone: give one by --zone`),
      zoneless.err,
    );
    const comma = await run(['csv', file, '--zone', 'Europe/Berlin']);
    assert.ok(comma.err.startsWith(`${file}:2: "1,5" may be a number`), comma.err);
    const { status, err } = await run(['csv', file, '--zone', 'Europe/Berlin', '--decimal-comma']);
    assert.equal(status, 0, err);
    assert.deepEqual(await storedIn(user, 'log/Temp'), [
      '2026-03-29T00:59:59.000Z 1.5',
      '2026-03-29T01:00:00.000Z 2.5',
      '2026-10-25T00:30:00.000Z -3.5',
    ]);
  });

  it('makes a sensor for each name of a file with a line for each value', async () => {
    const file = fileWith(
      'long.csv',
      'sensor,at,reading\nfreezer,1700000000000,-18\nfridge,1700000000000,4\nfreezer,1700000060000,NaN\n',
    );
    const columns = ['--date-column', 'at', '--name-column', 'sensor', '--value-column', 'reading'];
    const { status, out, err } = await run(['csv', file, ...columns, '--json']);
    assert.equal(status, 0, err);
    assert.deepEqual(await storedIn(user, 'long/freezer'), ['2023-11-14T22:13:20.000Z -18']);
    assert.deepEqual(await storedIn(user, 'long/fridge'), ['2023-11-14T22:13:20.000Z 4']);
    const report = JSON.parse(out);
    assert.deepEqual(report.leftOut, [
      { reason: 'cells without a value (NaN, Infinity, null)', count: 1, examples: [`${file}:4 freezer`] },
    ]);
    assert.deepEqual(
      report.verified.map(({ sensor, stored }: { sensor: string; stored: number }) => [sensor, stored]),
      [
        ['long/freezer', 1],
        ['long/fridge', 1],
      ],
    );
  });

  it('names file and line of what it cannot read, and leaves such lines out with an option', async () => {
    const file = fileWith('bad.csv', 'date,value\n2026-01-01T00:00:00Z,1\nyesterday,2\n2026-01-01T00:02:00Z,3\n');
    const wrong = await run(['csv', file]);
    assert.equal(wrong.status, 1);
    assert.equal(
      wrong.err,
      `${file}:3: "yesterday" is neither ISO 8601 (2026-11-22 14:30:00) nor a unix time; --skip-wrong leaves out such lines\n`,
    );
    const skipped = await run(['csv', file, '--skip-wrong']);
    assert.deepEqual([skipped.status, await countIn(user, 'bad')], [0, 2], skipped.err);
    assert.match(skipped.out, /1 × cells and lines that cannot be read: .*bad\.csv:3: "yesterday"/);
    for (const [name, text, why] of [
      ['none.csv', 'a,b\n1,2\n', ':1: no column has a name for dates: give one of "a", "b" by --date-column'],
      ['quote.csv', 'date,value\n1700000000,"open\n', ':2: a quote is misplaced or has no end'],
      ['latin.csv', Buffer.from('date,value\n1700000000,\xe9\n', 'latin1'), ': is not text in UTF-8'],
      ['half.csv.gz', gzipSync('date,value\n1700000000,1\n').subarray(0, 30), ': is no complete file of gzip'],
      ['no-field.lp', 'cpu 1700000000000000000\n', ':1: the line has a field that is not name=value'],
      ['time.lp', 'cpu v=1 soon\n', ':1: the line has the time "soon", which is no whole number'],
      ['nan.lp', 'cpu v=NaN 1700000000000000000\n', ':1: the line has NaN as v, which is no finite number'],
      ['open.lp', 'cpu v=1 1700000000000000000\ncpu v="x\n\n', ':2: the line has a text without an end'],
      [
        'error.csv',
        '#datatype,string,string\n#group,true,true\n#default,,\n,error,reference\n,out of memory,897\n',
        ':5: the query has failed: out of memory',
      ],
    ] as const) {
      const path = fileWith(name, text);
      const kind = name.includes('.lp') || name.startsWith('error') ? 'influx' : 'csv';
      const { status, err } = await run([kind, path]);
      assert.deepEqual([status, err.slice(0, path.length + why.length)], [1, path + why]);
    }
  });

  it('makes a sensor for each field of a series of InfluxDB, whatever the order of tags', async () => {
    const { status, out, err } = await run(['influx', fileWith('export.gz', gzipSync(EXPORT))]);
    assert.equal(status, 0, out + err);
    const idle = 'cpu usage_idle cpu=cpu0 host=a b';
    assert.deepEqual(await storedIn(user, idle), ['2023-11-14T22:13:20.123Z 98.50', '2023-11-14T22:13:30.000Z 97']);
    assert.deepEqual(await storedIn(user, 'cpu ok cpu=cpu0 host=a b'), ['2023-11-14T22:13:30.000Z true']);
    assert.deepEqual(await storedIn(user, 'weather count'), ['2023-11-14T22:13:20.000Z 9223372036854775807']);
    assert.deepEqual(await storedIn(user, 'weather note'), ['2023-11-14T22:13:20.000Z first line\nsecond "line"']);
    assert.deepEqual(await storedIn(user, 'weather'), ['2023-11-14T22:13:20.000Z 2']);
    assert.match(out, /\nweather +2 +0 +1 +1\n/);
    const tags = {
      host: ['a b'],
      cpu: ['cpu0'],
      measurement: ['cpu'],
      field: ['usage_idle'],
      database: ['telegraf.autogen'],
    };
    assert.deepEqual(await metatagsOf(user, idle), tags);
    const again = await run(['influx', join(folder, 'export.gz')]);
    assert.deepEqual([again.status, (await sensorsByName(user)).size], [0, 5], again.err);
  });

  it('reads the tables of annotated CSV', async () => {
    const { status, err } = await run(['influx', fileWith('query.csv', ANNOTATED)]);
    assert.equal(status, 0, err);
    assert.deepEqual(await storedIn(user, 'room temp host=a'), [
      '2023-11-14T22:13:20.500Z 21.5',
      '2023-11-14T22:13:30.000Z 22',
    ]);
    assert.deepEqual(await storedIn(user, 'door state'), ['2023-11-14T22:13:20.000Z open, a bit']);
    assert.equal((await sensorsByName(user)).get('door state')?.data_type, 'string');
  });

  it('continues after it was killed, stores every point once and counts all', async () => {
    const points = 200_000;
    const line = (index: number) =>
      `power,meter=m${index % 3} watts=${index} ${1_700_000_000_000 + index * 1_000}000000\n`;
    const file = fileWith('large.lp', Array.from({ length: points }, (_, index) => line(index)).join(''));
    const killed = startImportCommand(platform.url, key, ['influx', file]);
    const ended = once(killed, 'exit');
    await until('a batch is acknowledged', () => existsSync(`${file}.import.json`) || killed.exitCode !== null);
    killed.kill('SIGKILL');
    await ended;
    const names = [0, 1, 2].map((meter) => `power watts meter=m${meter}`);
    const counts = async () => (await Promise.all(names.map((name) => countIn(user, name)))).reduce((a, b) => a + b, 0);
    const before = await counts();
    assert.ok(before > 0 && before < points, `${before} points`);
    const state = readFileSync(`${file}.import.json`, 'utf8');
    const { status, out, err } = await run(['influx', file]);
    assert.deepEqual([status, err], [0, 'An interrupted import continues.\n'], out);
    assert.deepEqual([await counts(), (await sensorsByName(user)).size], [points, 3]);
    assert.match(out, /\n200,000 points of 3 series were read, 200,000 are stored\.\n$/);
    assert.ok(!existsSync(`${file}.import.json`));
    writeFileSync(`${file}.import.json`, state);
    appendFileSync(file, line(points));
    const changed = await run(['influx', file]);
    assert.match(
      changed.err,
      /large\.lp\.import\.json is the state of an interrupted import, and the source, or how it is read, has changed since: delete it/,
    );
  });

  it('fails if the platform has other numbers, and names the sensor', async () => {
    const file = fileWith(
      'many.csv',
      `date,value\n${Array.from({ length: 30_000 }, (_, i) => `${1_700_000_000 + i},${i}\n`).join('')}`,
    );
    let isDeleted = false;
    const watched = run(['csv', file]);
    await until('points are stored', async () => (await countIn(user, 'many')) > 0);
    const id = (await sensorsByName(user)).get('many')?.id;
    isDeleted = (await user.api.delete(`/sensors/${id}/data?start_date=1700000000&end_date=1700000009`)).status === 200;
    const { status, out } = await watched;
    assert.ok(isDeleted);
    assert.deepEqual(
      [status, /many \(\d+\): the platform has 29990 points of these dates instead of 30000\n/.test(out)],
      [1, true],
      out,
    );
  });

  it('writes into sensors that no import has made, and where triggers evaluate, only if it may', async () => {
    const mine = await buildSensor(user, { name: 'boiler' });
    await upload(user, mine, [{ value: 1, date: 1_600_000_000 }]);
    const file = fileWith('boiler.csv', 'date,value\n1700000000,50\n');
    const planned = await run(['csv', file, '--dry-run']);
    assert.match(
      planned.out,
      /\nboiler +1 +2023-11-14 +2023-11-14 +exists: needs --into-existing\n\nNothing was made and nothing sent\.\n/,
    );
    assert.match((await run(['csv', file])).err, /^a sensor named boiler exists, and no import has made it/);
    assert.equal(await countIn(user, 'boiler'), 1);
    const trigger = await buildTrigger(user, {});
    await connectTrigger(user, mine, trigger);
    assert.match(
      (await run(['csv', file, '--into-existing'])).err,
      /^the sensor boiler \(\d+\) has triggers, which evaluate points/,
    );
    assert.equal(await countIn(user, 'boiler'), 1);
    const allowed = await run(['csv', file, '--into-existing', '--may-alert']);
    assert.deepEqual([allowed.status, await countIn(user, 'boiler')], [0, 2], allowed.err);
    await buildTrigger(user, { name: 'all of them', selector: { all: true } });
    const other = fileWith('other.csv', 'date,value\n1700000000,50\n');
    assert.match(
      (await run(['csv', other])).err,
      /^triggers that select sensors by a search .*: all of them\. Allow it by --may-alert/,
    );
    assert.deepEqual([...(await sensorsByName(user)).keys()], ['boiler']);
  });

  it('uses a sensor that an interrupted import has made and not marked', async () => {
    await buildSensor(user, { name: 'half', device_type: 'import csv' });
    const file = fileWith('half.csv', 'date,value\n1700000000,50\n');
    const { planned } = JSON.parse((await run(['csv', file, '--dry-run', '--json'])).out);
    assert.deepEqual(planned, [
      { sensor: 'half', unit: '', points: 1, from: '2023-11-14', to: '2023-11-14', becomes: 'new' },
    ]);
    const { status, err } = await run(['csv', file]);
    assert.deepEqual([status, (await sensorsByName(user)).size, await countIn(user, 'half')], [0, 1, 1], err);
    const again = JSON.parse((await run(['csv', file, '--dry-run', '--json'])).out);
    assert.equal(again.planned[0].becomes, 'again');
  });

  it('has a bar on a terminal, and explains its use', async () => {
    const file = fileWith(
      'bar.csv',
      `date,value\n${Array.from({ length: 40_000 }, (_, i) => `${1_700_000_000 + i},${i}\n`).join('')}`,
    );
    const { status, err } = await run(['csv', file], true);
    assert.equal(status, 0);
    assert.match(err, /█+░* \d+ % {2}[\d,]+ points {2}[\d,]+\/s/);
    assert.match((await run(['--help'])).out, /^Usage: sensors import csv\|influx\|homeassistant\|thingsboard SOURCE/);
    for (const args of [[], ['csv'], ['nothing', 'x'], ['csv', 'a', 'b']]) assert.equal((await run(args)).status, 1);
    assert.match((await run(['csv', join(folder, 'missing.csv')])).err, /ENOENT/);
    mkdirSync(join(folder, 'empty'));
    assert.match((await run(['csv', join(folder, 'empty')])).err, /empty: no file in this folder can be read/);
  });
});
