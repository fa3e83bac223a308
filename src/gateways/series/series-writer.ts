import type { Clock } from '../../platform/clock';
import { Unavailable } from '../../platform/errors';
import { partsOf } from '../../platform/parts-of';
import type { DataPointWriter, PointBatch } from '../../points';
import type { TransactionConnection } from '../../storage/pipeline';
import { runOn } from '../../storage/transaction';
import {
  bySeries,
  type Series,
  type SeriesLead,
  type SeriesPoint,
  type SeriesPoints,
  seriesHash,
} from '../protocols/series';
import { leadSeries } from './series-leads';
import { findOrMakeSeries, type SeriesMaker } from './series-maker';
import type { SeriesNames } from './series-names';

const POINTS_PER_WRITE = 10_000;
/** The transaction locks the user's row: with 10,000, other work of the user waited for 1.3 s, with 1,000 for 0.2 s. */
const MADE_PER_WRITE = 1_000;
const RETRY_SECONDS = 1;

export interface SeriesOwner {
  userId: number;
  /** Without a maker new series are refused. */
  maker?: SeriesMaker | undefined;
  reaches?: (sensorId: number) => boolean;
}

export interface SeriesWriteOptions {
  /**
   * Runs in the single transaction of the points; again after a retry. Gets the names of refused series. Returns whether
   * an earlier transaction, whose answer was lost, has stored the points.
   */
  alongside?: (connection: TransactionConnection, refused: ReadonlySet<string>) => Promise<'new' | 'stored before'>;
}

/** Known when the write has ended. */
export interface SeriesOutcome {
  accepted: number;
  notEvaluated: number;
  storedMs: number;
  sensors?: ReadonlyMap<string, number>;
  /** Series whose points were not stored; all others were. */
  refused?: RefusedSeries;
}

/** `scope`: no maker. `limit`: the maker has made as many as it may. `sensors`: the credential does not reach them. */
export interface RefusedSeries {
  why: 'scope' | 'limit' | 'sensors';
  names: string[];
}

type Wanted = readonly SeriesPoints[];

/** New series get sensors in the same transaction. */
export class SeriesWriter {
  constructor(
    private readonly names: SeriesNames,
    private readonly writer: DataPointWriter,
    private readonly clock: Clock,
  ) {}

  /**
   * Stores points, at most 10,000 per transaction. Leaves out and names series that the owner may not make. Throws
   * TooMany or Unavailable if too much waits: a part may be stored, and the points may be sent again.
   */
  async write(
    owner: SeriesOwner,
    points: readonly SeriesPoint[],
    receivedMs: number,
    options: SeriesWriteOptions = {},
  ): Promise<SeriesOutcome> {
    const most = options.alongside ? Number.POSITIVE_INFINITY : POINTS_PER_WRITE;
    return this.writeEach(owner, partsOfSeries(bySeries(points), most), receivedMs, options);
  }

  /** Leads series in the caller's transaction, which has read nothing yet. */
  async lead(connection: TransactionConnection, userId: number, leads: readonly SeriesLead[]): Promise<void> {
    await leadSeries(runOn(connection), userId, 'mqtt', leads);
  }

  lastValues(userId: number, series: readonly Series[]): Promise<Map<string, string>> {
    return this.names.lastValues(userId, series);
  }

  private async writeEach(
    owner: SeriesOwner,
    parts: Iterable<Wanted>,
    receivedMs: number,
    options: SeriesWriteOptions,
  ): Promise<SeriesOutcome> {
    let outcome: SeriesOutcome = { accepted: 0, notEvaluated: 0, storedMs: this.clock.now() };
    for (const part of parts) {
      outcome = add(outcome, await this.writePart(owner, part, receivedMs, options));
    }
    return outcome;
  }

