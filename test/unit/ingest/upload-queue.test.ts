import assert from 'node:assert/strict';
import fc from 'fast-check';
import { UploadQueue } from '../../../src/ingest/upload-queue';

interface Request {
  userId: number;
  size: number;
  name: string;
}
const request = (userId: number, size: number, name = ''): Request => ({ userId, size, name });

describe('waiting uploads', () => {
  it('are taken from the users in turn, however many one of them sends', () => {
    const queue = new UploadQueue<Request>();
    for (let index = 0; index < 50; index += 1) queue.add(request(1, 1_000, `a${index}`));
    queue.add(request(2, 1, 'b'));
    assert.deepEqual(
      queue.take(1_001).map(({ name }) => name),
      ['a0', 'b'],
    );
  });

  it('are refused if too many points of their user are waiting, but one large upload alone is not', () => {
    const queue = new UploadQueue<Request>();
    assert.equal(queue.add(request(1, 1_000_000)), true);
    assert.equal(queue.add(request(1, 1)), false);
    assert.equal(queue.add(request(2, 1)), true);
    queue.take(1);
    assert.equal(queue.add(request(1, 1)), true);
  });

  it('wait while their user is blocked, without delaying other users', () => {
    const queue = new UploadQueue<Request>();
    queue.add(request(1, 1, 'a'));
    queue.add(request(2, 1, 'b'));
    queue.hold(1);
    assert.deepEqual(
      queue.take(100).map(({ name }) => name),
      ['b'],
    );
    assert.equal(queue.isEmpty, true);
    queue.release(1);
    assert.equal(queue.isEmpty, false);
    assert.equal(queue.take(100).length, 1);
  });

  it('are all taken exactly once and in order per user, however many are requested', () => {
    const requests = fc.array(
      fc.record({ userId: fc.integer({ min: 1, max: 4 }), size: fc.integer({ min: 1, max: 99 }) }),
    );
    fc.assert(
      fc.property(requests, fc.array(fc.integer({ min: 1, max: 300 })), (given, takes) => {
        const queue = new UploadQueue<Request>();
        const added = given.map((each, index) => ({ ...each, name: String(index) })).filter((each) => queue.add(each));
        const taken = [...takes, ...given.map(() => 1_000)].flatMap((points) => queue.take(points));
        assert.equal(taken.length, added.length);
        for (const userId of [1, 2, 3, 4]) {
          const of = (all: Request[]) => all.filter((each) => each.userId === userId).map(({ name }) => name);
          assert.deepEqual(of(taken), of(added));
        }
      }),
    );
  });
});
