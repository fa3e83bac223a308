import assert from 'node:assert/strict';
import mysql from 'mysql2';
import { valuesById } from '../../../src/storage/slices';

describe('values by id', () => {
  it('give each row its own value of each column', () => {
    const { sql, values } = valuesById([3, 1], { name: ["o'x", null], size: [5, 7] });
    assert.equal(
      mysql.format(
        sql,
        values.map((list) => [...list]),
      ),
      "name = ELT(FIELD(id, 3, 1), 'o\\'x', NULL), size = ELT(FIELD(id, 3, 1), 5, 7)",
    );
  });

  it('are a condition with one column', () => {
    assert.deepEqual(valuesById([3], { lease: [9] }), { sql: 'lease = ELT(FIELD(id, ?), ?)', values: [[3], [9]] });
  });
});
