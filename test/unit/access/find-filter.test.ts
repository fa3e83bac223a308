import assert from 'node:assert/strict';
import fc from 'fast-check';
import { type FindFilter, type Operator, readFindFilter } from '../../../src/access/find-filter';
import { conditionsOf, parseSelector, readSelector } from '../../../src/alerts/rules/selector';

const value = fc.oneof(fc.string(), fc.integer(), fc.boolean(), fc.double(), fc.constant(null), fc.array(fc.string()));
const statement = fc.record(
  {
    metatag_name: fc.string(),
    operator: fc.constantFrom<Operator>('equal', 'in', 'is_set'),
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
});
