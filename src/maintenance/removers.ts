import type { Pool, ResultSetHeader, RowDataPacket } from 'mysql2/promise';
import type { Clock } from '../clock';
import { deleteDeliveries } from '../deliveries/delivery-removal';
import type { DeletedKind, Removal, Remover } from './deleted-things';

const POINTS_PER_STEP = 2_000;
const FIRINGS_PER_STEP = 200;
const DELIVERIES_PER_STEP = 500;
/** How long one step removes what an account has, in transactions of a few rows each. */
const ACCOUNT_MS_PER_STEP = 1_000;

/** Deletes what closed accounts have. */
export interface ClosedAccounts {
  /** Goes on for so long; true when the account and all that it had are gone. */
  remove(userId: number, maxMs: number): Promise<boolean>;
}

/** How the history of each kind of deleted thing is deleted. */
export function historyRemovers(pool: Pool, clock: Clock, accounts: ClosedAccounts): Record<DeletedKind, Remover> {
  const history = new HistoryRemover(pool, clock);
  return {
    sensor: (sensorId) => history.ofSensor(sensorId),
    trigger: (triggerId) => history.firings('trigger_id', triggerId),
    user: async (userId) => {
      const isGone = await accounts.remove(userId, ACCOUNT_MS_PER_STEP);
      return isGone ? history.ofUser(userId) : { deleted: 0, outcome: 'more' };
    },
  };
}

class HistoryRemover {
  constructor(
    private readonly pool: Pool,
    private readonly clock: Clock,
  ) {}

  /** Data points, then firings with their deliveries. */
  async ofSensor(sensorId: number): Promise<Removal> {
    const deleted = await this.delete('DELETE FROM data_points WHERE sensor_id = ? LIMIT ?', [
      sensorId,
      POINTS_PER_STEP,
    ]);
    return deleted > 0 ? { deleted, outcome: 'more' } : this.firings('sensor_id', sensorId);
  }

  /** Deliveries, of events and tests too, then firings. */
  async ofUser(userId: number): Promise<Removal> {
    const ids = await this.ids('SELECT id FROM deliveries WHERE owner_id = ? LIMIT ?', [userId, DELIVERIES_PER_STEP]);
    if (ids.length > 0) return this.deliveries(ids);
    const deleted = await this.delete('DELETE FROM firings WHERE owner_id = ? LIMIT ?', [userId, POINTS_PER_STEP]);
    return { deleted, outcome: deleted > 0 ? 'more' : 'done' };
  }

  /** Firings of a sensor or trigger, each after its deliveries: these are found by it. */
  async firings(column: 'sensor_id' | 'trigger_id', id: number): Promise<Removal> {
    const firingIds = await this.ids(`SELECT id FROM firings WHERE ${column} = ? LIMIT ?`, [id, FIRINGS_PER_STEP]);
    if (firingIds.length === 0) return { deleted: 0, outcome: 'done' };
    const ids = await this.ids('SELECT id FROM deliveries WHERE firing_id IN (?) LIMIT ?', [
      firingIds,
      DELIVERIES_PER_STEP,
    ]);
    if (ids.length > 0) return this.deliveries(ids);
    return { deleted: await this.delete('DELETE FROM firings WHERE id IN (?)', [firingIds]), outcome: 'more' };
  }

  /** One that a worker is attempting just now has to wait until it has written down what came of it. */
  private async deliveries(ids: readonly number[]): Promise<Removal> {
    const { deleted } = await deleteDeliveries(this.pool, ids, { unclaimedAtMs: this.clock.now() });
    return { deleted, outcome: deleted > 0 ? 'more' : 'wait' };
  }

  private async ids(sql: string, values: unknown[]): Promise<number[]> {
    const [rows] = await this.pool.query<RowDataPacket[]>(sql, values);
    return rows.map(({ id }) => Number(id));
  }

  private async delete(sql: string, values: unknown[]): Promise<number> {
    const [result] = await this.pool.query<ResultSetHeader>(sql, values);
    return result.affectedRows;
  }
}
