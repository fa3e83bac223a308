import type { Pool, RowDataPacket } from 'mysql2/promise';
import type { Clock } from '../platform/clock';

export type OperatorActionName =
  | 'disable'
  | 'enable'
  | 'end-sessions'
  | 'remove-second-factors'
  | 'end-keys'
  | 'end-authorizations'
  | 'redeliver'
  | 'pause'
  | 'resume';

export interface OperatorAction {
  /** Username of the login; `command line` for a command. */
  operator: string;
  action: OperatorActionName;
  /** Null if the action concerns none. */
  userId: number | null;
  /** The username at that time, or the receiver. */
  subject: string;
}

export interface RecordedAction extends OperatorAction {
  dateMs: number;
}

/** Kept for a year. */
export class OperatorActions {
  constructor(
    private readonly pool: Pick<Pool, 'query'>,
    private readonly clock: Clock,
  ) {}

  async record({ operator, action, userId, subject }: OperatorAction): Promise<void> {
    const row = [this.clock.now(), operator.slice(0, 255), action, userId, subject.slice(0, 500)];
    await this.pool.query('INSERT INTO operator_actions (date_ms, operator, action, user_id, subject) VALUES (?)', [
      row,
    ]);
  }

  async latest(limit: number, userId?: number): Promise<RecordedAction[]> {
    const [where, values] = userId === undefined ? ['', []] : ['WHERE user_id = ?', [userId]];
    const [rows] = await this.pool.query<(RowDataPacket & RecordedAction)[]>(
      `SELECT date_ms AS dateMs, operator, action, user_id AS userId, subject FROM operator_actions ${where}
       ORDER BY id DESC LIMIT ?`,
      [...values, limit],
    );
    return rows;
  }
}
