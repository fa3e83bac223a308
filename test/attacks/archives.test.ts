import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { crc32, deflateRawSync, gzipSync } from 'node:zlib';
import { makeImport } from '../support/archives';
import { usePlatform } from '../support/hooks';
import type { TestUser } from '../support/platform';

const SENSOR = {
  ...{ id: '7', kind: 'plain', sensor: { name: 'freezer' }, metatags: {}, retention_days: null, device: null },
  ...{ uses: [], last_date: 1 },
};
const MANIFEST = JSON.stringify({ format: 1 });

interface Forged {
  name: string;
  body?: Buffer | string;
  crc?: number;
  method?: 0 | 8;
  /** As the headers say. */
  size?: number;
}

/** A zip file with anything in its names, sizes and checksums. */
function forge(entries: readonly Forged[], count = entries.length): Buffer {
  const parts: Buffer[] = [];
  const central: Buffer[] = [];
  let offset = 0;
  for (const { name, body = '', method = 0, ...forged } of entries) {
    const content = Buffer.from(body);
    const packed = method === 8 ? deflateRawSync(content) : content;
    const [crc, size] = [forged.crc ?? crc32(content), forged.size ?? content.length];
    const title = Buffer.from(name);
    const fields = Buffer.alloc(22);
    fields.writeUInt16LE(20, 0);
    fields.writeUInt16LE(method, 4);
    fields.writeUInt32LE(crc >>> 0, 10);
    fields.writeUInt32LE(packed.length, 14);
    fields.writeUInt32LE(size, 18);
    const lengths = Buffer.alloc(4);
    lengths.writeUInt16LE(title.length, 0);
    const local = Buffer.concat([Buffer.from('PK\x03\x04'), fields, lengths, title, packed]);
    const rest = Buffer.alloc(14);
    rest.writeUInt32LE(offset, 10);
    central.push(Buffer.concat([Buffer.from('PK\x01\x02\x14\x00'), fields, lengths, rest, title]));
    parts.push(local);
    offset += local.length;
  }
  const directory = Buffer.concat(central);
  const end = Buffer.alloc(22);
  end.write('PK\x05\x06', 0, 'latin1');
  end.writeUInt16LE(count, 8);
  end.writeUInt16LE(count, 10);
  end.writeUInt32LE(directory.length, 12);
  end.writeUInt32LE(offset, 16);
  return Buffer.concat([...parts, directory, end]);
}

const lines = (...records: object[]) => records.map((record) => `${JSON.stringify(record)}\n`).join('');
const manifest: Forged = { name: 'manifest.json', body: MANIFEST };
const sensors: Forged = { name: 'sensors.ndjson', body: lines(SENSOR) };
const data = (body: Buffer): Forged => ({ name: 'data/7.ndjson.gz', body });

