import assert from 'node:assert/strict';
import { readListOrSingle } from '../../../src/edge/list-or-single';
import { InvalidInput } from '../../../src/platform/errors';

describe('things that a body names as a list or as a single one', () => {
  const read = (items?: string[], item?: string) =>
    readListOrSingle({ name: 'sensors', items }, { name: 'sensor', item });

  it('are read with the place where the body names them', () => {
    assert.deepEqual(read(['a', 'b']), [
      { item: 'a', path: 'sensors[0]' },
      { item: 'b', path: 'sensors[1]' },
    ]);
    assert.deepEqual(read(undefined, 'c'), [{ item: 'c', path: 'sensor' }]);
    assert.deepEqual(
      read(['a'], 'c').map(({ item }) => item),
      ['a', 'c'],
    );
  });

  it('are required', () => {
    for (const items of [undefined, []]) {
      assert.throws(
        () => read(items),
        (error) => error instanceof InvalidInput && error.fields?.sensors === 'is required',
      );
    }
  });
});
