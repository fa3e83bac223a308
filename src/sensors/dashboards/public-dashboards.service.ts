import type { RowDataPacket } from 'mysql2/promise';
import { isOwnerOpen } from '../../access/link-owner';
import { FairSemaphore } from '../../fairness/fair-semaphore';
import type { Quota } from '../../fairness/quota';
import { WorkAccount, type WorkLimits } from '../../fairness/work-account';
import type { Clock } from '../../platform/clock';
import { NotFound, TooMany } from '../../platform/errors';
import type { SecretBox } from '../../platform/secret-box';
import { hashSecret } from '../../platform/secrets';
import type { PointReads } from '../../points';
import type { Database } from '../../storage';
import { cancellationSignal, runCancellable } from '../../storage/cancellation';
import { runOn } from '../../storage/transaction';
import { type OpenedDashboard, parseTiles } from './dashboard';
import { isPublicToken, openPublicToken } from './public-token';
import type { TileData } from './tile-content';
import { readTileData } from './tile-data';
import { readPlanImage } from './tile-plan';

/** Concurrent reads of all readers of one user's public dashboards in one API process, and how many wait. */
const PUBLIC_READS = { perTenant: 2, waitingPerTenant: 100, waiting: 1_000 };

/**
 * Reads dashboards by public link, without a session. The link is read again each time, so a revoked one ends at once.
 * Work is charged to the owner, apart from the owner's own requests.
 */
export class PublicDashboardsService {
  private readonly readers = new FairSemaphore<number>(PUBLIC_READS);

  constructor(
    private readonly database: Database,
    private readonly from: PointReads,
    private readonly box: SecretBox,
    private readonly quota: Pick<Quota, 'charge'>,
    private readonly clock: Clock,
    private readonly work: WorkLimits,
  ) {}

  /** Throws NotFound. */
  async get(token: string): Promise<OpenedDashboard> {
    const { dashboard, ownerId } = await this.find(token);
    await this.charge(ownerId);
    return dashboard;
  }

  /** Returns the version of the dashboard as well. */
  async readTile(token: string, index: number): Promise<{ data: TileData; version: number }> {
    return this.asReader(token, async ({ tiles, version }, ownerId) => {
      const tile = tiles[index];
      if (!tile) throw new NotFound('the tile');
      const audience = { ownerId, isPublic: true };
      return { data: await readTileData(this.from, { tile, tiles }, audience, this.clock.now()), version };
    });
  }

  /** Throws NotFound without a picture. */
  async readPlanImage(token: string, index: number): Promise<{ type: string; image: Buffer }> {
    return this.asReader(token, ({ tiles }, ownerId) => readPlanImage(this.from.reads, ownerId, tiles[index]));
  }

  private async asReader<T>(
    token: string,
    read: (dashboard: OpenedDashboard, ownerId: number) => Promise<T>,
  ): Promise<T> {
    const { dashboard, ownerId } = await this.find(token);
    await this.charge(ownerId);
    const signal = cancellationSignal() ?? new AbortController().signal;
    const leave = await this.readers.enter(ownerId, signal);
    const account = { userId: ownerId, hold: () => {}, work: new WorkAccount(this.work, ownerId) };
    return runCancellable(signal, () => read(dashboard, ownerId), account).finally(leave);
  }

  private async find(token: string): Promise<{ dashboard: OpenedDashboard; ownerId: number }> {
    const row = isPublicToken(token) ? await this.findRow(token) : undefined;
    if (!row || openPublicToken(this.box, { id: Number(row.id), publicToken: row.publicToken }) !== token) {
      throw new NotFound('the dashboard');
    }
    const { name, tiles, version } = row;
    const dashboard = { id: Number(row.id), name, tiles: parseTiles(String(tiles)), version: Number(version), token };
    return { dashboard, ownerId: Number(row.ownerId) };
  }

  private async findRow(token: string): Promise<RowDataPacket | undefined> {
    const [[row]] = await this.database.pool.query<RowDataPacket[]>(
      `SELECT d.id, d.owner_id AS ownerId, d.name, d.tiles, d.version, d.public_token AS publicToken
       FROM dashboards d WHERE d.public_hash = ?`,
      [hashSecret(token)],
    );
    return row && (await isOwnerOpen(runOn(this.database.pool), Number(row.ownerId))) ? row : undefined;
  }

  /** All readers of the owner's public dashboards share an allowance. */
  private async charge(ownerId: number): Promise<void> {
    const allowance = await this.quota.charge(`public:${ownerId}`);
    if (allowance?.exceeded) throw new TooMany('too many requests; try again later', allowance.resetSeconds);
  }
}
