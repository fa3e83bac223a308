import assert from 'node:assert/strict';
import { readOutline } from '../../../../src/language/zones/geojson-outline';

const SQUARE = [
  [4, 51],
  [5, 51],
  [5, 52],
  [4, 51],
];
const HOLE = [
  [4.1, 51.1, 3],
  [4.2, 51.1, 3],
  [4.2, 51.2, 3],
  [4.1, 51.1, 3],
];
const read = (geometry: unknown) => readOutline(JSON.stringify(geometry));

describe('an outline in GeoJSON', () => {
  it('becomes points in the order latitude, longitude, without the repeated first one', () => {
    const outline = { ok: true, value: '51 4,51 5,52 5' };
    const polygon = { type: 'Polygon', coordinates: [SQUARE] };
    assert.deepEqual(read(polygon), outline);
    assert.deepEqual(read({ type: 'Polygon', coordinates: [SQUARE.slice(0, 3)] }), outline);
    assert.deepEqual(read({ type: 'Feature', properties: { name: 'yard' }, geometry: polygon }), outline);
    assert.deepEqual(readOutline(` ${JSON.stringify(polygon)}`), outline);
  });

  it('keeps holes, further parts and altitudes as loops', () => {
    const hole = '51.1 4.1 3,51.1 4.2 3,51.2 4.2 3';
    assert.deepEqual(read({ type: 'Polygon', coordinates: [SQUARE, HOLE] }), {
      ok: true,
      value: `51 4,51 5,52 5;${hole}`,
    });
    assert.deepEqual(read({ type: 'MultiPolygon', coordinates: [[SQUARE, HOLE], [SQUARE]] }), {
      ok: true,
      value: `51 4,51 5,52 5;${hole};51 4,51 5,52 5`,
    });
  });

  it('is refused with the reason', () => {
    const kinds = 'must be points, or a Polygon or MultiPolygon in GeoJSON';
    const swapped = [[200, 1], ...SQUARE.slice(1)];
    const wrong: [string, string][] = [
      ['{', kinds],
      [JSON.stringify({ type: 'Point', coordinates: [4, 51] }), kinds],
      [JSON.stringify({ type: 'Polygon' }), kinds],
      [JSON.stringify({ type: 'Feature', geometry: null }), kinds],
      [
        JSON.stringify({ type: 'Polygon', coordinates: [] }),
        'point 1 must be a latitude, a longitude and optionally an altitude',
      ],
      [JSON.stringify({ type: 'Polygon', coordinates: [SQUARE.slice(0, 2)] }), 'must have at least 3 points'],
      [
        JSON.stringify({ type: 'Polygon', coordinates: [SQUARE, swapped] }),
        'loop 2 point 1 must have a longitude from -180 to 180',
      ],
      [`{"type":"Polygon","coordinates":[[${'[1,2],'.repeat(1400)}[1,2]]]}`, 'must be at most 8000 characters'],
    ];
    for (const [text, reason] of wrong) assert.deepEqual(readOutline(text), { ok: false, reason }, text.slice(0, 80));
    for (const loop of [null, 5, ['a', 'b', 'c'], [[1], [2], [3]], [[{}, []]], [[[1, 2, 3, 4]], [1, 2], [1, 2]]]) {
      const { ok } = read({ type: 'Polygon', coordinates: [loop] });
      assert.equal(ok, false, JSON.stringify(loop));
    }
  });

  it('leaves points as they are', () => {
    assert.deepEqual(readOutline('1 2, 3 4,5 6 7'), { ok: true, value: '1 2, 3 4,5 6 7' });
    assert.deepEqual(readOutline('1 2,3 4'), { ok: false, reason: 'must have at least 3 points' });
  });
});
