import assert from 'node:assert/strict';
import fc from 'fast-check';
import { ZoneIndex, zoneIndexOf } from '../../../../src/language/zones/zone-index';

const square = (south: number, west: number, size: number) =>
  `${south} ${west},${south} ${west + size},${south + size} ${west + size},${south + size} ${west}`;
const zone = (name: string, outline: string) => ({ name, outline });

describe('an index of zones', () => {
  it('names the smallest zone, of equal ones the oldest, and none outside', () => {
    const index = new ZoneIndex([
      zone('country', square(0, 0, 40)),
      zone('yard', square(10, 10, 1)),
      zone('city', square(5, 5, 10)),
      zone('the same yard', square(10, 10, 1)),
    ]);
    const at = (latitude: number, longitude: number) => index.zoneAt(latitude, longitude);
    assert.deepEqual([at(10.5, 10.5), at(6, 6), at(30, 30), at(50, 50)], ['yard', 'city', 'country', '']);
    const isIn = (name: string) => index.isIn(name, 10.5, 10.5);
    assert.deepEqual(['yard', 'city', 'country', 'the same yard', 'Yard', ''].map(isIn), [
      ...Array(4).fill(true),
      false,
      false,
    ]);
  });

  it('knows several zones of one name, and names that mean something to JavaScript', () => {
    const index = new ZoneIndex([
      zone('yard', square(0, 0, 1)),
      zone('yard', square(5, 5, 1)),
      zone('__proto__', square(9, 9, 1)),
    ]);
    assert.deepEqual([index.isIn('yard', 0.5, 0.5), index.isIn('yard', 5.5, 5.5)], [true, true]);
    assert.deepEqual([index.isIn('__proto__', 9.5, 9.5), index.isIn('constructor', 9.5, 9.5)], [true, false]);
    assert.equal(index.zoneAt(9.5, 9.5), '__proto__');
  });

  it('leaves out an outline that is not valid', () => {
    const index = new ZoneIndex([zone('bad', '1 2,3'), zone('empty', ''), zone('yard', square(0, 0, 1))]);
    assert.equal(index.zoneAt(0.5, 0.5), 'yard');
  });

  it('finds the same whatever it has found before', () => {
    const zones = [zone('yard', square(0, 0, 2)), zone('gate', square(1, 1, 1)), zone('port', square(5, 5, 1))];
    const index = new ZoneIndex(zones);
    const places = fc.array(fc.tuple(fc.integer({ min: 0, max: 7 }), fc.integer({ min: 0, max: 7 })), {
      maxLength: 40,
    });
    fc.assert(
      fc.property(places, (all) => {
        for (const place of all) assert.equal(index.zoneAt(...place), new ZoneIndex(zones).zoneAt(...place));
      }),
    );
  });

  it('is shared by equal zones', () => {
    const zones = [zone('yard', square(0, 0, 1))];
    assert.equal(zoneIndexOf(zones), zoneIndexOf(structuredClone(zones)));
    assert.notEqual(zoneIndexOf(zones), zoneIndexOf([zone('yard', square(0, 0, 2))]));
    assert.notEqual(zoneIndexOf(zones), zoneIndexOf([zone('Yard', square(0, 0, 1))]));
  });

  it('agrees with itself: the named zone contains the place, and without one no zone does', () => {
    const squares = fc.record({
      south: fc.integer({ min: -20, max: 20 }),
      west: fc.integer({ min: -20, max: 20 }),
      size: fc.integer({ min: 1, max: 20 }),
    });
    const place = fc.tuple(fc.integer({ min: -50, max: 50 }), fc.integer({ min: -50, max: 50 }));
    fc.assert(
      fc.property(fc.array(squares, { maxLength: 20 }), place, (all, [latitude, longitude]) => {
        const names = all.map((_, at) => `zone ${at}`);
        const index = new ZoneIndex(
          all.map(({ south, west, size }, at) => zone(names[at] ?? '', square(south, west, size))),
        );
        const holds = ({ south, west, size }: (typeof all)[number]) =>
          latitude >= south && latitude <= south + size && longitude >= west && longitude <= west + size;
        assert.deepEqual(
          names.filter((name) => index.isIn(name, latitude, longitude)),
          names.filter((_, at) => holds(all[at] ?? assert.fail())),
        );
        const named = index.zoneAt(latitude, longitude);
        assert.equal(named === '', !all.some(holds));
        if (named === '') return;
        const found = all[names.indexOf(named)] ?? assert.fail();
        const smallest = Math.min(...all.filter(holds).map(({ size }) => size));
        assert.ok(holds(found));
        assert.ok(0.75 * found.size ** 2 <= smallest ** 2, 'degrees of longitude are shorter in the north');
      }),
    );
  });
});
