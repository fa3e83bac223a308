import assert from 'node:assert/strict';
import { readId } from '../../../src/edge/id';
import { readPage } from '../../../src/edge/paging';
import { NotFound } from '../../../src/platform/errors';

describe('paging', () => {
  it('has page 0 and 100 items by default', () => {
    assert.deepEqual(readPage({}), { offset: 0, limit: 100, withTotal: false });
  });

  it('limits a page to 1000 items, also for the offset', () => {
    assert.deepEqual(readPage({ page: 2, per_page: 5000, total: true }), {
      offset: 2000,
      limit: 1000,
      withTotal: true,
    });
  });

  it('refuses a negative page, an empty page and too large numbers', () => {
    const wrong = [
      { page: -1 },
      { page: 0.5 },
      { per_page: 0 },
      { per_page: -3 },
      { page: 2 ** 53 },
      { page: Number.NaN },
    ];
    for (const query of wrong) assert.throws(() => readPage(query), { status: 400 });
  });
});

describe('ids in paths', () => {
  it('reads decimal digits', () => {
    assert.equal(readId('42', 'sensor'), 42);
    assert.equal(readId('007', 'sensor'), 7);
  });

  it('accepts nothing else', () => {
    for (const text of ['', '0', '-1', '1.5', '1e3', '0x10', ' 1', 'abc', '9007199254740992', '1'.repeat(40)]) {
      assert.throws(() => readId(text, 'sensor'), NotFound);
    }
  });
});
