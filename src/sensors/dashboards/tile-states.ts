import { findSensorStates, type StateNow } from '../../alerts';
import type { Severity } from '../../edge/severity';
import { partsOf } from '../../platform/parts-of';
import type { Reader } from '../../storage/read-pool';

export type StateCounts = Record<Severity | 'silent' | 'pending' | 'ok' | 'none', number>;

const URGENCY: readonly (keyof StateCounts)[] = ['critical', 'warning', 'info', 'silent', 'pending', 'ok', 'none'];
const AT_ONCE = 1_000;

export async function readStates(
  reads: Reader,
  ownerId: number,
  sensorIds: readonly number[],
  nowMs: number,
): Promise<Map<number, StateNow>> {
  const states = new Map<number, StateNow>();
  for (const some of partsOf(sensorIds, AT_ONCE)) {
    for (const [id, state] of await findSensorStates(reads, ownerId, some, nowMs)) states.set(id, state);
  }
  return states;
}

export function countStates(states: readonly StateNow[]): StateCounts {
  const counts: StateCounts = { critical: 0, warning: 0, info: 0, silent: 0, pending: 0, ok: 0, none: 0 };
  for (const state of states) counts[kindOf(state)] += 1;
  return counts;
}

/** Stable. */
export function byUrgency(sensorIds: readonly number[], states: ReadonlyMap<number, StateNow>): number[] {
  const rankOf = (id: number) => {
    const state = states.get(id);
    return state ? URGENCY.indexOf(kindOf(state)) : URGENCY.length;
  };
  return [...sensorIds].sort((a, b) => rankOf(a) - rankOf(b));
}

function kindOf({ state, severity }: StateNow): keyof StateCounts {
  return state === 'firing' ? (severity ?? 'warning') : state;
}
