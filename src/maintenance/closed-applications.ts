import type { Pool, ResultSetHeader, RowDataPacket } from 'mysql2/promise';
import type { PurgeStep, PurgeTask } from './purge-task';

const ROWS_PER_STEP = 500;
/** Any number of rows per application. Tokens follow by foreign keys. */
const TABLES = ['authorizations', 'oauth1_tokens', 'oauth2_grants'] as const;

/** Rows of deleted applications, which are no longer usable. */
export class ClosedApplications implements PurgeTask {
  readonly name = 'closed-applications';

  constructor(private readonly pool: Pool) {}

  async isIdle(): Promise<boolean> {
    return !(await this.nextClosed());
  }

  async step(): Promise<PurgeStep> {
    const closed = await this.nextClosed();
    if (!closed) return { deleted: 0, position: 0, isDone: true };
    for (const table of TABLES) {
      const deleted = await this.delete(`${table} WHERE application_id = ? LIMIT ${ROWS_PER_STEP}`, closed.id);
      if (deleted > 0) return { deleted, position: 0, isDone: false };
    }
    return { deleted: await this.delete('applications WHERE id = ?', closed.id), position: 0, isDone: false };
  }

  private async nextClosed(): Promise<RowDataPacket | undefined> {
    const [[closed]] = await this.pool.query<RowDataPacket[]>(
      'SELECT id FROM applications WHERE closed_ms IS NOT NULL LIMIT 1',
    );
    return closed;
  }

  private async delete(what: string, id: unknown): Promise<number> {
    const [result] = await this.pool.query<ResultSetHeader>(`DELETE FROM ${what}`, [id]);
    return result.affectedRows;
  }
}
