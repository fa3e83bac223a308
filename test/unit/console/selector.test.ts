import assert from 'node:assert/strict';
import fc from 'fast-check';
import { type Follows, followsOf, selectorOf } from '../../../console/src/pages/trigger/selector';
import { readFindFilter } from '../../../src/access/find-filter';
import { readSelector } from '../../../src/alerts/rules/selector';

const follows = (...conditions: Follows['conditions']): Follows => ({
  kind: 'conditions',
  namespace: 'default',
  conditions,
});

describe('the selector that the console edits', () => {
  it('is written with one value, several and none', () => {
    const written = selectorOf(
      follows(
        { name: 'kind', values: 'freezer' },
        { name: ' room ', values: 'attic, ,cellar' },
        { name: 'b', values: '' },
      ),
    );
    assert.deepEqual(written?.filter, {
      metatag_statement_groups: [
        [{ metatag_name: 'kind', operator: 'equal', value: 'freezer' }],
        [{ metatag_name: 'room', operator: 'in', value: ['attic', 'cellar'] }],
        [{ metatag_name: 'b', operator: 'is_set' }],
      ],
    });
  });

  it('never selects all sensors unless it is asked to', () => {
    assert.equal(selectorOf(follows()), undefined);
    assert.equal(selectorOf(follows({ name: '  ', values: 'freezer' })), undefined);
    assert.equal(selectorOf({ ...follows(), kind: 'none' }), null);
    assert.deepEqual(selectorOf({ ...follows(), kind: 'all', namespace: '' }), {
      filter: {},
      all: true,
      namespace: 'default',
    });
    assert.equal(followsOf({ filter: { metatag_statement_groups: [[]] }, namespace: 'x' }).kind, 'all');
  });

  it('keeps conditions that it cannot edit, and names them', () => {
    const stored = {
      filter: {
        metatag_statement_groups: [
          [
            { metatag_name: 'kind', operator: 'equal' as const, value: 'freezer' },
            { metatag_name: 'cold', operator: 'is_set' as const },
          ],
          [{ metatag_name: 'room', operator: 'in' as const, value: ['a, b', 'c'] }],
          [{ metatag_name: 'limit', operator: '>=' as const, value: 5 }],
        ],
        sensor_statement_groups: [[{ sensor_property: 'device_type', operator: 'equal' as const, value: 'DS18B20' }]],
      },
      namespace: 'house',
    };
    const read = followsOf(stored);
    assert.deepEqual(
      read.conditions.map((one) => 'text' in one && one.text),
      ['kind is freezer or cold is set', 'room is a, b or c', 'limit >= 5', 'device type is DS18B20'],
    );
    assert.deepEqual(selectorOf(read), stored);
  });

  it('means the same after it was read and written', () => {
    const scalar = fc.oneof(fc.string({ maxLength: 5 }), fc.integer(), fc.boolean());
    const statement = fc.oneof(
      fc.record({ metatag_name: fc.constantFrom('a', 'b'), operator: fc.constant('equal' as const), value: scalar }),
      fc.record({
        metatag_name: fc.constantFrom('a', 'b'),
        operator: fc.constant('in' as const),
        value: fc.oneof(fc.array(scalar, { maxLength: 3 }), fc.string({ maxLength: 5 })),
      }),
      fc.record({ metatag_name: fc.constantFrom('a', 'b'), operator: fc.constant('is_set' as const) }),
      fc.record({
        metatag_name: fc.constantFrom('a', 'b'),
        operator: fc.constantFrom('<' as const, '>=' as const),
        value: fc.integer(),
      }),
    );
    const groups = fc.array(fc.array(statement, { minLength: 1, maxLength: 2 }), { minLength: 1, maxLength: 3 });
    fc.assert(
      fc.property(groups, (metatag_statement_groups) => {
        const filter = { metatag_statement_groups };
        const written = selectorOf(followsOf<never>({ filter, namespace: 'default' }));
        assert.ok(written);
        assert.ok('selector' in readSelector(written, 'selector'));
        assert.deepEqual(readFindFilter(written.filter, ''), readFindFilter(filter, ''));
      }),
    );
  });
});
