import assert from 'node:assert/strict';
import { readYaml } from '../../../../src/alerts/rule-sets/yaml-document';
import { finish } from '../../../../src/platform/steps';
import { assertWithin, leastMs } from '../../../support/growth';

const read = (text: string) => finish(readYaml(text));

describe('a document of YAML', () => {
  it('is plain data: JSON, and the core schema of YAML 1.2', () => {
    const all: [string, unknown][] = [
      ['{"a": [1, null, true, "x"]}', { a: [1, null, true, 'x'] }],
      [
        'a: 21:00\nb: yes\nc: 0x10\nd: 010\ne: ~\nf: 2026-11-30',
        { a: '21:00', b: 'yes', c: 16, d: 10, e: null, f: '2026-11-30' },
      ],
      ['a: &x {hold: 5}\nb: *x\nc: [*x]', { a: { hold: 5 }, b: { hold: 5 }, c: [{ hold: 5 }] }],
      ['a: |\n  one\n  two\nb: >-\n  three\n  four', { a: 'one\ntwo\n', b: 'three four' }],
      ['"constructor": 1\n"toString": 2', { constructor: 1, toString: 2 }],
      ['<<: {a: 1}\n1: x\ntrue: y', { '<<': { a: 1 }, 1: 'x', true: 'y' }],
    ];
    for (const [text, expected] of all) assert.deepEqual({ ...Object(read(text).value) }, expected, text);
  });

  it('has the place of each part, and of the nearest one above a missing part', () => {
    const document = read('set: a\ntriggers:\n  - name: x\n    hold: 5\n  - { name: y }\n');
    const places = (path: string) => Object.values(document.placeOf(path));
    assert.deepEqual(places('triggers[0].hold'), [4, 5]);
    assert.deepEqual(places('triggers[1].name'), [5, 7]);
    assert.deepEqual(places('triggers[1].expression'), [5, 5]);
    assert.deepEqual(places('triggers[7].sensors[0].name'), [2, 1]);
    assert.deepEqual(places('mutes'), [1, 1]);
    const { message, fields } = document.mistake('triggers[0].hold', 'is wrong');
    assert.deepEqual(
      [message, fields],
      ['line 4, column 5: triggers[0].hold is wrong', { 'triggers[0].hold': 'is wrong' }],
    );
  });

  it('is refused if it is hostile, for at most four times the cost of a long document', () => {
    const list = (count: number, item: string) => `[${`${item},`.repeat(count)}]`;
    const hostile = {
      'a bomb of aliases': `a: &a ${list(50, 'x')}\nb: &b ${list(50, '*a')}\nc: &c ${list(50, '*b')}\nd: ${list(50, '*c')}`,
      'aliases of a long text': `a: &a ${'x'.repeat(60_000)}\nb: ${list(20_000, '*a')}`,
      'aliases of a long name': `a: &a {${'x'.repeat(60_000)}: 1}\nb: ${list(10_000, '*a')}`,
      'an alias of itself': 'a: &a [*a]',
      'an alias before its anchor': 'a: *b\nb: &b 1',
      'deep lists': '['.repeat(450_000),
      'deep objects': '{a: '.repeat(100_000),
      'deep items': '- '.repeat(200_000),
      'deep keys': '? '.repeat(200_000),
      'deep indentation': Array.from({ length: 900 }, (_, depth) => `${' '.repeat(depth)}a:`).join('\n'),
      'many fields': Array.from({ length: 50_000 }, (_, index) => `k${index}: 1`).join('\n'),
      'many equal fields': 'a: 1\n'.repeat(90_000),
      'many items': list(220_000, 'a'),
      'many anchors': '&a '.repeat(160_000),
      'many quotes': '"'.repeat(499_000),
      'many comments': '#\n'.repeat(240_000),
      'many lines': `a:${'\n'.repeat(490_000)}`,
      'many directives': '%X\n'.repeat(160_000),
      'many documents': '---\n'.repeat(120_000),
      'a long tag': '!'.repeat(400_000),
      'an unknown tag': 'a: !!js/function "x"',
      'a tag that makes bytes': 'a: !!binary aGk=',
      'an own prototype': 'a: {__proto__: {x: 1}}',
      infinity: 'a: .inf',
      'too large a number': 'a: 1e999',
      'too many digits': 'a: 12345678901234567890',
      'a list as a key': '? [a]\n: b',
      'too many bytes': 'a'.repeat(500_001),
    };
    const most = 4 * leastMs(() => read(list(15_000, 'a')));
    for (const [what, text] of Object.entries(hostile)) {
      const refused = () => assert.throws(() => read(text), { name: 'InvalidInput', status: 400 }, what);
      assertWithin(most, refused, what);
    }
  });
});
