import assert from 'node:assert/strict';
import { arrange, type Box, DOT, isAside, type Label } from '../../../console/src/dashboards/arrange';

const ROOM = { width: 600, height: 400 };
const SIZES = [
  { width: 110, height: 40 },
  { width: 60, height: 20 },
];
const COUNT = { width: 40, height: 20 };
const spot = (x: number, y: number, isUrgent = false) => ({ x, y, sizes: SIZES, isUrgent });

function meets(a: Box, b: Box): boolean {
  return a.left < b.left + b.width && b.left < a.left + a.width && a.top < b.top + b.height && b.top < a.top + a.height;
}

/** All labels are inside, apart from each other, and together about all spots. */
function check(labels: readonly Label[], spots: number, taken: readonly Box[] = []): void {
  const boxes = labels.map(({ box }) => box);
  for (const [at, box] of boxes.entries()) {
    assert.ok(box.left >= 0 && box.top >= 0, JSON.stringify(box));
    assert.ok(box.left + box.width <= ROOM.width && box.top + box.height <= ROOM.height, JSON.stringify(box));
    for (const other of [...boxes.slice(at + 1), ...taken]) assert.ok(!meets(box, other), JSON.stringify([box, other]));
  }
  const named = labels.flatMap(({ of }) => of).sort((a, b) => a - b);
  assert.deepEqual(
    named,
    Array.from({ length: spots }, (_, at) => at),
  );
}

describe('the labels of a plan', () => {
  it('are on their spots where there is room, and otherwise next to them with a dot', () => {
    const labels = arrange([spot(100, 100), spot(400, 100), spot(440, 130)], ROOM, COUNT);
    check(labels, 3);
    assert.deepEqual(
      labels.map((label) => [label.size, isAside(label)]),
      [
        [0, false],
        [0, false],
        [0, true],
      ],
    );
    const { box } = labels[2] as Label;
    assert.ok(Math.abs(box.left - 440) < box.width + 2 * DOT && Math.abs(box.top - 130) < box.height + 2 * DOT);
  });

  it('get smaller, and share counts, until none overlaps, on any plan', () => {
    let seed = 7;
    const random = () => {
      seed = (seed * 16_807) % 2_147_483_647;
      return seed / 2_147_483_647;
    };
    for (const count of [1, 12, 60, 200]) {
      const spots = Array.from({ length: count }, () => spot(random() * ROOM.width, random() * ROOM.height));
      const labels = arrange(spots, ROOM, COUNT);
      check(labels, count);
      if (count === 200) assert.ok(labels.some(({ of }) => of.length > 1));
    }
    const same = Array.from({ length: 40 }, () => spot(300, 200));
    check(arrange(same, ROOM, COUNT), 40);
  });

  it('keep what is urgent out of the counts of others, and what is taken free', () => {
    const taken = [{ left: 0, top: 360, width: 200, height: 40 }];
    const spots = [
      spot(300, 200, true),
      ...Array.from({ length: 80 }, (_, at) => spot(290 + (at % 9), 190 + (at % 7))),
    ];
    const labels = arrange([...spots, spot(50, 390)], ROOM, COUNT, taken);
    check(labels, 82, taken);
    assert.ok(labels.some(({ of, size }) => of.length === 1 && of[0] === 0 && size === 0));
  });

  it('are none in a room that is too small', () => {
    assert.deepEqual(arrange([spot(1, 1)], { width: 0, height: 0 }, COUNT), []);
  });
});
