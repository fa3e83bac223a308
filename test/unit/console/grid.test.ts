import assert from 'node:assert/strict';
import { isStale } from '../../../console/src/dashboards/age';
import {
  exchanged,
  freePlace,
  inReadingOrder,
  moved,
  nudged,
  type Place,
  resized,
  rowsOf,
  settled,
} from '../../../console/src/dashboards/grid';

const at = (x: number, y: number, w: number, h: number): Place => ({ x, y, w, h });
const shown = (tiles: readonly Place[]) => tiles.map(({ x, y, w, h }) => [x, y, w, h].join(' '));

const exchangedBy = (tiles: readonly Place[], index: number, { y }: { y: number }) =>
  exchanged(tiles, index, y < 0 ? -1 : 1);

describe('the grid of a dashboard', () => {
  const two = [at(0, 0, 6, 4), at(0, 4, 6, 2)];

  it('has no overlaps and no empty rows', () => {
    assert.deepEqual(shown(settled([at(0, 3, 6, 4), at(4, 3, 6, 2), at(10, 9, 2, 1)])), [
      '0 0 6 4',
      '4 4 6 2',
      '10 0 2 1',
    ]);
    assert.deepEqual(settled(two), two);
    assert.deepEqual(settled([]), []);
  });

  it('makes room for a tile that moves, and closes the gap', () => {
    assert.deepEqual(shown(moved(two, 0, { x: 6, y: 0 })), ['6 0 6 4', '0 0 6 2']);
    assert.deepEqual(shown(moved(two, 0, { x: 3, y: 0 })), ['3 0 6 4', '0 4 6 2']);
    assert.deepEqual(shown(moved(two, 1, { x: 0, y: -4 })), ['0 2 6 4', '0 0 6 2']);
    assert.deepEqual(shown(moved(two, 0, { x: 0, y: 1 })), ['0 0 6 4', '0 4 6 2'], 'not far enough');
    assert.deepEqual(shown(moved(two, 0, { x: 0, y: 2 })), ['0 2 6 4', '0 0 6 2']);
    assert.deepEqual(shown(moved(two, 0, { x: -9, y: -9 })), shown(two), 'at the edge');
    assert.deepEqual(moved(two, 7, { x: 1, y: 0 }), two);
  });

  it('passes the next tile with one press of a key', () => {
    const three = [at(0, 0, 6, 4), at(0, 4, 6, 2), at(6, 0, 6, 8)];
    assert.deepEqual(shown(nudged(three, 0, { x: 0, y: 1 })), ['0 2 6 4', '0 0 6 2', '6 0 6 8']);
    assert.deepEqual(shown(nudged(three, 1, { x: 0, y: -1 })), ['0 2 6 4', '0 0 6 2', '6 0 6 8']);
    assert.deepEqual(nudged(three, 1, { x: 0, y: 1 }), three, 'nothing is below');
    assert.deepEqual(nudged(three, 2, { x: 0, y: -1 }), three);
    assert.deepEqual(shown(nudged(three, 1, { x: 1, y: 0 })), ['0 0 6 4', '1 8 6 2', '6 0 6 8']);
  });

  it('passes tile after tile when a key is pressed again', () => {
    let tiles = [at(0, 0, 12, 1), at(0, 1, 12, 5), at(0, 6, 12, 2)];
    const order = () => tiles.map(({ y }) => y).join();
    tiles = nudged(tiles, 0, { x: 0, y: 1 });
    assert.equal(order(), '5,0,6');
    tiles = nudged(tiles, 0, { x: 0, y: 1 });
    assert.equal(order(), '7,0,5');
    tiles = nudged(tiles, 0, { x: 0, y: -1 });
    assert.equal(order(), '5,0,6');
  });

  it('exchanges neighbours in the reading order, as a phone shows it', () => {
    const values = [at(0, 0, 3, 2), at(3, 0, 3, 2), at(6, 0, 3, 2)];
    assert.deepEqual(shown(exchanged(values, 2, -1)), ['0 0 3 2', '6 0 3 2', '3 0 3 2']);
    assert.deepEqual(shown(exchanged([at(0, 0, 8, 5), at(8, 0, 4, 5)], 0, 1)), ['4 0 8 5', '0 0 4 5']);
    assert.deepEqual(exchanged(values, 0, -1), values, 'it is the first');
    for (const heights of [
      [1, 5, 2, 4],
      [3, 3, 1, 1],
      [7, 1, 1, 2],
    ]) {
      const column = settled(heights.map((h, y) => at(0, y, 12, h)));
      for (let index = 0; index < column.length - 1; index += 1) {
        const order = inReadingOrder(exchanged(column, index, 1)).map(({ h }) => h);
        const expected = [...heights];
        expected.splice(index, 2, heights[index + 1] ?? 0, heights[index] ?? 0);
        assert.deepEqual(order, expected);
      }
    }
  });

  it('keeps sizes within the grid', () => {
    assert.deepEqual(shown(resized(two, 0, { x: 9, y: 1 })), ['0 0 12 5', '0 5 6 2']);
    assert.deepEqual(shown(resized(two, 0, { x: -9, y: -9 })), ['0 0 1 1', '0 1 6 2']);
    assert.equal(resized(two, 0, { x: 0, y: 99 })[0]?.h, 24);
  });

  it('finds the first free place for another tile', () => {
    assert.deepEqual(freePlace([], { w: 6, h: 4 }), at(0, 0, 6, 4));
    assert.deepEqual(freePlace(two, { w: 6, h: 4 }), at(6, 0, 6, 4));
    assert.deepEqual(freePlace(two, { w: 12, h: 1 }), at(0, 6, 12, 1));
    assert.deepEqual(freePlace([at(2, 0, 10, 1), at(0, 1, 2, 1)], { w: 2, h: 1 }), at(0, 0, 2, 1));
    assert.equal(rowsOf(two), 6);
  });

  it('is read by row, then by column', () => {
    assert.deepEqual(shown(inReadingOrder([at(0, 4, 6, 2), at(6, 0, 6, 4), at(0, 0, 6, 4)])), [
      '0 0 6 4',
      '6 0 6 4',
      '0 4 6 2',
    ]);
  });

  it('never overlaps, whatever is moved where', () => {
    let seed = 7;
    const random = (below: number) => {
      seed = (seed * 1_103_515_245 + 12_345) % 2 ** 31;
      return seed % below;
    };
    let tiles = Array.from({ length: 12 }, () => at(random(7), random(9), 1 + random(5), 1 + random(4)));
    for (let round = 0; round < 500; round += 1) {
      const act = [moved, nudged, resized, exchangedBy][random(4)] ?? moved;
      tiles = act(tiles, random(12), { x: random(9) - 4, y: random(9) - 4 });
      tiles.forEach((a, index) => {
        assert.ok(a.x >= 0 && a.y >= 0 && a.x + a.w <= 12 && a.w >= 1 && a.h >= 1, JSON.stringify(a));
        const others = tiles.slice(index + 1);
        const hit = others.find((b) => a.x < b.x + b.w && b.x < a.x + a.w && a.y < b.y + b.h && b.y < a.y + a.h);
        assert.equal(hit, undefined, `round ${round}`);
      });
    }
  });
});

describe('the age of a value', () => {
  it('is too high after three of the usual pauses, and a quarter of the range without them', () => {
    const minutes = [0, 60, 120, 180, 240, 300];
    assert.equal(isStale(300, minutes, 3_600, 470), false);
    assert.equal(isStale(300, minutes, 3_600, 490), true);
    assert.equal(isStale(300, [300], 3_600, 1_100), false);
    assert.equal(isStale(300, [300], 3_600, 1_300), true);
    assert.equal(isStale(300, [298, 299, 300, 300.5], 3_600, 400), false, 'two minutes are never too long');
  });
});