describe('hostile archives', () => {
  const platform = usePlatform();
  let user: TestUser;

  beforeEach(async () => {
    user = await platform.user();
  });

  const refused = async (zip: Buffer, entry: string, why: RegExp) => {
    const done = await makeImport(platform, user, zip);
    assert.deepEqual([done.state, done.entry], ['failed', entry], done.error);
    assert.match(done.error, why);
    for (const table of ['sensors', 'environments', 'dashboards', 'triggers', 'notifications']) {
      const [row] = await platform.query(`SELECT COUNT(*) AS total FROM ${table} WHERE owner_id = ?`, [user.id]);
      assert.equal(Number(row?.total), 0, table);
    }
  };

  for (const name of ['../x', '/etc/passwd', 'data\\7.ndjson.gz', 'C:/x', 'data/../sensors.ndjson'])
    it(`are refused for the name ${name}`, () => refused(forge([manifest, { name }]), name, /path|characters/));

  for (const name of ['data/', 'evil.sh', 'data/07.ndjson.gz', 'data/x.ndjson.gz', 'SENSORS.ndjson'])
    it(`are refused for the unknown entry ${name}`, () => refused(forge([manifest, { name }]), name, /no entry/));

  it('are refused for an entry that is there twice', () =>
    refused(forge([manifest, sensors, sensors]), 'sensors.ndjson', /twice/));

  it('are refused for a wrong checksum', () =>
    refused(forge([manifest, { ...sensors, crc: 1 }]), 'sensors.ndjson', /checksum/));

  it('are refused if they are cut, or say that they are smaller', async () => {
    const whole = forge([manifest, { ...sensors, method: 8 }]);
    await refused(whole.subarray(0, whole.length - 30), '', /no valid zip/);
    user = await platform.user();
    await refused(forge([manifest, { ...sensors, method: 8, size: 10 }]), 'sensors.ndjson', /no valid zip/);
  });

  it('are refused for a broken member of gzip', () =>
    refused(
      forge([manifest, sensors, data(gzipSync('{"date":1,"value":"1"}\n').subarray(0, 20))]),
      'data/7.ndjson.gz',
      /unpacked/,
    ));

  it('are refused for bombs, of which little is unpacked', async () => {
    const zeros = gzipSync(Buffer.alloc(200_000_000), { level: 9 });
    const before = process.memoryUsage().rss;
    await refused(forge([manifest, sensors, data(zeros)]), 'data/7.ndjson.gz', /longer than/);
    user = await platform.user();
    const blank = gzipSync(Buffer.alloc(200_000_000, '\n'), { level: 9 });
    await refused(forge([manifest, sensors, data(blank)]), 'data/7.ndjson.gz', /too many bytes/);
    assert.ok(process.memoryUsage().rss - before < 300_000_000);
  });

  it('are refused for a line of 100 MB', async () => {
    const long = `{"date":1,"value":"${randomBytes(50_000_000).toString('hex')}"}\n`;
    await refused(
      forge([manifest, sensors, data(gzipSync(long, { level: 1 }))]),
      'data/7.ndjson.gz',
      /line 1 is longer/,
    );
  });

  it('are refused for text that is not UTF-8', () =>
    refused(
      forge([manifest, { name: 'sensors.ndjson', body: Buffer.from([0x7b, 0xff, 0xfe, 0x7d, 0x0a]) }]),
      'sensors.ndjson',
      /UTF-8/,
    ));

  it('are refused for a million entries', async () => {
    const many = forge([manifest, sensors], 65_534);
    await refused(many, '', /65534 entries/);
  });

  it('are refused for data of a sensor that is not listed', () =>
    refused(forge([manifest, sensors, { name: 'data/8.ndjson.gz' }]), 'data/8.ndjson.gz', /no sensor/));

  it('are refused for sensors with one id, wrong fields or unknown ones', async () => {
    const wrong = [
      [lines(SENSOR, SENSOR), /line 2: the id 7 is there twice/],
      [lines({ ...SENSOR, id: 'x' }), /line 1: an id/],
      [lines({ ...SENSOR, sensor: { name: '' } }), /line 1: sensor.name is required/],
      [lines({ ...SENSOR, sensor: { name: 'a', owner_id: '1' } }), /line 1: sensor.owner_id/],
      [lines({ ...SENSOR, retention_days: -1 }), /line 1: retention.days/],
      [lines({ ...SENSOR, metatags: { default: { [`x`.repeat(33)]: ['y'] } } }), /line 1: /],
      ['{"id":\n', /line 1 is no JSON/],
      ['[]\n', /line 1 is no object/],
    ] as const;
    for (const [body, why] of wrong) {
      user = await platform.user();
      await refused(forge([manifest, { name: 'sensors.ndjson', body }]), 'sensors.ndjson', why);
    }
  });

  it('are refused for points out of order, and for rules and tiles with mistakes', async () => {
    const points = gzipSync('{"date":2,"value":"1"}\n{"date":1,"value":"1"}\n');
    await refused(forge([manifest, sensors, data(points)]), 'data/7.ndjson.gz', /line 2: the date/);
    const rules = 'set: account\ntriggers:\n  - name: x\n    expression: "sensor_data_value >"\n';
    user = await platform.user();
    await refused(forge([manifest, sensors, { name: 'rules.yaml', body: rules }]), 'rules.yaml', /expression/);
    const dashboard = { id: '1', dashboard: { name: 'x', tiles: [{ kind: 'chart', x: 0, y: 0, w: 99, h: 1 }] } };
    user = await platform.user();
    await refused(
      forge([manifest, { name: 'dashboards.ndjson', body: lines(dashboard) }]),
      'dashboards.ndjson',
      /line 1/,
    );
  });

  it('never reach a sensor of another account by its id', async () => {
    const victim = await platform.user();
    const { body } = await victim.api.post('/sensors', { sensor: { name: 'secret' } });
    const foreign = body.sensor.id;
    const tile = { kind: 'value', sensors: [foreign], x: 0, y: 0, w: 4, h: 4 };
    const rules = `set: account\ntriggers:\n  - name: x\n    inactivity: 60\n    sensors: ["${foreign}"]\n`;
    const services = { id: '7', name: 'math_service', inputs: [{ id: foreign, fields: [] }], methods: [] };
    const done = await makeImport(
      platform,
      user,
      forge([
        ...[manifest, sensors, { name: 'services.ndjson', body: lines(services) }],
        { name: 'dashboards.ndjson', body: lines({ id: '1', dashboard: { name: 'x', tiles: [tile] } }) },
        { name: 'rules.yaml', body: rules },
      ]),
    );
    assert.deepEqual([done.state, done.error], ['done', '']);
    const dashboards = (await user.api.get('/dashboards')).body.dashboards;
    assert.deepEqual(dashboards[0].tiles, []);
    assert.equal((await victim.api.get(`/sensors/${foreign}/triggers`)).body.triggers.length, 0);
    assert.equal((await platform.query('SELECT COUNT(*) AS total FROM service_inputs'))[0]?.total, 0);
    assert.ok(done.left_out.length > 3);
  });
});
