import type { Pool, RowDataPacket } from 'mysql2/promise';
import type { Clock } from '../../platform/clock';
import { parseUrl } from '../../platform/parse-url';
import { partsOf } from '../../platform/parts-of';
import { ROWS_PER_STATEMENT } from '../../storage/knobs';
import { IS_FREE } from '../delivery/delivery-rows';
import { MAY_COME_EARLY } from '../delivery/escalations';
import type { RedeliveriesService } from './redeliveries.service';

/** Leaves out texts of users, values of sensors, paths and queries of URLs, and names in email addresses. */
export interface DeliveryDescription {
  id: number;
  status: string;
  attempts: number;
  channel: string;
  /** Host of the URL, or of the email address. */
  host: string;
  notificationId: number;
  /** Empty for a deleted account. */
  owner: string;
  sensorId: number | null;
  triggerId: number | null;
  event: string | null;
  /** Reason of the latest attempt. */
  error: string | null;
}

type Row = RowDataPacket & Omit<DeliveryDescription, 'host'> & { destination: string };

/** The operators' view of the deliveries of all users, and their actions. */
export class OperatorDeliveriesService {
  constructor(
    private readonly pool: Pool,
    private readonly redeliveries: RedeliveriesService,
    private readonly clock: Clock,
  ) {}

  /** Leaves out deliveries that do not exist. */
  async describe(ids: readonly number[]): Promise<Map<number, DeliveryDescription>> {
    const described = new Map<number, DeliveryDescription>();
    for (const some of partsOf(ids, ROWS_PER_STATEMENT)) {
      const [rows] = await this.pool.query<Row[]>(
        `SELECT d.id, d.status, d.attempts, d.type AS channel, d.destination,
                d.notification_id AS notificationId, COALESCE(u.username, '') AS owner, d.sensor_id AS sensorId,
                d.trigger_id AS triggerId, d.event,
                (SELECT a.error FROM delivery_attempts a WHERE a.delivery_id = d.id ORDER BY a.id DESC LIMIT 1) AS error
         FROM deliveries d LEFT JOIN users u ON u.id = d.owner_id
         WHERE d.id IN (?)`,
        [some],
      );
      for (const { destination, ...row } of rows) described.set(row.id, { ...row, host: hostOf(destination) });
    }
    return described;
  }

  /**
   * Restarts failed deliveries under the rules for their owners. Spares those of a disabled or deleted notification.
   * Returns the number. Enqueues nothing: the caller has a job for them.
   */
  async redeliver(ids: readonly number[]): Promise<number> {
    let count = 0;
    for (const id of ids) if (await this.redeliveries.restartIfFailed(id)) count += 1;
    return count;
  }

  /** Changes nothing if no attempt is planned, or one is in progress. */
  async makeDue(ids: readonly number[]): Promise<void> {
    const nowMs = this.clock.now();
    for (const some of partsOf(ids, ROWS_PER_STATEMENT)) {
      await this.pool.query(
        `UPDATE deliveries SET next_attempt_ms = ?
         WHERE id IN (?) AND status = 'pending' AND next_attempt_ms > ? AND ${MAY_COME_EARLY}
           AND ${IS_FREE}`,
        [nowMs, some, nowMs, nowMs],
      );
    }
  }
}

function hostOf(destination: string): string {
  const url = parseUrl(destination);
  return url?.host || destination.slice(destination.lastIndexOf('@') + 1);
}
