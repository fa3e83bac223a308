import type { SensorState } from '../actors/sensor.actor';
import type { InboxRow } from './inbox';

/** Evaluations of a turn, some tenths of a second: its locks are held for so long, and others of its worker wait. */
const BUDGET = 50_000;
/** Reading a value of so many characters costs as much as evaluating an expression. */
const CHARACTERS_PER_EVALUATION = 256;

/** The oldest of these rows that a turn can afford, at least one: each costs an evaluation per trigger of its sensor. */
export function affordable(rows: InboxRow[], states: ReadonlyMap<number, SensorState>): InboxRow[] {
  let spent = 0;
  const end = rows.findIndex(({ sensorId, value }, index) => {
    const triggers = states.get(sensorId)?.triggers.length ?? 0;
    spent += (1 + triggers) * (1 + value.length / CHARACTERS_PER_EVALUATION);
    return index > 0 && spent > BUDGET;
  });
  return end === -1 ? rows : rows.slice(0, end);
}
