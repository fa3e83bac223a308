import assert from 'node:assert/strict';
import { buildSensor } from '../support/factories';
import { usePlatform, useUser } from '../support/hooks';

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
});
