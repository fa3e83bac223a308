import type { RowDataPacket } from 'mysql2/promise';
import { requireReached } from '../../access/credential.policy';
import type { SensorAccess } from '../../access/sensor-access';
import { intervalAt } from '../../edge/intervals';
import type { Page } from '../../edge/paging';
import { isTextType } from '../../language/sensor-value';
import type { Caller, Identity } from '../../platform/caller';
import { InvalidInput, Unauthorized } from '../../platform/errors';
import { chargeAnswer } from '../../storage/cancellation';
import { type PointReads, readDatesOfEach, readRange } from '../point-store/merged-points';
import { readLastDate, readPointParts } from '../point-store/point-pages';
import type { IntervalQuery, PointQuery } from '../point-store/point-statements';
import type { StoredDataPoint } from './data-point';
import { type ExportedSensor, readExportedSensors, type ValueColumns } from './sensor-columns';

const MANY_AT_ONCE = 1_000;
/** How long a client that reads lines is trusted before the next part. */
const CHECK_MS = 2_000;
const MOST_FIELDS = 1_000;
const MOST_FIELD_CHARACTERS = 100_000;
const FIRST_PAGE: Page = { offset: 0, limit: MANY_AT_ONCE, withTotal: false };
/** Values of these types are not JSON. */
const WITHOUT_FIELDS = /^\s*(float|double|number|numeric|int|integer|long|bool|boolean|string)\s*$/i;

export interface ExportReader {
  caller: Pick<Caller, 'userId' | 'credential'>;
  recheck: () => Promise<Identity | null>;
}

/**
 * The present caller, whose credential is checked again if the last check was some time ago; then `onChecked` is called.
 * Throws Unauthorized if it has ended.
 */
export function rechecked(
  { caller, recheck }: ExportReader,
  onChecked?: (present: ExportReader['caller']) => Promise<void>,
): () => Promise<ExportReader['caller']> {
  let present = caller;
  let checkedAt = performance.now();
  return async () => {
    if (performance.now() - checkedAt < CHECK_MS) return present;
    const identity = await recheck();
    if (identity?.userId !== caller.userId) throw new Unauthorized('the credential has ended');
    present = { ...caller, ...identity };
    await onChecked?.(present);
    checkedAt = performance.now();
    return present;
  };
}

/** Reads whole ranges in bounded parts, and keeps no connection between them. */
export class DataExport {
  constructor(
    private readonly from: PointReads,
    private readonly access: SensorAccess,
  ) {}

  /** Throws NotFound if the caller may not see a sensor. */
  async requireReadable({ userId, credential }: Pick<Caller, 'userId' | 'credential'>, sensorIds: readonly number[]) {
    requireReached(credential, sensorIds);
    await this.access.requireReadable(userId, sensorIds);
  }

  /**
   * Reads points that are stored now; later ones only if their dates are before the last of these. Throws if the reader
   * may no longer see them.
   */
  async *read(
    reader: ExportReader,
    sensorIds: readonly number[],
    query: PointQuery,
  ): AsyncGenerator<StoredDataPoint[]> {
    const lastMs = await readLastDate(this.from.reads, sensorIds, query);
    if (lastMs === undefined) return;
    yield* this.whileReadable(reader, sensorIds, this.parts(sensorIds, { ...query, endMs: lastMs }));
  }

  async *readPage(reader: ExportReader, sensorIds: readonly number[], query: PointQuery, page: Page) {
    yield* this.whileReadable(reader, sensorIds, readPointParts(this.from, sensorIds, query, page));
  }

  private async *parts(sensorIds: readonly number[], query: PointQuery): AsyncGenerator<StoredDataPoint[]> {
    const { intervals } = query;
    if (intervals !== undefined) yield* this.readIntervals(sensorIds, { ...query, intervals });
    else if (query.one) yield* readPointParts(this.from, sensorIds, query, FIRST_PAGE);
    else yield* readRange(this.from.reads, sensorIds, query, { dividesDates: true });
  }

  /** A client may read slowly: access is checked between the parts. */
  private async *whileReadable(
    reader: ExportReader,
    sensorIds: readonly number[],
    parts: AsyncGenerator<StoredDataPoint[], unknown>,
  ): AsyncGenerator<StoredDataPoint[]> {
    const check = rechecked(reader, (present) => this.requireReadable(present, sensorIds));
    try {
      for (;;) {
        await check();
        const next = await parts.next();
        if (next.done) return;
        chargeAnswer(next.value.reduce((sum, point) => sum + charactersOf(point), 0));
        yield next.value;
      }
    } finally {
      await parts.return(undefined); // which releases what it holds
    }
  }

