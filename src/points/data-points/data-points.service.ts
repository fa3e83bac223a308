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
import { deletePoints, forgetWindows, type HasWindows } from './point-deletion';
import { readByType, type UploadedLine, undecidedIn, WrongLine } from './uploaded-lines';

/** Points per step, concurrent steps of the process, waiting steps of a user, and ms of a request. */
const DELETION = { pointsPerStep: 2_000, atOnce: 2, mayWait: 10, mostMs: 20_000 };

export type Uploader = Pick<Caller, 'userId' | 'credential' | 'isCached'>;

/** `allowance`: the rest of the user's limit if there is one. */
export interface StoredUpload {
  accepted: number;
  /** No trigger evaluates them: older than the last one, or dated too far ahead. */
  notEvaluated: number;
  storedMs: number;
  allowance?: Allowance;
}

export class DataPointsService {
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

  /** True if points are charged to users before they are stored. */
  get isLimited(): boolean {
    return this.quota.isOn;
  }

  /**
   * Points are durable when this resolves. Throws TooMany beyond the points per second, IdentityOutdated if the
   * caller's cached identity is stale.
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

  /**
   * Stores points of the past, which no rule or service evaluates. Call `endPast` after the last of a sensor. Throws
   * TooMany beyond the points per second, NotFound.
   */
  async uploadPast(userId: number, sensorId: number, points: UploadedPoint[], receivedMs: number): Promise<void> {
    await chargePoints(this.quota, userId, points.length);
    const outcome = await this.writer.write(userId, [{ sensorId, points, receivedMs, isPast: true }]);
    if (outcome === 'not-owned') throw new NotFound('the sensor');
  }

  async endPast(sensorId: number): Promise<void> {
    await forgetWindows(this.database.pool, sensorId, this.hasWindows);
  }

  /** Stores points of several sensors, all or none; see `upload`. */
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

  /** Unless sensors are text, drops lines without a value, and reads decimal commas. The path may name the sensor. */
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
    // The answer must not depend on the types of other users' sensors.
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

  /** Reads in order of date. Throws NotFound without access to a sensor, InvalidInput if the page is too large. */
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

  async delete(userId: number, sensorId: number, pointId: number): Promise<void> {
    await this.access.findOwn(userId, sensorId);
    const dateMs = dateOfDataPoint(pointId);
    const { deleted } = await this.deleteSome(sensorId, { startMs: dateMs, endMs: dateMs }, 1);
    if (deleted === 0) throw new NotFound('the data point');
  }

  /** Steps are separate transactions, interleaved among users. After a time limit the rest remains. */
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
  more: boolean;
}
