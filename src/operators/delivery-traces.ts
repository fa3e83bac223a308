import type { Pool, RowDataPacket } from 'mysql2/promise';
import { NotFound } from '../platform/errors';

/** Back to the request with the points. Contains ids and instants, no values. */
export interface DeliveryTrace {
  delivery: { id: number; webhookId: string; status: string; receiver: string | null; ownerId: number };
  /** All null for a test. */
  cause: { firingId: number | null; sensorId: number | null; triggerId: number | null; event: string | null };
  /** Null if it did not happen. The request's log line has the same `storedMs`. */
  instants: Record<(typeof INSTANTS)[number], number | null>;
  attempts: { atMs: number; statusCode: number | null; durationMs: number; error: string | null }[];
}

const INSTANTS = [
  'receivedMs',
  'storedMs',
  'evaluatedMs',
  'createdMs',
  'throttledMs',
  'nextAttemptMs',
  'sentMs',
  'answeredMs',
  'finishedMs',
] as const;

/** Traces deliveries back to their causes. */
export class DeliveryTraces {
  constructor(private readonly pool: Pick<Pool, 'query'>) {}

  /** Takes an id or a `webhook-id`. Throws NotFound. */
  async find(name: string): Promise<DeliveryTrace> {
    const isId = /^\d{1,15}$/.test(name);
    const columns = INSTANTS.map(
      (instant) => `${instant.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)} AS ${instant}`,
    );
    const [[row]] = await this.pool.query<RowDataPacket[]>(
      `SELECT id, webhook_id AS webhookId, status, receiver, owner_id AS ownerId, firing_id AS firingId,
              sensor_id AS sensorId, trigger_id AS triggerId, event, ${columns.join(', ')}
       FROM deliveries WHERE ${isId ? 'id' : 'webhook_id'} = ?`,
      [isId ? Number(name) : name],
    );
    if (!row) throw new NotFound('the delivery');
    const { id, webhookId, status, receiver, ownerId, firingId, sensorId, triggerId, event } = row;
    return {
      delivery: { id, webhookId, status, receiver, ownerId },
      cause: { firingId, sensorId, triggerId, event },
      instants: Object.fromEntries(INSTANTS.map((instant) => [instant, row[instant]])) as DeliveryTrace['instants'], // every instant is one of its keys
      attempts: await this.attemptsOf(id),
    };
  }

  private async attemptsOf(deliveryId: number): Promise<DeliveryTrace['attempts']> {
    const [rows] = await this.pool.query<RowDataPacket[]>(
      `SELECT date_ms AS atMs, status_code AS statusCode, duration_ms AS durationMs, error
       FROM delivery_attempts WHERE delivery_id = ? ORDER BY id`,
      [deliveryId],
    );
    return rows.map(({ atMs, statusCode, durationMs, error }) => ({ atMs, statusCode, durationMs, error }));
  }
}
