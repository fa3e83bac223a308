import assert from 'node:assert/strict';
import fc from 'fast-check';
import { readTable } from '../../../console/src/csv/records';
import {
  KEYS,
  type Labelled,
  type LabelPlan,
  MOST_ROWS,
  readLabels,
  writeLabels,
} from '../../../console/src/pages/sensors/label-table';
import { tagsOf } from '../../../console/src/search/find';

const SENSORS: Labelled[] = [
  {
    id: '1',
    name: 'freezer 1',
    metatags: { limit: [-18], kind: ['freezer'] },
    other_metatags: { shop: { limit: ['3'] } },
  },
  { id: '2', name: 'f2', display_name: 'Freezer 2', metatags: { limit: ['8.50'], zone: ['a', 'b'] } },
  { id: '3', name: 'door' },
  { id: '4', name: 'door' },
  { id: '5', name: 'foreign', owner: { id: '9' }, metatags: { limit: [1] } },
];

const read = (text: string, sensors = SENSORS) => readLabels(readTable(text, KEYS), sensors, tagsOf(sensors));
const changesOf = ({ changes }: LabelPlan) =>
  changes.map(({ sensor, column: { namespace = 'default', tag }, before, after }) =>
    [sensor.id, namespace, tag, before.join('|'), after.join('|')].join(' '),
  );

