import assert from 'node:assert/strict';
import fc from 'fast-check';
import { readEcowitt } from '../../../../src/gateways/protocols/ecowitt';
import { UnreadableMessage } from '../../../../src/gateways/protocols/unreadable';
import { readWeatherUnderground } from '../../../../src/gateways/protocols/weather-underground';
import { readWeatherField } from '../../../../src/gateways/protocols/weather-units';

const SI = { units: 'si' } as const;
const RAW = { units: 'raw' } as const;

describe('readWeatherField', () => {
  const conversions: [string, number, number][] = [
    ['tempf', -40, -40],
    ['tempf', 32, 0],
    ['tempf', 212, 100],
    ['windspeedmph', 100, 44.7],
    ['baromrelin', 29.921, 1013.24],
    ['dailyrainin', 1, 25.4],
    ['rainratein', 2, 50.8],
    ['visibility', 1, 1.85],
    ['vpd', 1, 3.386],
  ];
  for (const [name, reported, stored] of conversions) {
    it(`converts ${name} ${reported} to ${stored}`, () => {
      assert.equal(readWeatherField(name, String(reported), 'si')?.value, stored);
    });
  }

  it('never stores minus zero', () => {
    assert.ok(Object.is(readWeatherField('tempf', '31.999', 'si')?.value, 0));
    assert.ok(Object.is(readWeatherField('windspeedmph', '-0', 'si')?.value, 0));
  });

  const places: [string, number, (stored: number) => number][] = [
    ['tempf', 1, (celsius) => celsius * 1.8 + 32],
    ['windspeedmph', 1, (speed) => speed / 0.44704],
    ['baromabsin', 3, (pressure) => pressure / 33.86389],
    ['yearlyrainin', 3, (rain) => rain / 25.4],
    ['rainratein', 3, (rate) => rate / 25.4],
    ['vpd', 3, (pressure) => pressure / 3.386389],
  ];
  for (const [name, decimals, inverse] of places) {
    it(`keeps every digit that a station reports as ${name}`, () => {
      fc.assert(
        fc.property(fc.integer({ min: -99_999, max: 99_999 }), (digits) => {
          const reported = (digits / 10 ** decimals).toFixed(decimals);
          fc.pre(Number(reported) !== -9_999);
          const stored = readWeatherField(name, reported, 'si')?.value;
          assert.equal(typeof stored, 'number');
          assert.equal(Number(inverse(Number(stored)).toFixed(decimals)) + 0, Number(reported) + 0);
          assert.match(String(stored), /^-?\d+(\.\d{1,3})?$/);
        }),
      );
    });
  }

  it('reads any form, or calls it unreadable', () => {
    const names = fc.oneof(
      fc.string(),
      fc.constantFrom('tempf', 'tf_ch1', 'baromin', 'vpd', 'dateutc', '__proto__', 'constructor', 'value'),
    );
    const texts = fc.oneof(fc.string({ unit: 'binary' }), fc.double().map(String), fc.constant('1e308'));
    fc.assert(
      fc.property(fc.dictionary(names, texts), fc.constantFrom(SI, RAW), (form, options) => {
        for (const reading of [
          () => readEcowitt({ ...form, PASSKEY: 'x' }, options),
          () => readWeatherUnderground({ ...form, ID: 'x' }, options),
        ]) {
          try {
            for (const { value } of reading()) assert.ok(Buffer.byteLength(value) <= 65_535);
          } catch (error) {
            assert.ok(error instanceof UnreadableMessage, String(error));
          }
        }
      }),
    );
  });
});
