import type { Row } from '../database/sql-syntax';
import { FLEET_ID, MEMBER_IDS } from '../fleets';
import type { History } from '../history';

const POINT_MS = 1_000;

/** At the end the summary of the fleet is a recount of the newest stored points; points are a second apart. */
export function judgeFleets({ rows }: History): string[] {
  if (rows('fleets').length === 0) return [];
  const faults: string[] = [];
  const points = pointsOf(rows('data_points'), FLEET_ID);
  for (const [index, { date_ms: dateMs }] of points.entries()) {
    const beforeMs = points[index - 1]?.date_ms ?? Number.NEGATIVE_INFINITY;
    if (Number(dateMs) - Number(beforeMs) < POINT_MS) faults.push(`the fleet wrote at ${beforeMs} and at ${dateMs}`);
  }
  const left = rows('fleet_changes').length;
  if (left > 0) faults.push(`${left} rows still wait in fleet_changes`);
  const [summary, expected] = [String(points.at(-1)?.value), JSON.stringify(recount(rows('data_points')))];
  if (summary !== expected) faults.push(`the summary of the fleet is ${summary} instead of ${expected}`);
  return faults;
}

function recount(all: readonly Row[]) {
  const newest = MEMBER_IDS.flatMap((id) => pointsOf(all, id).slice(-1));
  const values = newest.map(({ value }) => Number(value));
  const sum = values.reduce((total, value) => total + value, 0);
  const extreme = (choose: (...numbers: number[]) => number) => (values.length === 0 ? null : choose(...values));
  return {
    count: MEMBER_IDS.length,
    average: values.length === 0 ? null : sum / values.length,
    minimum: extreme(Math.min),
    maximum: extreme(Math.max),
    sum,
    silent: 0,
    firing: 0,
  };
}

/** In order of their dates. */
function pointsOf(all: readonly Row[], sensorId: number): Row[] {
  return all.filter((row) => row.sensor_id === sensorId).sort((a, b) => Number(a.date_ms) - Number(b.date_ms));
}
