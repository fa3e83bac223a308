import type { Client } from '../../client';
import { DateBudget, DistinctDates } from './distinct-dates';
import { LeftOut } from './left-out';
import type { Progress } from './progress';
import type { Sensors, Target } from './sensors';
import type { Entry, Series, Source } from './source';
import type { ImportState, SeriesState, StateFile } from './state-file';
import { UploadBatch } from './upload-batch';

/** A series and what became of its points. */
export interface SeriesCount {
  series: Series;
  target?: Target;
  dates: DistinctDates;
  read: number;
  /** Points that the platform cannot keep. */
  refused: number;
  /** Entries of an earlier run, which are not sent again. */
  skip: number;
  oldestMs: number;
}

export interface Imported {
  series: readonly SeriesCount[];
  leftOut: LeftOut;
}

export interface ImportRun {
  client: Client;
  source: Source;
  sensors: Sensors;
  progress: Progress;
  state: StateFile;
  /** The state of an interrupted run. */
  earlier: ImportState | undefined;
  platform: string;
  /** Nothing is made and nothing sent. */
  isDry: boolean;
}

const MAX_VALUE_BYTES = 65_535;
const LAST_DATE_MS = Date.UTC(9999, 11, 31, 23, 59, 59, 999);
const DAY_MS = 86_400_000;

/** Reads a source and stores its points; what was acknowledged is in the state file, whatever ends the process. */
export async function runImport(run: ImportRun): Promise<Imported> {
  const importing = new Importing(run);
  return importing.run();
}

class Importing {
  private readonly counts = new Map<Series, SeriesCount>();
  private readonly leftOut = new LeftOut();
  private readonly budget = new DateBudget();
  private readonly batch = new UploadBatch();
  private readonly known: Record<string, SeriesState>;
  private readonly seen: Series[] = [];
  /** Series of the batch, whose state changes when it is acknowledged. */
  private readonly pending = new Set<SeriesCount>();

  constructor(private readonly on: ImportRun) {
    this.known = { ...on.earlier?.series };
  }

  async run(): Promise<Imported> {
    const { source, progress } = this.on;
    const entries = source.read({
      leaveOut: (reason, example, count) => this.leftOut.add(reason, example, count),
      progress: (done) => progress.advance(done),
      seen: (series) => this.seen.push(series),
      storedUntil: (key) => this.known[key]?.dates?.lastMs,
    });
    try {
      for await (const group of entries) {
        await this.countSeen();
        for (const entry of group) {
          const count = this.counts.get(entry.series) ?? (await this.countOf(entry.series));
          if (this.add(count, entry)) await this.send();
        }
        progress.show();
      }
      await this.send(true);
    } catch (error) {
      if (Object.keys(this.known).length > 0) await this.on.state.save(() => this.stateNow(), true);
      throw error;
    } finally {
      progress.end();
    }
    return { series: [...this.counts.values()], leftOut: this.leftOut };
  }

  /** Those of an earlier run only: a series without points gets no sensor. */
  private async countSeen(): Promise<void> {
    for (const series of this.seen.splice(0)) if (this.known[series.key]) await this.countOf(series);
  }

  private async countOf(series: Series): Promise<SeriesCount> {
    const counted = this.counts.get(series);
    if (counted) return counted;
    const count: SeriesCount = {
      series,
      dates: new DistinctDates(this.budget),
      read: 0,
      refused: 0,
      skip: 0,
      oldestMs: 0,
    };
    this.counts.set(series, count);
    if (this.on.isDry) return count;
    const earlier = this.known[series.key];
    if (earlier) this.resume(count, earlier);
    else await this.begin(count);
    if (count.target) count.oldestMs = await this.oldestOf(count.target.sensorId);
    return count;
  }

  private resume(count: SeriesCount, { sensorId, isNew, before, read, dates }: SeriesState): void {
    count.target = { sensorId, isNew, before };
    if (!this.on.source.beginsBehind) count.skip = read;
    else if (dates) {
      count.read = read;
      count.dates.continueFrom(dates.count, dates.firstMs, dates.lastMs);
    }
  }

  private async begin(count: SeriesCount): Promise<void> {
    count.target = await this.on.sensors.targetOf(count.series);
    this.pending.add(count);
  }

  /** The date before which the platform would delete a point of the sensor. */
  private async oldestOf(id: string): Promise<number> {
    const { retention } = await this.on.client.get('/sensors/{id}/retention', { params: { path: { id } } });
    return retention.effective_days === null ? 0 : Date.now() - retention.effective_days * DAY_MS;
  }

  /** Counts an entry, and takes it into the batch unless it is stored already. True if the batch is full. */
  private add(count: SeriesCount, { dateMs, value }: Entry): boolean {
    count.read += 1;
    const why = whyNot(dateMs, value, count.oldestMs);
    if (why !== undefined) {
      count.refused += 1;
      this.leftOut.add(why, `${count.series.name} at ${shownDate(dateMs)}`);
      return false;
    }
    count.dates.add(dateMs);
    if (count.read <= count.skip || !count.target) return false;
    this.pending.add(count);
    return this.batch.add(count.target.sensorId, dateMs, value);
  }

  private async send(isLast = false): Promise<void> {
    const { client, progress, state } = this.on;
    if (this.on.isDry) return;
    progress.stored(await this.batch.send(client));
    for (const count of this.pending) this.known[count.series.key] = stateOf(count);
    this.pending.clear();
    await state.save(() => this.stateNow(), isLast);
  }

  private stateNow(): ImportState {
    const { source, platform } = this.on;
    return { version: 1, kind: source.kind, identity: source.identity, platform, series: this.known };
  }
}

function stateOf({ target, read, dates }: SeriesCount): SeriesState {
  const count = dates.countInOrder();
  const range = { firstMs: dates.firstMs, lastMs: dates.lastMs };
  const { sensorId = '', isNew = false, before = 0 } = target ?? {};
  const isKnown = count !== undefined && count > 0;
  return { sensorId, isNew, before, read, ...(isKnown && { dates: { count, ...range } }) };
}

/** Why the platform cannot keep a point. */
function whyNot(dateMs: number, value: string, oldestMs: number): string | undefined {
  if (!(dateMs >= 0 && dateMs <= LAST_DATE_MS)) return 'dated before 1970 or after 9999';
  if (dateMs < oldestMs) return 'older than the retention of the sensor';
  if (value.length * 3 > MAX_VALUE_BYTES && Buffer.byteLength(value) > MAX_VALUE_BYTES) {
    return `values of more than ${MAX_VALUE_BYTES} bytes`;
  }
  return isWellFormed(value) ? undefined : 'texts that are no Unicode';
}

function isWellFormed(text: string): boolean {
  return !/[\ud800-\udfff]/.test(text) || Buffer.from(text).toString() === text;
}

function shownDate(ms: number): string {
  return Number.isFinite(new Date(ms).getTime()) ? new Date(ms).toISOString() : `${ms} ms`;
}
