import assert from 'node:assert/strict';
import { buildSensor, createKey } from '../../support/factories';
import { usePlatform, useUser } from '../../support/hooks';

/** Every label of the Encoding Standard that this Node knows for an encoding of its own, and some that nobody knows. */
const LABELS = [
  ...['utf-8', 'us-ascii', 'iso-8859-1', 'windows-1252', 'UTF8', 'Latin1', '"utf-8"', "'ISO-8859-1'"],
  ...['ibm866', 'iso-8859-2', 'iso-8859-3', 'iso-8859-4', 'iso-8859-5', 'iso-8859-6', 'iso-8859-7', 'iso-8859-8'],
  ...['iso-8859-8-i', 'iso-8859-10', 'iso-8859-13', 'iso-8859-14', 'iso-8859-15', 'iso-8859-16', 'koi8-r', 'koi8-u'],
  ...['macintosh', 'windows-874', 'windows-1250', 'windows-1251', 'windows-1253', 'windows-1254', 'windows-1255'],
  ...['windows-1256', 'windows-1257', 'windows-1258', 'x-mac-cyrillic', 'gbk', 'gb18030', 'big5', 'euc-jp'],
  ...[
    'iso-2022-jp',
    'shift_jis',
    'euc-kr',
    'utf-16be',
    'utf-16le',
    'utf-16',
    'utf-7',
    'utf-32',
    'x-user-defined',
    'nonsense',
  ],
];
const READ = /^["']?(utf-?8|us-ascii|iso-8859-1|windows-1252|latin1)["']?$/i;

interface Answer {
  code?: string;
  error: string;
  sensor: { name: string };
}

describe('the charset of a body', () => {
  const platform = usePlatform();
  const user = useUser(platform);

  const send = async (path: string, type: string, body: Buffer): Promise<{ status: number; body: Answer }> => {
    const headers = { 'X-SESSION_ID': user.session, 'Content-Type': type };
    const response = await fetch(platform.url + path, { method: 'POST', headers, body: Uint8Array.from(body) });
    return { status: response.status, body: (await response.json()) as Answer }; // the API's own errors and records
  };
  const nested = Buffer.from(`{"sensor":{"name":"x","data_structure":${'['.repeat(101)}${']'.repeat(101)}}}`);

  it('changes nothing about the limits of JSON: another than four is refused', async () => {
    for (const label of LABELS) {
      const { status, body } = await send('/sensors', `application/json; charset=${label}`, nested);
      const expected = READ.test(label) ? [400, 'too_complex'] : [415, 'unreadable_charset'];
      assert.deepEqual([status, body.code], expected, label);
    }
  });

  it('is looked at in the same way for NDJSON, CSV and forms', async () => {
    const id = await buildSensor(user);
    const types = ['application/x-ndjson', 'text/csv', 'application/x-www-form-urlencoded'];
    for (const type of types) {
      const { status, body } = await send(`/sensors/${id}/data`, `${type}; charset=shift_jis`, Buffer.from('value=1'));
      assert.deepEqual([status, body.code], [415, 'unreadable_charset'], type);
    }
  });

  it('is what the bytes are: nothing is stored with replacement characters', async () => {
    const latin1 = Buffer.from('{"sensor":{"name":"K\u00fche"}}', 'latin1');
    for (const charset of ['', '; charset=utf-8', '; charset=us-ascii']) {
      const { status, body } = await send('/sensors', `application/json${charset}`, latin1);
      assert.deepEqual([status, body.code], [400, 'broken_encoding'], charset);
      assert.match(body.error, /not valid (utf-8|us-ascii)/);
    }
    const { body } = await send('/sensors', 'application/json; charset=ISO-8859-1', latin1);
    assert.equal(body.sensor.name, 'K\u00fche');
  });

  it('applies to uploads of devices as well', async () => {
    const id = await buildSensor(user, { data_type: 'string' });
    const upload = (charset: string, bytes: Buffer) =>
      send(`/sensors/${id}/data`, `application/json; charset=${charset}`, bytes);
    const value = Buffer.from('{"value":"\u00e4","date":1600000000}', 'latin1');
    assert.equal((await upload('windows-1252', value)).status, 201);
    assert.equal((await upload('utf-8', value)).status, 400);
    assert.equal((await upload('shift_jis', value)).status, 415);
    assert.equal((await user.api.get(`/sensors/${id}/data`)).body.data[0].value, '\u00e4');
  });

  it('names the line of the first wrong byte', async () => {
    const id = await buildSensor(user);
    const csv = Buffer.from('date,value\n1600000000,1\n1600000001,\u00e4', 'latin1');
    const { status, body } = await send(`/sensors/${id}/data`, 'text/csv', csv);
    assert.deepEqual(
      [status, body.code, body.error],
      [400, 'broken_encoding', 'the body is not valid utf-8 in line 3'],
    );
  });

  it('applies to the escaped bytes of a form as well', async () => {
    const form = 'application/x-www-form-urlencoded';
    const broken = await send('/sensors', form, Buffer.from('sensor[name]=K%FChe'));
    assert.deepEqual([broken.status, broken.body.code], [400, 'broken_encoding']);
    assert.match(broken.body.error, /K%FChe, which is not valid utf-8/);
    const latin1 = await send('/sensors', `${form}; charset=iso-8859-1`, Buffer.from('sensor[name]=K%FChe'));
    assert.equal(latin1.body.sensor.name, 'K\u00fche');
    const percent = await send('/sensors', form, Buffer.from('sensor[name]=100% K%C3%BChe'));
    assert.equal(percent.status, 201);
  });

  it('applies to lines of InfluxDB, each by itself', async () => {
    const key = (await createKey(user, { scopes: ['data:write', 'sensors:create'] })).secret;
    const write = async (type: string, body: Buffer) => {
      const headers = { Authorization: `Token ${key}`, 'Content-Type': type };
      const response = await fetch(`${platform.url}/api/v2/write?precision=s`, {
        method: 'POST',
        headers,
        body: Uint8Array.from(body),
      });
      return `${response.status} ${await response.text()}`;
    };
    const lines = (...rooms: string[]) =>
      Buffer.from(rooms.map((room) => `air,room=${room} value=1`).join('\n'), 'latin1');
    assert.match(await write('text/plain; charset=iso-8859-1', lines('K\u00fche', 'K\u00f6he', 'K\u00e4he')), /^204/);
    const names = async () =>
      (await user.api.get('/series')).body.series.map(({ name }: { name: string }) => name).sort();
    assert.deepEqual(await names(), ['air,room=K\u00e4he', 'air,room=K\u00f6he', 'air,room=K\u00fche']);
    const refused = await write('text/plain', lines('hall', 'M\u00fcll', 'attic'));
    assert.match(refused, /^400 .*2 lines are stored, 1 are not: line 2 is not valid utf-8/);
    assert.equal((await names()).length, 5);
    assert.match(await write('text/plain; charset=utf-16', lines('x')), /^415 .*charset must be utf-8/);
  });
});
