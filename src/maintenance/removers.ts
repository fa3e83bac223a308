import type { Pool, ResultSetHeader, RowDataPacket } from 'mysql2/promise';
import type { DecisionLog } from '../alerts';
import { deleteDeliveries } from '../notifications';
import type { Clock } from '../platform/clock';
import type { DeletedKind, Removal, Remover } from './deleted-things';

const POINTS_PER_STEP = 2_000;
const CHUNKS_PER_STEP = 200;
const FIRINGS_PER_STEP = 200;
const DELIVERIES_PER_STEP = 500;
/** On the removal of an account. */
const ACCOUNT_MS_PER_STEP = 1_000;

export interface ClosedAccounts {
  remove(userId: number, maxMs: number): Promise<boolean>;
}

export type StoredDecisions = Pick<DecisionLog, 'keepOnly'>;

export function historyRemovers(
  pool: Pool,
  clock: Clock,
  accounts: ClosedAccounts,
  decisions: StoredDecisions,
): Record<DeletedKind, Remover> {
  const history = new HistoryRemover(pool, clock);
  return {
    sensor: (sensorId) => history.ofSensor(sensorId),
    trigger: (triggerId) => history.firings('trigger_id', triggerId),
    user: async (userId) => {
      const isGone = await accounts.remove(userId, ACCOUNT_MS_PER_STEP);
      return isGone ? history.ofUser(userId) : { deleted: 0, outcome: 'more' };
    },
    decisions: async (sensorId) => {
      const left = await history.ids('SELECT id FROM sensor_triggers WHERE sensor_id = ?', [sensorId]);
      // Without Redis they have to wait.
      const isDone = await decisions.keepOnly(sensorId, left).then(
        () => true,
        () => false,
      );
      return { deleted: 0, outcome: isDone ? 'done' : 'wait' };
    },
  };
}

class HistoryRemover {
  constructor(
    private readonly pool: Pool,
    private readonly clock: Clock,
  ) {}

  async ofSensor(sensorId: number): Promise<Removal> {
    const deleted = await this.delete('DELETE FROM data_points WHERE sensor_id = ? LIMIT ?', [
      sensorId,
      POINTS_PER_STEP,
    ]);
    if (deleted > 0) return { deleted, outcome: 'more' };
    const chunks = await this.delete('DELETE FROM data_chunks WHERE sensor_id = ? LIMIT ?', [
      sensorId,
      CHUNKS_PER_STEP,
    ]);
    if (chunks > 0) return { deleted: chunks, outcome: 'more' };
    await this.delete('DELETE FROM server_dates WHERE sensor_id = ?', [sensorId]);
    return this.firings('sensor_id', sensorId);
  }

  async ofUser(userId: number): Promise<Removal> {
    const ids = await this.ids('SELECT id FROM deliveries WHERE owner_id = ? LIMIT ?', [userId, DELIVERIES_PER_STEP]);
    if (ids.length > 0) return this.deliveries(ids);
    const deleted = await this.delete('DELETE FROM firings WHERE owner_id = ? LIMIT ?', [userId, POINTS_PER_STEP]);
    return { deleted, outcome: deleted > 0 ? 'more' : 'done' };
  }

  /**
   * Deliveries first: firings are needed to find them. The end of an episode that is being delivered keeps its firing.
   */
  async firings(column: 'sensor_id' | 'trigger_id', id: number): Promise<Removal> {
    const firingIds = await this.ids(`SELECT id FROM firings WHERE ${column} = ? LIMIT ?`, [id, FIRINGS_PER_STEP]);
    if (firingIds.length === 0) return { deleted: 0, outcome: 'done' };
    const ids = await this.ids(
      "SELECT id FROM deliveries WHERE firing_id IN (?) AND NOT (resolved AND status = 'pending') LIMIT ?",
      [firingIds, DELIVERIES_PER_STEP],
    );
    if (ids.length > 0) return this.deliveries(ids);
    const kept = new Set(await this.ids('SELECT firing_id AS id FROM deliveries WHERE firing_id IN (?)', [firingIds]));
    const free = firingIds.filter((firingId) => !kept.has(firingId));
    if (free.length === 0) return { deleted: 0, outcome: 'wait' };
    return { deleted: await this.delete('DELETE FROM firings WHERE id IN (?)', [free]), outcome: 'more' };
  }

  /** A running attempt has to be recorded first. */
  private async deliveries(ids: readonly number[]): Promise<Removal> {
    const { deleted } = await deleteDeliveries(this.pool, ids, { unclaimedAtMs: this.clock.now() });
    return { deleted, outcome: deleted > 0 ? 'more' : 'wait' };
  }

  async ids(sql: string, values: unknown[]): Promise<number[]> {
    const [rows] = await this.pool.query<RowDataPacket[]>(sql, values);
    return rows.map(({ id }) => Number(id));
  }

  private async delete(sql: string, values: unknown[]): Promise<number> {
    const [result] = await this.pool.query<ResultSetHeader>(sql, values);
    return result.affectedRows;
  }
}
