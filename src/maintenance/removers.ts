import type { Pool } from 'mysql2/promise';
import { keepConnectedDecisions, removeFirings, removeFiringsOf, type StoredDecisions } from '../alerts';
import { removeDeliveriesOf } from '../notifications';
import type { Clock } from '../platform/clock';
import { removeAllPoints } from '../points';
import type { DeletedKind, Remover } from './deleted-things';

const POINTS_PER_STEP = 2_000;
const FIRINGS_PER_STEP = 2_000;
const ACCOUNT_MS_PER_STEP = 1_000;

export interface ClosedAccounts {
  remove(userId: number, maxMs: number): Promise<boolean>;
}

export function historyRemovers(
  pool: Pool,
  clock: Clock,
  accounts: ClosedAccounts,
  decisions: StoredDecisions,
): Record<DeletedKind, Remover> {
  const ofFirings = (column: 'sensor_id' | 'trigger_id', id: number) =>
    removeFirings(pool, { column, id }, clock.now());
  return {
    sensor: async (sensorId) => {
      const { deleted, isDone } = await removeAllPoints(pool, sensorId, POINTS_PER_STEP);
      return isDone ? ofFirings('sensor_id', sensorId) : { deleted, outcome: 'more' };
    },
    trigger: (triggerId) => ofFirings('trigger_id', triggerId),
    user: async (userId) => {
      const isGone = await accounts.remove(userId, ACCOUNT_MS_PER_STEP);
      if (!isGone) return { deleted: 0, outcome: 'more' };
      const removal = await removeDeliveriesOf(pool, userId, clock.now());
      return removal.outcome === 'done' ? removeFiringsOf(pool, userId, FIRINGS_PER_STEP) : removal;
    },
    decisions: async (sensorId) => {
      // Without Redis they have to wait.
      const isDone = await keepConnectedDecisions(pool, decisions, sensorId).then(
        () => true,
        () => false,
      );
      return { deleted: 0, outcome: isDone ? 'done' : 'wait' };
    },
  };
}
