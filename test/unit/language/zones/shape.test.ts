import assert from 'node:assert/strict';
import fc from 'fast-check';
import { parseOutline } from '../../../../src/language/zones/coordinates';
import { EdgeBands } from '../../../../src/language/zones/edge-bands';
import { type Shape, shapeOf } from '../../../../src/language/zones/shape';

type Point = readonly [latitude: number, longitude: number];

function shape(outline: string) {
  const parsed = parseOutline(outline);
  assert.ok(parsed.ok, outline);
  return shapeOf(parsed.value);
}

const contains = (one: Shape, ...place: Point) => new EdgeBands([one]).firstAround(...place) === 0;
const outlineOf = (loops: readonly (readonly Point[])[]) =>
  loops.map((loop) => loop.map((point) => point.join(' ')).join(',')).join(';');
const inside = (outline: string, ...points: Point[]) => points.map((point) => contains(shape(outline), ...point));
const SQUARE = '0 0,0 10,10 10,10 0';

describe('a shape', () => {
  it('contains its corners, its edges and what is between them', () => {
    assert.deepEqual(inside(SQUARE, [5, 5], [0, 0], [10, 10], [0, 5], [5, 10], [10, 5]), Array(6).fill(true));
    assert.deepEqual(inside(SQUARE, [5, 10.001], [-0.001, 5], [5, -1], [11, 5], [0, 11]), Array(5).fill(false));
    assert.deepEqual(inside('0 0,2 4,4 0', [1, 2], [3, 2], [2, 4], [2, 0], [1, 2.1]), [true, true, true, true, false]);
  });

  it('may be concave, go either way, and repeat its first corner', () => {
    const u = '0 0,0 9,9 9,9 6,3 6,3 3,9 3,9 0';
    const reversed = u.split(',').reverse().join(',');
    for (const outline of [u, reversed, `${u},0 0`]) {
      assert.deepEqual(inside(outline, [8, 1], [8, 8], [1, 4], [8, 4], [3, 4]), [true, true, true, false, true]);
    }
  });

  it('has holes, islands in them, and further parts', () => {
    const outline = `${SQUARE};2 2,2 8,8 8,8 2;4 4,4 6,6 6,6 4;20 20,20 21,21 21`;
    assert.deepEqual(inside(outline, [1, 1], [3, 3], [5, 5], [20.2, 20.5]), [true, false, true, true]);
    assert.deepEqual(inside(outline, [2, 5], [4, 5]), [true, true], 'edges of holes belong to it');
  });

  it('may cross itself: what is enclosed twice is outside', () => {
    const star = '10 0,-8 6,3 -9.5,3 9.5,-8 -6';
    assert.deepEqual(inside(star, [0, 0], [8, 0], [-6, 5]), [false, true, true]);
  });

  it('may lie across the date line, as one loop or cut in two', () => {
    const points: Point[] = [
      [-17, 179],
      [-17, -179],
      [-17, 180],
      [-17, -180],
      [-17, 176],
      [-17, -176],
      [-17, 0],
    ];
    const wanted = [true, true, true, true, false, false, false];
    assert.deepEqual(inside('-20 177,-15 177,-15 -178,-20 -178', ...points), wanted);
    assert.deepEqual(inside('-20 -178,-15 -178,-15 177,-20 177', ...points), wanted);
    assert.deepEqual(inside('-20 177,-15 177,-15 180,-20 180;-20 -180,-15 -180,-15 -178,-20 -178', ...points), wanted);
  });

  it('may be around the earth or a pole', () => {
    const world = '-90 -180,-90 180,90 180,90 -180';
    assert.deepEqual(inside(world, [0, 0], [90, 12], [-90, -180], [51, 179.9]), Array(4).fill(true));
    const south = '-60 -180,-60 -60,-60 60,-60 180,-90 180,-90 -180';
    assert.deepEqual(inside(south, [-75, 0], [-75, 179], [-90, 33], [-59, 0]), [true, true, true, false]);
  });

  it('without an area contains its points alone', () => {
    assert.deepEqual(inside('1 1,1 1,1 1', [1, 1], [1, 1.0001]), [true, false]);
    assert.deepEqual(inside('0 0,2 2,4 4', [1, 1], [3, 3], [1, 2]), [true, true, false]);
    assert.equal(shape('0 0,2 2,4 4').area < 1e-12, true);
  });

  it('has the area on a sphere, without its holes', () => {
    const close = (outline: string, area: number) => {
      const found = shape(outline).area;
      assert.ok(Math.abs(found - area) <= 1e-9 * area, `${outline}: ${found}, not ${area}`);
    };
    close('-90 -180,-90 180,90 180,90 -180', 4 * Math.PI);
    close('0 0,0 90,90 90,90 0', Math.PI / 2);
    const cell = (south: number, size: number) =>
      ((size * Math.PI) / 180) * (Math.sin(((south + size) * Math.PI) / 180) - Math.sin((south * Math.PI) / 180));
    close('50 4,50 5,51 5,51 4', cell(50, 1));
    close('50 179.5,50 -179.5,51 -179.5,51 179.5', cell(50, 1));
    close('50 4,50 5,51 5,51 4;50.4 4.4,50.4 4.6,50.6 4.6,50.6 4.4', cell(50, 1) - cell(50.4, 0.2));
    const room = shape('52.37 4.895,52.3702 4.895,52.3702 4.8954,52.37 4.8954').area * 6_371_000 ** 2;
    assert.ok(Math.abs(room - 604) < 3, String(room));
  });

  const degrees = fc.integer({ min: -80, max: 80 });
  const point = fc.tuple(degrees, degrees);
  const crossing = fc.array(point, { minLength: 3, maxLength: 60 });
  // Corners around a place, as people draw them: most latitudes meet two edges.
  const around = fc
    .tuple(
      fc.array(fc.tuple(fc.integer({ min: 0, max: 359 }), fc.integer({ min: 1, max: 40 })), {
        minLength: 3,
        maxLength: 60,
      }),
      point,
    )
    .map(([spokes, [south, west]]) =>
      spokes
        .sort(([a], [b]) => a - b)
        .map(([angle, length]): Point => {
          const radians = (angle * Math.PI) / 180;
          return [
            Math.round(south / 2 + length * Math.sin(radians)),
            Math.round(west / 2 + length * Math.cos(radians)),
          ];
        }),
    );
  const loops = fc.array(fc.oneof(crossing, around), { minLength: 1, maxLength: 4 });

  it('contains the same as a search among all edges, anywhere on the earth', () => {
    const wrapped = (longitude: number) => ((((longitude + 180) % 360) + 360) % 360) - 180;
    const moved = ([latitude, longitude]: Point, by: number): Point => [latitude, wrapped(longitude + by)];
    fc.assert(
      fc.property(
        loops,
        fc.array(point, { minLength: 1, maxLength: 8 }),
        fc.integer({ min: -180, max: 180 }),
        (all, points, by) => {
          const drawn = all.map((loop) => loop.map((one) => moved(one, by)));
          const whole = new EdgeBands([shape(outlineOf(drawn))]);
          const parts = new EdgeBands(drawn.map((loop) => shape(outlineOf([loop]))));
          for (const one of [...points, ...all.flat()]) {
            const [place, why] = [moved(one, by), `${one} in ${JSON.stringify(all)}`];
            assert.equal(whole.firstAround(...place), isInsideOf(all, one) ? 0 : -1, why);
            const first = all.findIndex((loop) => isInsideOf([loop], one));
            assert.equal(parts.firstAround(...place), first, `${why}, one by one`);
          }
        },
      ),
      { numRuns: 500 },
    );
  });
});

/** Goes north instead of east, with whole numbers. */
function isInsideOf(loops: readonly (readonly Point[])[], [y, x]: Point): boolean {
  let crossed = 0;
  for (const loop of loops) {
    for (const [at, [by, bx]] of loop.entries()) {
      const [ay, ax] = loop.at(at - 1) ?? [by, bx];
      const side = (bx - ax) * (y - ay) - (by - ay) * (x - ax);
      const isBetween =
        Math.min(ax, bx) <= x && x <= Math.max(ax, bx) && Math.min(ay, by) <= y && y <= Math.max(ay, by);
      if (side === 0 && isBetween) return true;
      if (ax <= x === bx <= x) continue;
      if (bx > ax ? side < 0 : side > 0) crossed += 1;
    }
  }
  return crossed % 2 === 1;
}
