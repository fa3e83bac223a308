import type { Pool, RowDataPacket } from 'mysql2/promise';

/** An entry of an export, whose pieces are next to each other. */
export interface StoredEntry {
  name: string;
  lines: number;
  bytes: number;
  first: number;
  last: number;
}

/** The entries of an export, in the order of their pieces. */
export async function readEntries(pool: Pool, archiveId: number): Promise<StoredEntry[]> {
  const [rows] = await pool.query<RowDataPacket[]>(
    `SELECT entry, SUM(line_count) AS lineCount, SUM(LENGTH(body)) AS bytes, MIN(position) AS first, MAX(position) AS last
     FROM archive_parts WHERE archive_id = ? GROUP BY entry ORDER BY first`,
    [archiveId],
  );
  return rows.map(({ entry, lineCount, bytes, first, last }) => ({
    ...{ name: String(entry), lines: Number(lineCount), bytes: Number(bytes) },
    ...{ first: Number(first), last: Number(last) },
  }));
}

/** Undefined without such a piece. */
export async function readPart(pool: Pool, archiveId: number, position: number): Promise<Buffer | undefined> {
  const [[row]] = await pool.query<RowDataPacket[]>(
    'SELECT body FROM archive_parts WHERE archive_id = ? AND position = ?',
    [archiveId, position],
  );
  return row?.body;
}

/** Pieces from one position to another, one at a time. Throws if one is missing. */
export async function* readParts(
  pool: Pool,
  archiveId: number,
  { first, last }: Pick<StoredEntry, 'first' | 'last'>,
): AsyncGenerator<Buffer> {
  for (let position = first; position <= last; position += 1) {
    const body = await readPart(pool, archiveId, position);
    if (!body) throw new Error(`the piece ${position} of the archive ${archiveId} is gone`);
    yield body;
  }
}
