import assert from 'node:assert/strict';
import { fieldName, toColumns, toFields } from '../../../src/edge/renaming';

describe('the names of fields and columns', () => {
  it('make columns of the fields of a request', () => {
    assert.deepEqual(toColumns({ name: 'x', keep_firing_for: 60 }, ['name', 'keepFiringFor']), {
      name: 'x',
      keepFiringFor: 60,
    });
  });

  it('leave out what is not given, and keep null', () => {
    const read = toColumns({ unit: undefined, resolved_text: null }, ['unit', 'resolvedText']);
    assert.deepEqual(Object.entries(read), [['resolvedText', null]]);
  });

  it('leave out what a request must not set, in either spelling', () => {
    const sent = { name: 'x', owner_id: 1, ownerId: 2 };
    assert.deepEqual(toColumns(sent as { name: string }, ['name']), { name: 'x' });
  });

  it('make fields only of the named columns', () => {
    const row = { keepFiringFor: 60, expression: null, ownerId: 7 };
    assert.deepEqual(toFields(row, ['keepFiringFor', 'expression']), { keep_firing_for: 60, expression: null });
  });

  it('are those of the API', () => {
    assert.equal(fieldName('requiredShowFirstName'), 'required_show_first_name');
  });
});