  /** The columns of each sensor, in the order of the ids. Throws InvalidInput for too many. */
  async columnsOfEach(
    sensorIds: readonly number[],
    query: PointQuery,
  ): Promise<{ sensor: ExportedSensor; values: ValueColumns }[]> {
    const columns = [];
    let fields = 0;
    for (const sensor of await readExportedSensors(this.from.reads, sensorIds)) {
      const values = await this.columns([sensor.id], query);
      columns.push({ sensor, values });
      fields += values.fields.length;
      if (fields > MOST_FIELDS) throw new InvalidInput(`the sensors have more than ${MOST_FIELDS} fields: name fewer`);
    }
    return columns;
  }

  /** Throws InvalidInput if there are too many fields for columns. */
  async columns(sensorIds: readonly number[], query: PointQuery): Promise<ValueColumns> {
    const [sensors] = await this.from.reads.query<RowDataPacket[]>(
      'SELECT id, data_type AS dataType FROM sensors WHERE id IN (?)',
      [sensorIds],
    );
    const fields = new Set<string>();
    let hasPlain = false;
    for (const { id, dataType } of sensors) {
      if (WITHOUT_FIELDS.test(String(dataType))) hasPlain = true;
      else if (await this.collectFields(Number(id), query, fields)) hasPlain = true;
    }
    const ofText = sensors.filter(({ dataType }) => isTextType(String(dataType)));
    const textSensors = new Set(ofText.map(({ id }) => Number(id)));
    return { hasPlain: hasPlain || fields.size === 0, fields: [...fields].sort(), textSensors };
  }

  private async collectFields(sensorId: number, query: PointQuery, fields: Set<string>): Promise<boolean> {
    let hasPlain = false;
    for await (const points of readRange(this.from.reads, [sensorId], { ...query, descending: false })) {
      for (const { value } of points) {
        const names = fieldsOf(value);
        if (names === undefined) hasPlain = true;
        else for (const name of names) fields.add(name);
      }
      requireColumns(fields);
    }
    return hasPlain;
  }

  /** Windows of time begin at stored points: aggregating the whole range at once could take any time. */
  private async *readIntervals(sensorIds: readonly number[], query: IntervalQuery): AsyncGenerator<StoredDataPoint[]> {
    const { seconds, pieces } = query.intervals;
    const most = Math.max(10, Math.floor(MANY_AT_ONCE / sensorIds.length));
    const windowMs = most * seconds * 1000;
    const { descending } = query;
    for (let rest = query; ; ) {
      const edge = { ...rest, intervals: undefined, one: descending ? 'last' : 'first' } as const;
      const edges = await readDatesOfEach(this.from.reads, sensorIds, edge);
      const dates = edges.map(({ dateMs }) => dateMs);
      if (dates.length === 0) return;
      const first = intervalAt(pieces, descending ? Math.max(...dates) : Math.min(...dates));
      // Days differ in length: the last interval of the window is left to the next window.
      const from = descending ? intervalAt(pieces, Math.max(0, first.endMs - windowMs)).startMs : first.startMs;
      const until = descending ? first.endMs : Math.max(first.endMs, intervalAt(pieces, from + windowMs).startMs);
      const window = { ...rest, startMs: Math.max(rest.startMs, from), endMs: Math.min(rest.endMs, until - 1) };
      yield* readPointParts(this.from, sensorIds, window, { ...FIRST_PAGE, limit: (most + 1) * sensorIds.length });
      rest = descending ? { ...rest, endMs: from - 1 } : { ...rest, startMs: until };
      if (rest.startMs > rest.endMs) return;
    }
  }
}

function charactersOf({ value, extremes }: StoredDataPoint): number {
  return Object.values(extremes ?? {}).reduce((sum, { length }) => sum + length, value.length);
}

function requireColumns(fields: ReadonlySet<string>): void {
  const characters = [...fields].reduce((sum, name) => sum + name.length, 0);
  if (fields.size <= MOST_FIELDS && characters <= MOST_FIELD_CHARACTERS) return;
  throw new InvalidInput(
    `the values have more than ${MOST_FIELDS} fields, or ${MOST_FIELD_CHARACTERS} characters in their names, too many for columns: ask for NDJSON`,
  );
}

/** Undefined unless the value is a JSON object. */
function fieldsOf(value: string): string[] | undefined {
  if (!value.startsWith('{')) return undefined;
  try {
    return Object.keys(JSON.parse(value));
  } catch {
    return undefined;
  }
}
