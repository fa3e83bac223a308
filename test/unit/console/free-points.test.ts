import assert from 'node:assert/strict';
import { freePoints, onPlane, planeAround, readOutline } from '../../../console/src/pages/environments/geometry';

/** About 27 by 22 metres. */
const ROOM = readOutline('52.37 4.895,52.3702 4.895,52.3702 4.8954,52.37 4.8954');
/** Two wings, without the quarter in the south-east. */
const WINGS = readOutline('52.37 4.895,52.3702 4.895,52.3702 4.8954,52.3701 4.8954,52.3701 4.8952,52.37 4.8952');

describe('free points on the plan of an environment', () => {
  const metres = (outline: typeof ROOM, count: number, taken: typeof ROOM = []) => {
    const plane = planeAround(outline, { latitude: 0, longitude: 0 });
    return freePoints(plane, outline, taken, count).map((point) => onPlane(point, plane.centre));
  };
  const nearest = (points: readonly { x: number; y: number }[]) =>
    Math.min(...points.flatMap((a, at) => points.slice(at + 1).map((b) => Math.hypot(a.x - b.x, a.y - b.y))));

  it('are the middle for one, and apart from each other for many', () => {
    const [middle] = metres(ROOM, 1);
    assert.ok(Math.hypot(middle?.x ?? 9, middle?.y ?? 9) < 0.1);
    assert.ok(nearest(metres(ROOM, 4)) > 10);
    assert.ok(nearest(metres(ROOM, 12)) > 5);
    assert.ok(nearest(metres(ROOM, 120)) > 1.5);
  });

  it('keep away from taken ones', () => {
    const plane = planeAround(ROOM, { latitude: 0, longitude: 0 });
    const taken = freePoints(plane, ROOM, [], 6).map((point) => ({ ...point, rest: '' }));
    const all = [...taken.map((point) => onPlane(point, plane.centre)), ...metres(ROOM, 6, taken)];
    assert.ok(nearest(all) > 2, `${nearest(all)} m`);
  });

  it('are inside of an outline with a corner that points inwards', () => {
    const points = metres(WINGS, 30);
    assert.equal(points.length, 30);
    assert.ok(nearest(points) > 1.5);
    assert.ok(points.every(({ x, y }) => x < 0.01 || y < 0.01));
  });

  it('are in the middle of the plane without an outline', () => {
    const points = freePoints({ centre: { latitude: 52, longitude: 5 }, reach: 30 }, [], [], 9);
    const places = points.map((point) => onPlane(point, { latitude: 52, longitude: 5 }));
    assert.ok(places.every(({ x, y }) => Math.abs(x) < 21 && Math.abs(y) < 21));
    assert.ok(nearest(places) > 8);
  });
});

describe('the outline on the plan of an environment', () => {
  it('is drawn without its holes', () => {
    assert.deepEqual(
      readOutline('1 2,3 4,5 6 7;\n1 1,1 2,2 2;3 3,3 4,4 4').map(({ latitude, rest }) => [latitude, rest]),
      [
        [1, ''],
        [3, ''],
        [5, '7'],
      ],
    );
  });
});
