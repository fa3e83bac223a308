import assert from 'node:assert/strict';
import fc from 'fast-check';
import { chooseSensors } from '../../../../src/people/groups/group-offer';

const OWN = [
  { id: 1, name: 'position' },
  { id: 2, name: 'position' },
  { id: 3, name: 'noise' },
  { id: 4, name: 'diary' },
];

describe('the choice of sensors for a group', () => {
  const cases = [
    { what: 'empty when nothing is required or offered', demands: {}, offered: [], asked: [], extra: [], missing: [] },
    {
      what: 'all sensors of a required name',
      demands: { required: ['position'] },
      offered: [],
      asked: [1, 2],
      extra: [],
      missing: [],
    },
    {
      what: 'limited to the offered ones of a name',
      demands: { required: ['position'] },
      offered: [2],
      asked: [2],
      extra: [],
      missing: [],
    },
    {
      what: 'extended by sensors of optional names',
      demands: { optional: ['noise', 'light'] },
      offered: [],
      asked: [3],
      extra: [],
      missing: [],
    },
    {
      what: 'separate from other offered sensors',
      demands: { required: ['noise'] },
      offered: [4, 4],
      asked: [3],
      extra: [4],
      missing: [],
    },
    {
      what: 'incomplete for required names without a sensor, which it names',
      demands: { required: ['light', 'noise', 'light'], optional: ['light'] },
      offered: [],
      asked: [3],
      extra: [],
      missing: ['light'],
    },
    { what: 'empty for sensors of other users', demands: {}, offered: [9], asked: [], extra: [], missing: [] },
  ];
  for (const { what, demands, offered, ...chosen } of cases) {
    it(`is ${what}`, () => {
      assert.deepEqual(chooseSensors({ required: [], optional: [], ...demands }, OWN, offered), chosen);
    });
  }

  it("contains only the user's own sensors, each once, and all offered ones", () => {
    const name = fc.constantFrom('a', 'b', 'c');
    const own = fc.uniqueArray(fc.record({ id: fc.nat(20), name }), { selector: ({ id }) => id });
    fc.assert(
      fc.property(fc.array(name), fc.array(name), own, fc.array(fc.nat(20)), (required, optional, sensors, offered) => {
        const { asked, extra, missing } = chooseSensors({ required, optional }, sensors, offered);
        const ids = sensors.map(({ id }) => id);
        const chosen = [...asked, ...extra];
        assert.equal(new Set(chosen).size, chosen.length);
        assert.ok(chosen.every((id) => ids.includes(id)));
        assert.ok(offered.every((id) => !ids.includes(id) || chosen.includes(id)));
        const names = new Set(sensors.filter(({ id }) => asked.includes(id)).map((sensor) => sensor.name));
        for (const wanted of required) assert.notEqual(names.has(wanted), missing.includes(wanted));
      }),
    );
  });
});
