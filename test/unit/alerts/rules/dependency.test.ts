import assert from 'node:assert/strict';
import { dependencyColumns, dependencyOf, dependencyProblem, MAX_DEPTH } from '../../../../src/alerts/rules/dependency';
import { noticedMs } from '../../../../src/notifications';

/** `a>b`: a depends on b. */
const parentsOf = (text: string) =>
  new Map(
    text
      .split(' ')
      .filter(Boolean)
      .map((one) => one.split('>').map(Number) as [number, number]),
  );

describe('a dependency of triggers', () => {
  it('is refused where it would close a cycle, which is named', () => {
    for (const [parents, id, parentId, chain] of [
      ['', 1, 1, [1, 1]],
      ['1>2', 2, 1, [2, 1, 2]],
      ['1>2 2>3 3>4', 4, 1, [4, 1, 2, 3, 4]],
    ] as const) {
      assert.deepEqual(dependencyProblem(parentsOf(parents), id, parentId), { kind: 'cycle', chain });
    }
  });

  it('replaces the present one, and may have several dependents', () => {
    for (const [parents, id, parentId] of [
      ['1>2', 1, 3],
      ['1>2 2>3', 2, 4],
      ['1>2 3>2 4>2', 5, 2],
      ['1>2 2>3', 3, 4],
    ] as const) {
      assert.equal(dependencyProblem(parentsOf(parents), id, parentId), null, parents);
    }
  });

  it('is refused beyond five in a row, above and below together', () => {
    assert.equal(MAX_DEPTH, 5);
    assert.equal(dependencyProblem(parentsOf('1>2 2>3 3>4 4>5'), 0, 1), null);
    assert.deepEqual(dependencyProblem(parentsOf('1>2 2>3 3>4 4>5 5>6'), 0, 1), { kind: 'too-deep' });
    assert.equal(dependencyProblem(parentsOf('1>2 2>3 4>5 5>6'), 3, 4), null);
    assert.deepEqual(dependencyProblem(parentsOf('1>2 2>3 4>5 5>6 6>7'), 3, 4), { kind: 'too-deep' });
  });

  it('ends for stored rows in a cycle, too', () => {
    assert.equal(dependencyProblem(parentsOf('1>2 2>1'), 5, 1), null);
  });

  it('is three columns', () => {
    const dependency = { triggerId: 4, label: 'gateway', waitS: 60 };
    assert.deepEqual(dependencyOf(dependencyColumns(dependency)), dependency);
    assert.equal(dependencyOf(dependencyColumns(null)), null);
  });

  it('lets a delivery wait two seconds, or `wait` from the beginning of its episode', () => {
    assert.equal(noticedMs(0, 0, 0), 2_000);
    assert.equal(noticedMs(0, 0, 60), 60_000);
    assert.equal(noticedMs(0, 59_000, 60), 61_000);
    assert.equal(noticedMs(0, 120_000, 60), 122_000);
  });
});
