import { requireReached } from '../../access/credential.policy';
import type { MetatagFilter } from '../../access/metatag-filter';
import type { SensorAccess } from '../../access/sensor-access';
import { type AlertCounts, countAlerts, readValueLimits, type ValueLimit } from '../../alerts';
import type { Page, PageOf } from '../../edge/paging';
import type { Caller } from '../../platform/caller';
import type { Clock } from '../../platform/clock';
import { InvalidInput, TakesTooLong } from '../../platform/errors';
import type { Steps } from '../../platform/steps';
import {
  type Period,
  type PointReads,
  readExpectedIntervals,
  readPointParts,
  readRange,
  type SensorDataPoint,
} from '../../points';
import { chargeAnswer, finishSteps, throwIfCancelled } from '../../storage/cancellation';
import type { Sensor } from '../../storage/models/sensor.model';
import type { MetatagSearch } from '../metatags/metatag-search';
import { type PeriodReport, SensorReport } from './sensor-report';

/** Periods of a page. */
const MOST_ROWS = 10_000;
const MOST_MS = 30_000;
/** What a period, and each of its fields and limits, is charged. */
const BYTES_OF_A_PERIOD = 400;
const BYTES_OF_A_PART = 100;
const STEP_MS = 2;
const ONE = { offset: 0, limit: 1, withTotal: false };

export interface ReportedSensors {
  /** Only these, of all that the caller can see. */
  ids?: readonly number[] | undefined;
  filter: MetatagFilter;
  namespace: string;
  owner: 'me' | 'shared' | 'all';
}

export interface ReportOfSensor {
  sensor: Sensor;
  expectedMs: number;
  limits: readonly ValueLimit[];
  periods: (PeriodReport & AlertCounts)[];
}

interface ReportsParts {
  from: PointReads;
  access: SensorAccess;
  search: MetatagSearch;
  clock: Clock;
}

/** Reports on stored points and alerts. Points are read in parts, and charged to the caller. */
export class ReportsService {
  constructor(private readonly parts: ReportsParts) {}

  /** Throws NotFound for a sensor that the caller may not see, TakesTooLong after 30 seconds. */
  async report(
    caller: Pick<Caller, 'userId' | 'credential'>,
    wanted: ReportedSensors,
    periods: readonly Period[],
    page: Page,
  ): Promise<PageOf<ReportOfSensor>> {
    const { reads } = this.parts.from;
    const { items: sensors, total } = await this.find(caller, wanted, page);
    if (sensors.length * periods.length > MOST_ROWS) {
      const why = `asks for more than ${MOST_ROWS} periods of sensors at once; ask for fewer per page`;
      throw InvalidInput.field('per_page', why);
    }
    const sensorIds = sensors.map(({ id }) => id);
    const range = { startsMs: periods.map(({ startMs }) => startMs), endMs: periods.at(-1)?.endMs ?? 0 };
    const expected = await readExpectedIntervals(reads, sensorIds);
    const alertsOf = await countAlerts(reads, { userId: caller.userId, sensorIds }, range);
    const deadline = performance.now() + MOST_MS;
    const items: ReportOfSensor[] = [];
    let bytes = 0;
    for (const sensor of sensors) {
      const limits = await readValueLimits(reads, caller.userId, sensor.id);
      const read = { sensor, expectedMs: expected.get(sensor.id) ?? 0, limits };
      const reported = periods.length > 0 ? await this.read(read, periods, deadline) : [];
      bytes += bytesOf(reported);
      chargeAnswer(bytes);
      const withAlerts = reported.map((period, at) => ({ ...period, ...alertsOf(sensor.id, at) }));
      items.push({ ...read, periods: withAlerts });
    }
    return { items, total };
  }

  private async find(
    { userId, credential }: Pick<Caller, 'userId' | 'credential'>,
    wanted: ReportedSensors,
    page: Page,
  ): Promise<PageOf<Sensor>> {
    const { access, search } = this.parts;
    const { ids, namespace } = wanted;
    if (ids) {
      requireReached(credential, ids);
      await access.requireReadable(userId, ids);
    }
    const named = ids ? [[{ name: 'id' as const, keys: ids.map(String) }]] : [];
    const filter = { ...wanted.filter, properties: [...wanted.filter.properties, ...named] };
    const scope = { userId, owner: ids ? ('all' as const) : wanted.owner, reached: credential.sensors };
    const { items, total } = await search.find(scope, namespace, filter, page);
    return { items: items.map(({ sensor }) => sensor), total };
  }

  /** Reads the points of the periods, the one before if it may last into them, and the date of the one behind them. */
  private async read(
    { sensor, expectedMs, limits }: Omit<ReportOfSensor, 'periods'>,
    periods: readonly Period[],
    deadline: number,
  ): Promise<PeriodReport[]> {
    const { from, clock } = this.parts;
    const startMs = periods[0]?.startMs ?? 0;
    const endMs = periods.at(-1)?.endMs ?? 0;
    const report = new SensorReport({ dataType: sensor.dataType, expectedMs, limits }, periods);
    const before = { startMs: Math.max(0, startMs - expectedMs), endMs: startMs - 1 };
    await finishSteps(addAll(report, await readOne(from, sensor.id, before, 'last'), deadline));
    const range = { startMs, endMs: endMs - 1, descending: false };
    for await (const points of readRange(from.reads, [sensor.id], range, { dividesDates: true })) {
      await finishSteps(addAll(report, points, deadline));
    }
    const [next] = await readOne(from, sensor.id, { startMs: endMs, endMs: endMs + expectedMs }, 'first');
    report.end(next?.dateMs ?? clock.now());
    return report.periods;
  }
}

async function readOne(
  from: PointReads,
  sensorId: number,
  range: { startMs: number; endMs: number },
  one: 'first' | 'last',
): Promise<SensorDataPoint[]> {
  if (range.endMs < range.startMs) return [];
  const found: SensorDataPoint[] = [];
  const query = { ...range, one, descending: false };
  for await (const points of readPointParts(from, [sensorId], query, ONE)) found.push(...points);
  return found;
}

/** A step takes some milliseconds. Throws TakesTooLong after the deadline, and the reason if the client has left. */
function* addAll(report: SensorReport, points: readonly SensorDataPoint[], deadline: number): Steps<void> {
  requireTime(deadline);
  let startedAt = performance.now();
  for (const point of points) {
    for (const _ of report.add(point)) {
      if (performance.now() - startedAt < STEP_MS) continue;
      yield;
      requireTime(deadline);
      startedAt = performance.now();
    }
  }
}

function requireTime(deadline: number): void {
  throwIfCancelled();
  if (performance.now() > deadline) throw new TakesTooLong();
}

function bytesOf(periods: readonly PeriodReport[]): number {
  const partsOf = ({ numbers, outsideOf }: PeriodReport) => numbers.summaries.size + outsideOf.length;
  return periods.reduce((sum, period) => sum + BYTES_OF_A_PERIOD + BYTES_OF_A_PART * partsOf(period), 0);
}
