import type { Pool, PoolConnection, RowDataPacket } from 'mysql2/promise';
import type { Description } from '../protocols/mqtt';

const ROWS_PER_STATEMENT = 500;

export async function readDescriptions(pool: Pool, sourceId: number): Promise<Description[]> {
  const [rows] = await pool.query<RowDataPacket[]>(
    'SELECT topic, content FROM mqtt_descriptions WHERE source_id = ? ORDER BY topic',
    [sourceId],
  );
  // The column compares bytes.
  return rows.map(({ topic, content }) => ({ topic: String(topic), content: String(content) }));
}

/** Writes in the caller's transaction, which holds the source's lease. */
export async function writeDescriptions(
  connection: Pick<PoolConnection, 'query'>,
  sourceId: number,
  changed: readonly Description[],
): Promise<void> {
  for (let at = 0; at < changed.length; at += ROWS_PER_STATEMENT) {
    const some = changed.slice(at, at + ROWS_PER_STATEMENT);
    const gone = some.filter(({ content }) => content === null).map(({ topic }) => Buffer.from(topic));
    const kept = some.filter(({ content }) => content !== null);
    if (gone.length > 0) {
      await connection.query('DELETE FROM mqtt_descriptions WHERE source_id = ? AND topic IN (?)', [sourceId, gone]);
    }
    if (kept.length > 0) {
      await connection.query(
        `INSERT INTO mqtt_descriptions (source_id, topic, content) VALUES ?
         ON DUPLICATE KEY UPDATE content = VALUES(content)`,
        [kept.map(({ topic, content }) => [sourceId, Buffer.from(topic), content])],
      );
    }
  }
}