  private async writePart(
    owner: SeriesOwner,
    wanted: Wanted,
    receivedMs: number,
    options: SeriesWriteOptions,
  ): Promise<SeriesOutcome> {
    const { alongside } = options;
    const known = await this.names.find(
      owner.userId,
      wanted.map(({ series }) => series),
    );
    if (owner.maker && !alongside && wanted.length - known.size > MADE_PER_WRITE) {
      return this.writeEach(owner, partsOf(wanted, MADE_PER_WRITE), receivedMs, options);
    }
    const isKnown = known.size === wanted.length || !owner.maker;
    if (isKnown && !alongside) {
      const placed = place(wanted, known, owner);
      const outcome = await this.writer.write(owner.userId, batchesOf(placed.found, receivedMs));
      // A sensor may have been deleted meanwhile, with its name.
      if (outcome !== 'not-owned') return { ...summarize(placed), ...outcome };
    }
    return this.writeMaking(owner, wanted, receivedMs, options);
  }

  private async writeMaking(
    owner: SeriesOwner,
    wanted: Wanted,
    receivedMs: number,
    { alongside }: SeriesWriteOptions,
  ): Promise<SeriesOutcome> {
    const { userId, maker } = owner;
    const all = wanted.flatMap(({ points }) => points);
    const byHash = new Map(wanted.map(({ series }) => [seriesHash(series), series]));
    let placed: Placed | undefined;
    const outcome = await this.writer.writePrepared(userId, all, async (connection) => {
      const nowMs = this.clock.now();
      const { sensors, eventUsers } = await findOrMakeSeries(connection, userId, { wanted: byHash, maker, nowMs });
      placed = place(wanted, sensors, owner);
      const found = await alongside?.(connection, new Set(placed.refused?.names));
      return { batches: found === 'stored before' ? [] : batchesOf(placed.found, receivedMs), eventUsers };
    });
    if (outcome === 'not-owned' || !placed) throw new Unavailable('a sensor was deleted meanwhile', RETRY_SECONDS);
    return { ...summarize(placed), ...outcome, sensors: placed.sensors };
  }
}

interface Placed {
  found: { sensorId: number; points: SeriesPoints['points'] }[];
  sensors: ReadonlyMap<string, number>;
  refused: RefusedSeries | undefined;
}

function place(wanted: Wanted, sensors: ReadonlyMap<Series, number>, owner: SeriesOwner): Placed {
  const found: Placed['found'] = [];
  const [unknown, unreached]: [Series[], Series[]] = [[], []];
  const reached = new Map<string, number>();
  for (const { series, points } of wanted) {
    const sensorId = sensors.get(series);
    if (sensorId === undefined) unknown.push(series);
    else if (owner.reaches?.(sensorId) === false) unreached.push(series);
    else {
      found.push({ sensorId, points });
      reached.set(series.name, sensorId);
    }
  }
  const names = [...unreached, ...unknown].map(({ name }) => name);
  if (names.length === 0) return { found, sensors: reached, refused: undefined };
  const why = unreached.length > 0 ? 'sensors' : owner.maker ? 'limit' : 'scope';
  return { found, sensors: reached, refused: { why, names } };
}

function batchesOf(found: Placed['found'], receivedMs: number): PointBatch[] {
  return found.map(({ sensorId, points }) => ({ sensorId, points, receivedMs }));
}

function summarize({ found, refused }: Placed) {
  const accepted = found.reduce((sum, { points }) => sum + points.length, 0);
  return { accepted, ...(refused && { refused }) };
}

function add(one: SeriesOutcome, other: SeriesOutcome): SeriesOutcome {
  const refused =
    other.refused && one.refused
      ? { ...other.refused, names: [...one.refused.names, ...other.refused.names] }
      : (other.refused ?? one.refused);
  return {
    accepted: one.accepted + other.accepted,
    notEvaluated: one.notEvaluated + other.notEvaluated,
    storedMs: other.storedMs,
    ...(refused && { refused }),
    ...(other.sensors && { sensors: other.sensors }),
  };
}

function* partsOfSeries(all: readonly SeriesPoints[], most: number): Generator<Wanted> {
  let part: SeriesPoints[] = [];
  let size = 0;
  for (const { series, points } of all) {
    for (let from = 0; from < points.length; ) {
      const some = points.slice(from, from + most - size);
      part.push({ series, points: some });
      from += some.length;
      size += some.length;
      if (size < most) continue;
      yield part;
      [part, size] = [[], 0];
    }
  }
  if (size > 0) yield part;
}
