import assert from 'node:assert/strict';
import fc from 'fast-check';
import qs from 'qs';
import { parseForm } from '../../../../src/api/middlewares/form';
import { PlatformError } from '../../../../src/platform/errors';
import { Stopwatch } from '../../../support/stopwatch';

describe('the reader of forms and queries', () => {
  const read: [string | null, unknown][] = [
    [null, {}],
    ['', {}],
    ['a=1&b=&c&=x&&', { a: '1', b: '', c: '' }],
    ['a+b=c%20d&%C3%A9=%E0%A4%A', { 'a b': 'c d', é: '%E0%A4%A' }],
    ['text=x[y]=z&url=a=b', { text: 'x[y]=z', url: 'a=b' }],
    ['a[b][c]=1&a%5Bd%5D=2', { a: { b: { c: '1' }, d: '2' } }],
    ['a=1&a=2', { a: ['1', '2'] }],
    ['a[]=1', { a: ['1'] }],
    ['a[]=1&a[]=2', { a: ['1', '2'] }],
    ['a[2]=z&a[0]=x', { a: ['x', 'z'] }],
    ['a=1&a[]=2', { a: ['1', '2'] }],
    ['a[b=1&c]=2', { a: { '[b': '1' }, 'c]': '2' }],
    ['a[2024]=x', { a: { 2024: 'x' } }],
    ['a[0]=x&a[y]=z', { a: { 0: 'x', y: 'z' } }],
    ['__proto__[x]=1&a[constructor][prototype]=2&b[__proto__]=3&c=4', { c: '4' }],
  ];
  for (const [text, value] of read) {
    it(`reads ${JSON.stringify(text)}`, () => assert.deepEqual(parseForm(text), value));
  }

  it('begins a new record of a list without indexes when a name is repeated, as Rack does', () => {
    const rack: [string, unknown][] = [
      [
        'a[][v]=1&a[][d]=1&a[][v]=2&a[][d]=2',
        {
          a: [
            { v: '1', d: '1' },
            { v: '2', d: '2' },
          ],
        },
      ],
      ['a[][v]=1&a[][v]=2&a[][d]=3', { a: [{ v: '1' }, { v: '2', d: '3' }] }],
      ['a[][v][x]=1&a[][v][y]=2&a[][v][x]=3', { a: [{ v: { x: '1', y: '2' } }, { v: { x: '3' } }] }],
      ['a[][t][]=1&a[][t][]=2&a[][v]=3', { a: [{ t: ['1', '2'], v: '3' }] }],
      [
        's[][id]=1&s[][a][][v]=1&s[][a][][v]=2&s[][id]=2&s[][a][][v]=3',
        {
          s: [
            { id: '1', a: [{ v: '1' }, { v: '2' }] },
            { id: '2', a: [{ v: '3' }] },
          ],
        },
      ],
    ];
    for (const [text, value] of rack) assert.deepEqual(parseForm(text), value);
  });

  it('reads exactly what was written with indexes and names', () => {
    const word = fc.stringMatching(/^[a-z &=+%é]{1,6}$/);
    const { tree } = fc.letrec((tie) => ({
      tree: fc.oneof(
        { maxDepth: 4 },
        word,
        fc.array(tie('tree'), { minLength: 1, maxLength: 4 }),
        fc.dictionary(word, tie('tree'), { minKeys: 1, maxKeys: 4 }),
      ),
    }));
    fc.assert(
      fc.property(fc.dictionary(word, tree, { maxKeys: 4 }), (value) => {
        const copy: unknown = JSON.parse(JSON.stringify(value));
        assert.deepEqual(parseForm(qs.stringify(value)), copy);
      }),
    );
  });

  it('reads a list of ten thousand records, counted from 0 or from 1, in any order', () => {
    const indexes = Array.from({ length: 10_000 }, (_, index) => index);
    const expected = indexes.map((index) => ({ value: String(index), date: '7' }));
    const written = (first: number) =>
      indexes.map((index) => `data[${index + first}][value]=${index}&data[${index + first}][date]=7`);
    assert.deepEqual(parseForm(written(0).join('&')), { data: expected });
    assert.deepEqual(parseForm(written(1).join('&')), { data: expected });
    assert.deepEqual(parseForm(written(0).reverse().join('&')), { data: expected });
  });

  it('neither reserves memory for a large index nor becomes slow with many of them', () => {
    assert.deepEqual(parseForm('data[999999999][value]=1'), { data: { 999999999: { value: '1' } } });
    const many = Array.from({ length: 100_000 }, (_, index) => `d[${(index * 7919) % 1_000_000}]=1`).join('&');
    const watch = new Stopwatch();
    assert.equal(Object.keys(Object(parseForm(many)).d).length, 100_000);
    const deep = `a${'[b]'.repeat(1_000_000)}=1&${'['.repeat(1_000_000)}=1`;
    assert.equal(Object.keys(parseForm(deep)).length, 2);
    assert.ok(watch.stop() < 10_000);
  });

  it('refuses many escapes that are not UTF-8', () => {
    assert.equal(Object.keys(parseForm('a%e9=1&b%e9=%e9', 'windows-1252')).length, 2);
    assert.throws(
      () => parseForm(`a=${'%e9'.repeat(21_846)}`, 'windows-1252'),
      /at most 65536 characters with escapes/,
    );
  });

  it('refuses more parameters than any upload needs, instead of omitting some', () => {
    assert.throws(() => parseForm('a&'.repeat(100_001)), PlatformError);
  });
});
