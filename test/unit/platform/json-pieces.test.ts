import assert from 'node:assert/strict';
import fc from 'fast-check';
import { heldBytesOf, jsonPieces } from '../../../src/platform/json-pieces';
import { partsByWeight } from '../../../src/platform/parts-of';
import { partsOfText } from '../../../src/platform/text-parts';

describe('a body in pieces', () => {
  it('is together what JSON.stringify makes of it', () => {
    const value = fc.oneof(fc.jsonValue(), fc.array(fc.option(fc.jsonValue(), { nil: undefined })));
    const body = fc.oneof(
      fc.dictionary(fc.string(), fc.option(value, { nil: undefined })),
      fc.array(fc.option(fc.jsonValue(), { nil: undefined })),
    );
    fc.assert(
      fc.property(body, (given) => {
        assert.equal([...jsonPieces(given)].join(''), JSON.stringify(given));
        assert.equal([...partsOfText(jsonPieces(given))].join(''), JSON.stringify(given));
      }),
    );
  });

  it('holds at least its texts', () => {
    assert.ok(heldBytesOf({ a: ['x'.repeat(1_000), { b: 'y'.repeat(500) }], c: null, d: 1 }) >= 1_500);
    assert.ok(heldBytesOf({ a: 1 }) < 100);
  });

  it('comes in parts that are neither many nor large', () => {
    const pieces = Array.from({ length: 5_000 }, () => 'x'.repeat(1_000));
    const parts = [...partsOfText(pieces)];
    assert.ok(parts.length > 15 && parts.length < 25, `${parts.length} parts`);
    assert.ok(Math.max(...parts.map(({ length }) => length)) < 300_000);
  });
});

describe('parts by weight', () => {
  it('keep every item, in order, and weigh too much only where one item does', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(100)), fc.integer({ min: 1, max: 200 }), (weights, most) => {
        const parts = partsByWeight(weights, (weight) => weight, most);
        assert.deepEqual(parts.flat(), weights);
        for (const part of parts) {
          assert.ok(part.length > 0);
          assert.ok(part.length === 1 || part.reduce((sum, weight) => sum + weight, 0) <= most);
        }
      }),
    );
  });
});
