import type { RowDataPacket } from 'mysql2/promise';
import { reaches, requireReached } from '../../access/credential.policy';
import { requireOwnSensors, unknownSensor } from '../../access/own-sensors';
import type { SensorAccess } from '../../access/sensor-access';
import { parseId } from '../../edge/id';
import type { Page, PageOf } from '../../edge/paging';
import type { TimeRange } from '../../edge/time-range';
import { FairSemaphore } from '../../fairness/fair-semaphore';
import { chargePoints, type PointQuota } from '../../fairness/point-quota';
import { isTextType } from '../../language/sensor-value';
import type { Caller } from '../../platform/caller';
import { type Allowance, IdentityOutdated, InvalidInput, NotFound } from '../../platform/errors';
import type { Database } from '../../storage';
import { requireFits } from '../../storage/response-size';
import type { DataPointWriter } from '../intake/data-point-writer';
import type { PointBatch, UploadOutcome } from '../intake/waiting-requests';
import type { PointReads } from '../point-store/merged-points';
import { countPoints, readPointPage } from '../point-store/point-pages';
import type { PointQuery } from '../point-store/point-statements';
import { dateOfDataPoint, type SensorUpload, type StoredDataPoint, type UploadedPoint } from './data-point';
import { deletePoints, type HasWindows } from './point-deletion';
import { readByType, type UploadedLine, undecidedIn, WrongLine } from './uploaded-lines';

/**
 * Limits of deletions: points per step, concurrent steps in this process, waiting steps of one user, and the time of
 * one request.
 */
const DELETION = { pointsPerStep: 2_000, atOnce: 2, mayWait: 10, mostMs: 20_000 };

/** The caller of an upload. */
export type Uploader = Pick<Caller, 'userId' | 'credential' | 'isCached'>;

/** The number of stored points, and the rest of the user's limit if there is one. */
export interface StoredUpload {
  accepted: number;
  /** Number of stored points that no trigger evaluates: older than the last one, or dated too far ahead. */
  notEvaluated: number;
  /** Time of storage, as recorded by the inbox and the effects of the points. */
  storedMs: number;
  allowance?: Allowance;
}

/** Uploads, reads and deletes data points. */
export class DataPointsService {
  /** Deletions of ranges: they hold few of the connections, regardless of their number. */
  private readonly deletions = new FairSemaphore<number>({
    atOnce: DELETION.atOnce,
    waitingPerTenant: DELETION.mayWait,
  });

  constructor(
    private readonly database: Database,
    private readonly access: SensorAccess,
    private readonly writer: DataPointWriter,
    private readonly quota: PointQuota,
    private readonly from: PointReads,
    private readonly hasWindows: HasWindows,
  ) {}

  /** True if points are limited by user, and so charged before they are stored. */
  get isLimited(): boolean {
    return this.quota.isOn;
  }

  /**
   * Stores points of a sensor of the user; they are durable when this resolves. TooMany beyond the limit of points per
   * second, IdentityOutdated if the cached identity of the caller is stale.
   */
  async upload(caller: Uploader, sensorId: number, points: UploadedPoint[], receivedMs: number): Promise<StoredUpload> {
    const { userId } = caller;
    const allowance = await chargePoints(this.quota, userId, points.length);
    const outcome = await this.write(caller, [{ sensorId, points, receivedMs }]);
    if (outcome !== 'not-owned') {
      return { accepted: points.length, ...outcome, allowance };
    }
    await this.access.findOwn(userId, sensorId);
    throw new NotFound('the sensor');
  }

  /** Stores points of several sensors of the user, all or none of them, otherwise like `upload`. */
  async uploadMany(caller: Uploader, uploads: SensorUpload[], receivedMs: number): Promise<StoredUpload> {
    const { userId, credential } = caller;
    const outside = uploads.find(({ sensorId }) => !reaches(credential, sensorId));
    if (outside) throw caller.isCached ? new IdentityOutdated() : unknownSensor(outside.path);
    const accepted = uploads.reduce((sum, upload) => sum + upload.points.length, 0);
    const allowance = await chargePoints(this.quota, userId, accepted);
    const batches = uploads.map(({ sensorId, points }) => ({ sensorId, points, receivedMs }));
    const outcome = await this.write(caller, batches);
    if (outcome !== 'not-owned') {
      return { accepted, ...outcome, allowance };
    }
    const named = uploads.map(({ sensorId, path }) => ({ id: sensorId, path }));
    await requireOwnSensors(this.access, userId, named, 'upload to');
    throw new NotFound('one of the sensors');
  }

