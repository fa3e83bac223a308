import assert from 'node:assert/strict';
import { parseOutline, parsePosition } from '../../../../src/language/zones/coordinates';

describe('parsePosition', () => {
  it('reads latitude, longitude and an altitude', () => {
    assert.deepEqual(parsePosition('51.9 4.5 12'), {
      ok: true,
      value: { latitude: 51.9, longitude: 4.5, altitude: 12 },
    });
    assert.deepEqual(parsePosition(' -90  180 '), {
      ok: true,
      value: { latitude: -90, longitude: 180, altitude: null },
    });
  });

  const wrong: [string, RegExp][] = [
    ['', /must be a latitude/],
    ['51.9', /must be a latitude/],
    ['1 2 3 4', /must be a latitude/],
    ['90.1 4', /latitude from -90 to 90/],
    ['north 4', /latitude from -90 to 90/],
    ['51 -180.5', /longitude from -180 to 180/],
    ['51 4 high', /altitude/],
  ];
  for (const [text, reason] of wrong) {
    it(`refuses "${text}"`, () => {
      const parsed = parsePosition(text);
      assert.ok(!parsed.ok);
      assert.match(parsed.reason, reason);
    });
  }
});

describe('parseOutline', () => {
  it('reads at least three points', () => {
    const parsed = parseOutline('1 2,3 4, 5 6 7');
    assert.ok(parsed.ok);
    assert.deepEqual(parsed.value[0]?.at(-1), { latitude: 5, longitude: 6, altitude: 7 });
    assert.deepEqual(parseOutline('1 2,3 4'), { ok: false, reason: 'must have at least 3 points' });
  });

  it('names the invalid point by its number', () => {
    const parsed = parseOutline('1 2,3 4,95 6');
    assert.deepEqual(parsed, { ok: false, reason: 'point 3 must have a latitude from -90 to 90' });
    assert.match(JSON.stringify(parseOutline('1 2,,5 6')), /point 2 must be a latitude/);
  });

  it('reads further loops after a semicolon', () => {
    const parsed = parseOutline('0 0,0 9,9 9; 1 1,1 2,2 2');
    assert.ok(parsed.ok);
    assert.deepEqual(
      parsed.value.map((loop) => loop.map(({ latitude }) => latitude)),
      [
        [0, 0, 9],
        [1, 1, 2],
      ],
    );
    for (const [text, reason] of [
      ['0 0,0 9,9 9;1 1,1 2', 'loop 2 must have at least 3 points'],
      ['0 0,0 9,9 9;1 1,1 200,2 2', 'loop 2 point 2 must have a longitude from -180 to 180'],
      [Array(51).fill('0 0,0 9,9 9').join(';'), 'must have at most 50 loops'],
      ['0 0,0 9,9 9;', 'loop 2 point 1 must be a latitude, a longitude and optionally an altitude'],
    ] as const) {
      assert.deepEqual(parseOutline(text), { ok: false, reason });
    }
  });

  it('refuses more than 8000 characters', () => {
    assert.equal(parseOutline('1 2,'.repeat(1999).concat('1 2')).ok, true);
    assert.match(JSON.stringify(parseOutline('1 2,'.repeat(2000).concat('1 2'))), /at most 8000 characters/);
  });
});
