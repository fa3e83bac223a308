import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { MetatagValue } from '../../../src/access/metatags';
import { buildSensor } from '../../support/factories';
import { usePlatform, useUser } from '../../support/hooks';

/** Numbers first, by size; then the others by their text. */
function compareValues(a: MetatagValue, b: MetatagValue): number {
  if (typeof a === 'number' && typeof b === 'number') return a - b;
  if (typeof a === 'number' || typeof b === 'number') return typeof a === 'number' ? -1 : 1;
  const [left, right] = [String(a), String(b)];
  return left < right ? -1 : Number(left > right);
}

describe('distinct values of a metatag', () => {
  const platform = usePlatform();
  const user = useUser(platform);

  const read = async (query: string) => (await user.api.get(`/metatag_name/tag/distinct_values?${query}`)).body;

  it('have one order over all pages, whatever the values', async () => {
    const id = await buildSensor(user);
    const odd = [
      '',
      ' ',
      '"',
      '\\',
      'a"',
      'a!',
      'a\\',
      'a\n',
      'a\u0001',
      'a\u0000',
      'true',
      '1',
      'İ',
      '\uffee',
      '🙂',
      'a🙂',
    ];
    const numbers = [0, -1, 10, 9, 1e21, 1.5e-7, -3e300, 0.1, 0.30000000000000004];
    const text = fc.string({ unit: fc.constantFrom(...'ab"\\ !é\uffee🙂\n'), maxLength: 4 });
    const value = fc.oneof(fc.double({ noNaN: true, noDefaultInfinity: true }), fc.integer(), text, fc.boolean());
    const [drawn = []] = fc.sample(fc.array(value, { minLength: 300, maxLength: 300 }), 1);
    const given: MetatagValue[] = [...odd, ...numbers, ...drawn];
    assert.equal((await user.api.put(`/sensors/${id}/metatags`, { metatags: { tag: given } })).status, 200);
    const distinct = [...new Set(given.map((one) => JSON.stringify(one)))].map((one) => JSON.parse(one));
    // A boolean and its text are two values at one position of the order.
    const expected = distinct.sort((a, b) => compareValues(a, b) || (typeof a === 'string' ? -1 : 1));
    const listed: MetatagValue[] = [];
    for (let page = 0; listed.length < expected.length; page += 1) {
      const { distinct_values: values, total } = await read(`page=${page}&per_page=70&total=1`);
      assert.equal(total, expected.length);
      assert.ok(values.length > 0);
      listed.push(...values);
    }
    assert.deepEqual(listed, expected);
    assert.deepEqual(await read('page=9'), { distinct_values: [] });
  });

  it('may contain an unpaired surrogate', async () => {
    const values = ['\ud800', 'a"\udc00'];
    const put = await user.api.put(`/sensors/${await buildSensor(user)}/metatags?namespace=halves`, {
      metatags: { tag: values },
    });
    assert.equal(put.status, 200);
    const { distinct_values: listed } = await read('namespace=halves');
    assert.deepEqual(listed.sort(), [...values].sort());
  });

  it('are read from the database only up to the page', async () => {
    const { pool, reads } = platform.container.database;
    const id = await buildSensor(user);
    const rows = Array.from({ length: 20_000 }, (_, at) => [id, 'many', 'tag', at, user.id, `"${at}"`, at]);
    await pool.query(
      'INSERT INTO metatags (sensor_id, namespace, name, position, owner_id, value, value_key) VALUES ?',
      [rows],
    );
    const { query } = reads;
    let received = 0;
    const counted = async (...args: Parameters<typeof query>) => {
      const result = await query.apply(reads, args);
      received += result[0].length;
      return result;
    };
    Object.assign(reads, { query: counted });
    try {
      const { distinct_values: values, total } = await read('namespace=many&per_page=3&page=1&total=1');
      assert.deepEqual([values, total], [['100', '1000', '10000'], 20_000]);
    } finally {
      Object.assign(reads, { query });
    }
    assert.equal(received, 4, 'rows: three values, and their number');
  });
});
