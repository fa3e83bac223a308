import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { Pool, RowDataPacket } from 'mysql2/promise';
import { toUnixSeconds } from '../../edge/dates';
import { readRange, type StoredDataPoint } from '../../points';
import type { Database } from '../../storage';
import { readPart } from '../jobs/archive-parts';
import { PIECE_BYTES } from '../knobs';
import type { Pieces, Section } from './section';

const compress = promisify(gzip);
/** The fastest: most of an export is spent on reading. */
const LEVEL = { level: 1 };

/** The points of the sensors that the export lists. Each piece is a member of a gzip file. */
export function dataSection({ pool, reads }: Database): Section {
  return async function* read({ id }, cursor) {
    const [doneId = 0, fromMs = 0] = cursor ?? [];
    for await (const { sensorId, lastMs } of listedSensors(pool, id)) {
      if (sensorId < doneId) continue;
      const range = { startMs: sensorId === doneId ? fromMs : 0, endMs: lastMs, descending: false };
      if (range.startMs > lastMs) continue;
      yield* piecesOf(sensorId, readRange(reads, [sensorId], range, { dividesDates: true }));
    }
  };
}

async function* piecesOf(sensorId: number, parts: AsyncIterable<readonly StoredDataPoint[]>): AsyncGenerator<Pieces> {
  let lines: string[] = [];
  let characters = 0;
  let lastMs = 0;
  const piece = async (): Promise<Pieces> => {
    const text = lines.join('');
    const count = lines.length;
    [lines, characters] = [[], 0];
    const packed = await compress(text, LEVEL);
    const pieces = [{ lines: count, text: packed }];
    return { entry: `data/${sensorId}.ndjson.gz`, pieces, points: count, cursor: [sensorId, lastMs + 1] };
  };
  for await (const points of parts) {
    for (const { dateMs, value } of points) {
      const line = `{"date":${toUnixSeconds(dateMs)},"value":${JSON.stringify(value)}}\n`;
      if (characters + line.length > PIECE_BYTES && lines.length > 0) yield await piece();
      lines.push(line);
      characters += line.length;
      lastMs = dateMs;
    }
  }
  if (lines.length > 0) yield await piece();
}

/** By id, those that had points. */
async function* listedSensors(pool: Pool, archiveId: number): AsyncGenerator<{ sensorId: number; lastMs: number }> {
  const [rows] = await pool.query<RowDataPacket[]>(
    "SELECT position FROM archive_parts WHERE archive_id = ? AND entry = 'sensors.ndjson' ORDER BY position",
    [archiveId],
  );
  for (const { position } of rows) {
    const text = String(await readPart(pool, archiveId, Number(position)));
    for (const line of text.split('\n').filter(Boolean)) {
      const { id, last_date: date } = JSON.parse(line);
      if (date !== null) yield { sensorId: Number(id), lastMs: Math.round(date * 1000) };
    }
  }
}