describe('labels from a file', () => {
  const cases: [title: string, text: string, changes: string[]][] = [
    ['by id', 'id,limit\n1,-20', ['1 default limit -18 -20']],
    ['by name, in any letter case', 'Name,limit\nFREEZER 1,-20', ['1 default limit -18 -20']],
    ['by the name that is displayed, and by the other one', 'name,kind\nfreezer 2,x\nf2,y', ['2 default kind  x']],
    ['by id, whatever the name is', 'id,name,limit\n3,freezer 1,4', ['3 default limit  4']],
    [
      'with decimal commas between semicolons',
      'id;limit\n1;-18,5\n3;1,000',
      ['1 default limit -18 -18.5', '3 default limit  1.000'],
    ],
    ['with decimal points between semicolons', 'id;limit\n1;-18.5', ['1 default limit -18 -18.5']],
    ['with a minus sign', 'id,limit\n1,−20', ['1 default limit -18 -20']],
    ['of another namespace', 'id,shop:limit\n1,4\n2,5', ['1 shop limit 3 4', '2 shop limit  5']],
    ['of the default namespace, which is named', 'id,default:name\n1,x', ['1 default name  x']],
    ['with several values', 'id,zone\n2,a|c', ['2 default zone a|b a|c']],
    ['where they differ', 'id,limit,kind,zone\n1,-18,freezer,\n2,8.5,,a|b', []],
    ['except of empty cells', 'id,limit\n1,', []],
  ];
  for (const [title, text, changes] of cases) {
    it(`are read ${title}`, () => assert.deepEqual(changesOf(read(text)), changes));
  }

  it('say which lines are left out, and why', () => {
    const text = 'id,name,limit\n9,,1\n,cellar,2\n,door,3\n5,,4\n,foreign,4\n,,5\n1,,6\n,freezer 1,7\n3,"x"y,8';
    const plan = read(text);
    assert.deepEqual(
      plan.leftOut.map(({ line, name, why }) => `${line} ${name}: ${why}`),
      [
        '2 9: no sensor has this id',
        '3 cellar: no sensor has this name',
        '4 door: 2 sensors have this name: add a column id',
        '5 5: it belongs to another user',
        '6 foreign: it belongs to another user',
        '7 : no sensor has this name',
        '9 freezer 1: an earlier line has the same sensor',
        '10 "x"y: a quotation mark is in the wrong place, or is never closed',
      ],
    );
    assert.deepEqual([plan.sensors, changesOf(plan)], [1, ['1 default limit -18 6']]);
  });

  it('find an own sensor before one of another user with the same name', () => {
    const sensors = [...SENSORS, { id: '6', name: 'foreign' }];
    assert.deepEqual(changesOf(read('name,limit\nforeign,2', sensors)), ['6 default limit  2']);
  });

  it('mark metatags that no sensor has', () => {
    const { columns } = read('id,limit,shop:limit,colour,shop:colour\n1,1,1,1,1');
    assert.deepEqual(
      columns.map(({ name, isNew }) => [name, isNew]),
      [
        ['limit', false],
        ['shop:limit', false],
        ['colour', true],
        ['shop:colour', true],
      ],
    );
  });

  it('are refused in a file that names no sensors, no metatags, or a column twice, or has too many rows', () => {
    const heading = /The first line must name the column id or name/;
    assert.throws(() => read('sensor,limit\n1,2'), heading);
    assert.throws(() => read('id,name\n1,freezer'), heading);
    assert.throws(() => read(''), heading);
    assert.throws(() => read('id,limit,limit\n1,2,3'), /Two columns are named limit\./);
    const rows = (n: number) => `id,limit\n${Array.from({ length: n }, (_, at) => `${at + 1},9`).join('\n')}`;
    assert.throws(() => read(rows(MOST_ROWS + 1)), /more than 1,000 rows/);
    assert.equal(read(rows(MOST_ROWS)).leftOut.length, MOST_ROWS - 4);
  });

  it('change nothing if they are written and read, with commas and semicolons', () => {
    fc.assert(
      fc.property(sensorsWithLabels(), fc.constantFrom(',' as const, ';' as const), (sensors, separator) => {
        const tags = tagsOf(sensors);
        const plan = read(writeLabels(sensors, [...tags.keys()], tags, separator), sensors);
        assert.deepEqual([changesOf(plan), plan.leftOut, plan.sensors], [[], [], sensors.length]);
      }),
    );
  });

  it('change one label if one cell is edited, and no other', () => {
    fc.assert(
      fc.property(sensorsWithLabels(), fc.constantFrom(',' as const, ';' as const), (sensors, separator) => {
        const tags = tagsOf(sensors);
        const edited = sensors.map((sensor, at) =>
          at === 0 ? { ...sensor, metatags: { ...sensor.metatags, limit: ['-99.5'] } } : sensor,
        );
        const text = writeLabels(edited, [...tags.keys()], tags, separator);
        assert.deepEqual(
          read(text, sensors).changes.map(({ sensor, column, after }) => [sensor.id, column.name, after]),
          [[sensors[0]?.id, 'limit', ['-99.5']]],
        );
      }),
    );
  });
});

/** Sensors with labels of two namespaces; all names that tables and rules could take for something else. */
function sensorsWithLabels(): fc.Arbitrary<Labelled[]> {
  const text = fc
    .string({ minLength: 1, maxLength: 12, unit: 'binary-ascii' })
    .map((one) => one.replace(/[^\x20-\x7e]|[|]/g, '_').trim());
  const value = fc.oneof(
    fc.integer(),
    fc.double({ noNaN: true, noDefaultInfinity: true }),
    fc.boolean(),
    fc.constantFrom('1,5', '8.50', '007', '=1+1'),
    text.filter(Boolean),
  );
  const name = fc.constantFrom('kind', 'name', 'id', 'a:b', 'x;y', 'x,y', 'say "x"');
  const metatags = fc.dictionary(name, fc.array(value, { minLength: 1, maxLength: 3 }), { noNullPrototype: true });
  const one = fc.record({ name: text, metatags, shop: metatags }, { noNullPrototype: true });
  return fc.array(one, { minLength: 2, maxLength: 6 }).map((all) =>
    all.map(({ shop, metatags: own, ...sensor }, at) => ({
      ...sensor,
      id: String(at + 1),
      metatags: { ...own, limit: [at] },
      other_metatags: { shop },
    })),
  );
}
