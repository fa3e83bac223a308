import assert from 'node:assert/strict';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { decode, isWorkbook, unpacked } from '../../../console/src/csv/decode';
import { readTable } from '../../../console/src/csv/records';
import type { Kind } from '../../../console/src/csv/types';
import { batchFrom, understand } from '../../../console/src/csv/understand';
import { readWorkbook } from '../../../console/src/csv/workbook';
import { AROUND } from '../../support/csv-readings';

const FOLDER = join(__dirname, '../../fixtures/files');
const GOLDEN = join(FOLDER, 'understood.json');
const MOST_BYTES = 1_000_000;
/** The kind of the sensor to which a file is uploaded. */
const SENSORS: Readonly<Record<string, Kind>> = {
  'for-a-sensor-of-fields.csv': 'json',
  'for-a-sensor-of-text.csv': 'string',
  'for-a-switch.csv': 'boolean',
  'one-bad-line.csv': 'float',
};

async function tableOf(name: string) {
  const bytes = await unpacked(new Uint8Array(readFileSync(join(FOLDER, name))), MOST_BYTES);
  return isWorkbook(bytes) ? readWorkbook(bytes) : readTable(decode(bytes));
}

/** How the console reads the file, short enough to be checked by eye. */
async function reading(name: string) {
  const { understanding, points } = understand(await tableOf(name), {}, { ...AROUND, kind: SENSORS[name] });
  const { kind, columns, leftOut, cellsOut, fillers, twice, lines, order } = understanding;
  const notes = columns.filter(({ note }) => note !== '').map(({ name: column, note }) => `${column}: ${note}`);
  return {
    kind,
    columns: Object.fromEntries(columns.map((one) => [one.name, [one.role, one.unit].filter(Boolean).join(', ')])),
    lines,
    stored: Object.fromEntries(batchFrom(points, 0).map(({ ms, value }) => [new Date(ms).toISOString(), value])),
    ...(notes.length > 0 && { notes }),
    ...(leftOut.length > 0 && { leftOut }),
    ...(cellsOut.count > 0 && { cellsOut }),
    ...(fillers.length > 0 && { asked: fillers.map(({ name: field, value, count }) => ({ field, value, count })) }),
    ...(order && { askedOrder: order }),
    ...(twice.lines > 0 && { twice }),
  };
}

describe('the files of the corpus', () => {
  const names = readdirSync(FOLDER).filter((name) => !['README.md', 'understood.json'].includes(name));
  const golden: Record<string, unknown> = JSON.parse(readFileSync(GOLDEN, 'utf8'));

  for (const name of names) {
    it(`are read as it is written down: ${name}`, async () => {
      const found = await reading(name);
      if (process.env.UPDATE_GOLDEN) golden[name] = found;
      assert.deepEqual(JSON.parse(JSON.stringify(found)), golden[name]);
    });
  }

  it('are all written down, and no others', () => {
    if (process.env.UPDATE_GOLDEN) writeFileSync(GOLDEN, `${JSON.stringify(golden, null, 2)}\n`);
    assert.deepEqual(Object.keys(golden).sort(), [...names].sort());
  });

  it('are refused if they are no tables', async () => {
    for (const [bytes, message] of [
      [[0xd0, 0xcf, 0x11, 0xe0], /old Excel/],
      [[0x25, 0x50, 0x44, 0x46], /PDF/],
    ] as const) {
      assert.throws(() => decode(Uint8Array.from(bytes)), message);
    }
    assert.throws(() => readTable('air,room=hall t=21.5,h=40 1795000000000000000\n'), /\/api\/v2\/write/);
    assert.throws(() => readTable('{"a":1}\n{"a":'), /Line 2 is not valid JSON/);
    assert.throws(() => readTable('{"a":{"b":1}}'), /no list of objects/);
    await assert.rejects(readWorkbook(Uint8Array.from([0x50, 0x4b, 3, 4, 0, 0])), /cannot be read/);
    await assert.rejects(unpacked(Uint8Array.from([0x1f, 0x8b, 8, 0]), MOST_BYTES), /cannot be unpacked/);
    const packed = new Uint8Array(readFileSync(join(FOLDER, 'packed.csv.gz')));
    await assert.rejects(unpacked(packed, 10), /unpacks to too much/);
  });
});
