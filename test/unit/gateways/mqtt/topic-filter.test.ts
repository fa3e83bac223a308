import assert from 'node:assert/strict';
import { covers, fixedPart, isTopic, whyNoFilter, withoutCovered } from '../../../../src/gateways/mqtt/topic-filter';
import { assertLinear } from '../../../support/growth';

describe('topic filters', () => {
  it('are as the standard defines them', () => {
    for (const filter of ['#', '+', 'a', '/', '/a', 'a/', 'a//b', 'a/#', '+/a/#', 'a/+/b', '$SYS/#', 'é/ /b']) {
      assert.equal(whyNoFilter(filter), null, filter);
    }
    for (const filter of [
      '',
      '##',
      'a#',
      '#/a',
      'a/#/b',
      'a+',
      '+a',
      'a/+b/c',
      'a\u0000',
      'a\nb',
      '\ud800',
      '$share/g/a',
    ]) {
      assert.notEqual(whyNoFilter(filter), null, JSON.stringify(filter));
    }
    assert.deepEqual([isTopic('a/b'), isTopic('a/+'), isTopic('#'), isTopic('')], [true, false, false, false]);
    assert.deepEqual(['a/b/#', 'a/+/c', '#', 'a'].map(fixedPart), ['a/b', 'a', '', 'a']);
  });

  it('cover others', () => {
    const cases: [string, string, boolean][] = [
      ['#', 'a/b', true],
      ['#', '+/b/#', true],
      ['#', '$SYS/a', false],
      ['+/a', '$SYS/a', false],
      ['$SYS/#', '$SYS/a', true],
      ['a/#', 'a', true],
      ['a/#', 'a/b/+', true],
      ['a/+', 'a/b', true],
      ['a/+', 'a/b/c', false],
      ['a/+', 'a/#', false],
      ['+/b', 'a/+', false],
      ['a/b', 'a/b', true],
      ['a/b', 'a', false],
    ];
    for (const [filter, other, expected] of cases) assert.equal(covers(filter, other), expected, `${filter} ${other}`);
    assert.deepEqual(withoutCovered(['a/b', 'a/#', 'c', 'a/+', 'c']), ['a/#', 'c']);
  });

  it('are compared with those with wildcards only', () => {
    const wild = [
      ...Array.from({ length: 50 }, (_, index) => `${'+/'.repeat(490)}q${index}`),
      ...Array.from({ length: 100 }, (_, index) => `${'+/'.repeat(147)}w${index}`),
    ];
    assertLinear(4_000, (count) => {
      const plain = Array.from({ length: count }, (_, index) => `${'a/'.repeat(40)}${index}`);
      assert.equal(withoutCovered([...wild, ...plain]).length, wild.length + count);
    });
    assert.deepEqual(withoutCovered(['a/#', 'a/b', 'c', 'c']), ['a/#', 'c']);
  });
});
