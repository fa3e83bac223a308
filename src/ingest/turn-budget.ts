import type { SensorState } from '../actors/sensor.actor';
import type { Feed } from '../domain/fan-out';
import type { InboxRow } from './inbox';

/** Evaluations of a turn, some tenths of a second: its locks are held for so long, and others of its worker wait. */
const BUDGET = 50_000;
/** Reading a value of so many characters costs as much as evaluating an expression. */
const CHARACTERS_PER_EVALUATION = 32;
/** A service looks at what it remembers with every point. */
const EVALUATIONS_PER_SERVICE = 10;

/**
 * The oldest of these rows that a turn can afford, at least one: each costs an evaluation per trigger of its sensor, and
 * some for each service that the sensor feeds.
 */
export function takeWithinBudget(
  rows: InboxRow[],
  states: ReadonlyMap<number, SensorState>,
  feeds: readonly Feed[],
): InboxRow[] {
  const services = new Map<number, number>();
  for (const { sensorId } of feeds) services.set(sensorId, (services.get(sensorId) ?? 0) + 1);
  let spent = 0;
  const end = rows.findIndex(({ sensorId, value }, index) => {
    const triggers = states.get(sensorId)?.triggers.length ?? 0;
    const evaluations = 1 + triggers + EVALUATIONS_PER_SERVICE * (services.get(sensorId) ?? 0);
    spent += evaluations * (1 + value.length / CHARACTERS_PER_EVALUATION);
    return index > 0 && spent > BUDGET;
  });
  return end === -1 ? rows : rows.slice(0, end);
}
