import assert from 'node:assert/strict';
import fc from 'fast-check';
import {
  type FindFilter,
  type MetatagOperator,
  parseFindFilter,
  readFindFilter,
} from '../../../src/access/find-filter';
import { conditionsOf, parseSelector, readSelector } from '../../../src/alerts/rules/selector';

const value = fc.oneof(
  fc.string(),
  fc.integer(),
  fc.boolean(),
  fc.double().map((one) => one + 0),
  fc.constant(null),
  fc.array(fc.string()),
);
const statement = fc.record(
  {
    metatag_name: fc.string(),
    operator: fc.constantFrom<MetatagOperator>('equal', 'in', 'is_set', '<', '<=', '>', '>='),
    value,
  },
  { requiredKeys: ['metatag_name', 'operator'] },
);
const filter = fc.record(
  { metatag_statement_groups: fc.array(fc.array(statement, { minLength: 1, maxLength: 4 }), { maxLength: 4 }) },
  { requiredKeys: [] },
);

describe('the filter of a search or a selector', () => {
  it('is stored so that it is read again with the same meaning', () => {
    fc.assert(
      fc.property(filter, (given: FindFilter) => {
        const direct = readFindFilter(given, 'filter');
        const all = (given.metatag_statement_groups ?? []).length === 0;
        const read = readSelector({ filter: given, all }, 'trigger.selector');
        if ('problem' in direct || 'problem' in read) {
          assert.ok('problem' in direct && 'problem' in read);
          assert.equal(read.problem.path, `trigger.selector.${direct.problem.path}`);
          assert.equal(read.problem.why, direct.problem.why);
          return;
        }
        assert.deepEqual(conditionsOf(parseSelector(JSON.stringify(read.selector))), direct.filter);
      }),
    );
  });

  it('is limited to 30 lists and 1,000 values', () => {
    const one = { metatag_name: 'a', operator: 'in', value: '1,2' } as const;
    const problemOf = (groups: (typeof one)[][]) => {
      const read = readFindFilter({ metatag_statement_groups: groups }, 'filter');
      return 'problem' in read ? `${read.problem.path} ${read.problem.why}` : undefined;
    };
    assert.equal(problemOf(Array(30).fill([one])), undefined);
    assert.equal(problemOf(Array(31).fill([one])), 'filter has more than 30 lists of statements');
    assert.equal(problemOf([Array(500).fill(one)]), undefined);
    assert.equal(problemOf([Array(501).fill(one)]), 'filter has more than 1000 values in all');
  });

  it('compares metatags with at most 30 numbers, and properties with none', () => {
    const above = (value: unknown) => ({ metatag_name: 'limit', operator: '>' as const, value });
    const read = (...group: object[]) => readFindFilter({ metatag_statement_groups: [group as never] }, 'filter');
    for (const value of [5, '5', ' 5.0 ', '5e0']) {
      const metatags = [[{ name: 'limit', comparison: '>', number: 5 }]];
      assert.deepEqual(read(above(value)), { filter: { metatags, properties: [] } });
    }
    for (const value of [
      undefined,
      null,
      '',
      'high',
      '0x10',
      '1e999',
      true,
      [5],
      Number.NaN,
      Number.POSITIVE_INFINITY,
    ]) {
      const path = 'filter.metatag_statement_groups[0][0].value';
      assert.deepEqual(read(above(value)), { problem: { path, why: 'must be a number' } });
    }
    assert.ok('filter' in read(...Array(30).fill(above(1))));
    const why = 'has more than 30 comparisons with numbers in all';
    assert.deepEqual(read(...Array(31).fill(above(1))), { problem: { path: 'filter', why } });
    const ofProperty = { sensor_statement_groups: [[{ sensor_property: 'type', operator: '>', value: 1 }]] };
    const refused = parseFindFilter(JSON.stringify(ofProperty), 'filter');
    assert.ok('problem' in refused && /must have an operator of equal, in, is_set$/.test(refused.problem.why));
    assert.ok('filter' in parseFindFilter(JSON.stringify({ metatag_statement_groups: [[above(1)]] }), 'filter'));
  });
});