  /**
   * Reads the body of an upload by the types of its sensors, or of the sensor in the path. For sensors that are not
   * text, it drops lines without a value, and reads decimal commas.
   */
  readByType<T extends object>(body: T, userId: number, sensorId?: string): T | Promise<T> {
    const undecided = undecidedIn(body);
    return undecided.length === 0 ? body : this.decide(body, undecided, userId, sensorId);
  }

  private async decide<T extends object>(
    body: T,
    undecided: readonly UploadedLine[],
    userId: number,
    sensorId?: string,
  ): Promise<T> {
    const sensorOf = ({ point }: UploadedLine) => parseId(String(sensorId ?? point.sensor_id)) ?? 0;
    // Sensors of other users must look the same to the caller: the answer must not depend on their types.
    const [sensors] = await this.database.pool.query<RowDataPacket[]>(
      'SELECT id, data_type AS dataType FROM sensors WHERE id IN (?) AND owner_id = ?',
      [[...new Set(undecided.map(sensorOf))], userId],
    );
    const ofText = new Set(sensors.filter(({ dataType }) => isTextType(String(dataType))).map(({ id }) => Number(id)));
    try {
      return readByType(body, (line) => ofText.has(sensorOf(line)));
    } catch (error) {
      if (error instanceof WrongLine) throw InvalidInput.field(`line ${error.line}`, error.why);
      throw error;
    }
  }

  private write({ userId, credential, isCached }: Uploader, batches: PointBatch[]): Promise<UploadOutcome> {
    return this.writer.write(userId, batches, isCached && credential);
  }

  /**
   * A page of the points of sensors that the user may see, in order of date. NotFound if they may not see one of them,
   * InvalidInput if the page is too large for one response.
   */
  async read(
    { userId, credential }: Pick<Caller, 'userId' | 'credential'>,
    sensorIds: readonly number[],
    query: PointQuery,
    page: Page,
  ): Promise<PageOf<StoredDataPoint>> {
    requireReached(credential, sensorIds);
    await this.access.requireReadable(userId, sensorIds);
    const items = await readPointPage(this.from, sensorIds, query, page, requireFits);
    return {
      items,
      total: page.withTotal ? await countPoints(this.from, sensorIds, query) : undefined,
    };
  }

  /** Deletes one point of a sensor of the user. */
  async delete(userId: number, sensorId: number, pointId: number): Promise<void> {
    await this.access.findOwn(userId, sensorId);
    const dateMs = dateOfDataPoint(pointId);
    const { deleted } = await this.deleteSome(sensorId, { startMs: dateMs, endMs: dateMs }, 1);
    if (deleted === 0) throw new NotFound('the data point');
  }

  /**
   * Deletes the points of a range of a sensor of the user, some at a time: each step is a separate transaction, and the
   * steps of all users are interleaved. After a time limit the rest remains.
   */
  async deleteRange(userId: number, sensorId: number, { startMs, endMs }: TimeRange): Promise<DeletedRange> {
    await this.access.findOwn(userId, sensorId);
    const endsAt = performance.now() + DELETION.mostMs;
    const step = () => this.deleteSome(sensorId, { startMs, endMs }, DELETION.pointsPerStep);
    for (let deleted = 0; ; ) {
      const removed = await this.deletions.run(userId, step);
      deleted += removed.deleted;
      if (removed.isDone || performance.now() > endsAt) return { deleted, more: !removed.isDone };
    }
  }

  private deleteSome(sensorId: number, range: TimeRange, most: number) {
    return deletePoints(this.database.pool, sensorId, { range, most, hasWindows: this.hasWindows });
  }
}

export interface DeletedRange {
  deleted: number;
  /** True if points remain. */
  more: boolean;
}
