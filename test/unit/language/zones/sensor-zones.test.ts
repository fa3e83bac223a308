import assert from 'node:assert/strict';
import { CannotEvaluate } from '../../../../src/language/evaluation-cost';
import { type ExpressionValue, readValue } from '../../../../src/language/sensor-value';
import { type SensorPlace, type SensorZones, Whereabouts } from '../../../../src/language/zones/sensor-zones';
import { ZoneIndex } from '../../../../src/language/zones/zone-index';

const index = new ZoneIndex([
  { name: 'country', outline: '0 0,0 40,40 40,40 0' },
  { name: 'yard', outline: '10 10,10 11,11 11,11 10' },
]);
const place: SensorPlace = { environments: ['office', 'house'], position: { latitude: 5, longitude: 5 } };
const at = (latitude: unknown, longitude: unknown) => readValue(JSON.stringify({ latitude, longitude }), 'json');
const zoneOf = (value: ExpressionValue, zones: SensorZones) => new Whereabouts(value, zones).zone;
const isInZone = (name: string, value: ExpressionValue, zones: SensorZones) => new Whereabouts(value, zones).isIn(name);
const NO_POSITION = /no valid position/;

describe('the zone of a value', () => {
  it('is that of its latitude and longitude, wherever the sensor is placed', () => {
    for (const given of [null, place]) {
      const zones = { index, place: given };
      assert.equal(zoneOf(at(10.5, 10.5), zones), 'yard');
      assert.equal(zoneOf(at('10.5', ' 10.5 '), zones), 'yard');
      assert.equal(zoneOf(at(-5, 10.5), zones), '');
      assert.deepEqual(
        ['yard', 'country', 'office', 'house'].map((name) => isInZone(name, at(10.5, 10.5), zones)),
        [true, true, false, false],
      );
    }
  });

  it('is that of the place of a sensor whose value has no position', () => {
    for (const value of [21.5, 'open', null, [10.5, 10.5], readValue('{"lat":10.5,"lon":10.5}', 'json')]) {
      assert.equal(zoneOf(value, { index, place }), 'office');
      assert.deepEqual(
        ['office', 'house', 'country', 'yard', 'garage'].map((name) => isInZone(name, value, { index, place })),
        [true, true, true, false, false],
      );
      const unplaced = { index, place: { ...place, position: null } };
      assert.deepEqual(
        ['office', 'house', 'country'].map((name) => isInZone(name, value, unplaced)),
        [true, true, false],
      );
    }
  });

  it('cannot be evaluated without a position', () => {
    for (const given of [null, place]) {
      const zones = { index, place: given };
      for (const value of [
        at(null, null),
        at(91, 0),
        at(0, 180.5),
        at('north', 4),
        at(true, false),
        at(5, undefined),
      ]) {
        assert.throws(() => zoneOf(value, zones), NO_POSITION, JSON.stringify(value));
        assert.throws(() => isInZone('office', value, zones), NO_POSITION);
      }
    }
    assert.throws(() => zoneOf(21.5, { index, place: null }), CannotEvaluate);
    assert.throws(() => isInZone('yard', 21.5, { index, place: null }), /the sensor is in no environment/);
  });

  it('cannot be evaluated beyond the limits of environments', () => {
    assert.throws(() => zoneOf(at(10.5, 10.5), { index: null, place: null }), /at most 2,000/);
    assert.throws(() => isInZone('yard', 21.5, { index: null, place }), CannotEvaluate);
  });
});
