import assert from 'node:assert/strict';
import fc from 'fast-check';
import { UploadQueue } from '../../../src/intake/upload-queue';

interface Request {
  userId: number;
  size: number;
  bytes: number;
  name: string;
}
const request = (userId: number, size: number, name = ''): Request => ({ userId, size, bytes: size, name });

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

  it('of users with few points are taken by themselves, up to a number of points in all, and none that are held', () => {
    const queue = new UploadQueue<Request>();
    const given = [request(1, 9, 'a'), request(2, 1, 'b'), request(2, 2, 'c'), request(3, 4, 'd'), request(4, 3, 'e')];
    for (const one of given) queue.add(one);
    queue.hold(4);
    const names = (requests: readonly Request[]) => requests.map(({ name }) => name);
    assert.deepEqual(names(queue.takeFew(7)), ['b', 'c', 'd']);
    assert.deepEqual([names(queue.takeFew(7)), queue.points], [[], 12]);
    queue.release(4);
    assert.deepEqual(names(queue.takeFew(7)), ['e']);
    assert.deepEqual([names(queue.take(100)), queue.points, queue.isEmpty], [['a'], 0, true]);
  });

  it('are refused if too many points of their user are waiting, but one large upload alone is not', () => {
    const queue = new UploadQueue<Request>();
    assert.equal(queue.add(request(1, 1_000_000)), 'taken');
    assert.equal(queue.add(request(1, 1)), 'too-many');
    assert.equal(queue.add(request(2, 1)), 'taken');
    queue.take(1);
    assert.equal(queue.add(request(1, 1)), 'taken');
  });

  it('are refused beyond 64 MB of all users, but never those of a user with no more than an equal share', () => {
    const queue = new UploadQueue<Request>();
    const megabytes = (userId: number, count: number) => ({ ...request(userId, 1), bytes: count * 1024 * 1024 });
    for (const userId of [1, 2, 3]) for (let part = 0; part < 4; part += 1) queue.add(megabytes(userId, 5));
    assert.equal(queue.add(megabytes(1, 5)), 'full', '65 MB, 25 of them of one of three');
    assert.equal(queue.add(megabytes(4, 5)), 'taken', 'a fourth has 16');
    assert.equal(queue.add(megabytes(4, 12)), 'full');
    queue.take(100);
    assert.equal(queue.add(megabytes(1, 5)), 'taken');
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

  it('leave little of thousands of users behind who have nothing waiting any more', () => {
    const queue = new UploadQueue<Request>();
    for (let userId = 1; userId <= 50_000; userId += 1) {
      queue.add(request(userId, 1, `of ${userId}`));
      assert.deepEqual(queue.take(1).length, 1);
    }
    const lines: ReadonlyMap<number, unknown> = Reflect.get(queue, 'lines');
    assert.ok(lines.size <= 1_000, `${lines.size} users`);
    for (const userId of [1, 50_000]) assert.equal(queue.add(request(userId, 1)), 'taken');
    assert.equal(queue.take(10).length, 2);
  });

  it('are all taken exactly once and in order per user, however many are requested', () => {
    const requests = fc.array(
      fc.record({ userId: fc.integer({ min: 1, max: 4 }), size: fc.integer({ min: 1, max: 99 }) }),
    );
    fc.assert(
      fc.property(requests, fc.array(fc.integer({ min: 1, max: 300 })), (given, takes) => {
        const queue = new UploadQueue<Request>();
        const added = given
          .map((each, index) => ({ ...each, bytes: 1, name: String(index) }))
          .filter((each) => queue.add(each) === 'taken');
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
