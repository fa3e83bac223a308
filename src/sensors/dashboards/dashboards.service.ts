import { findOwned } from '../../access/find-owned';
import { lockUser } from '../../access/locked-user';
import { unknownSensor, unknownThing } from '../../access/own-sensors';
import type { RemovalStep } from '../../access/removal-step';
import { mayRead } from '../../access/sensor.policy';
import type { SensorAccess } from '../../access/sensor-access';
import type { Page, PageOf } from '../../edge/paging';
import type { Clock } from '../../platform/clock';
import { Conflict, NotFound } from '../../platform/errors';
import type { SecretBox } from '../../platform/secret-box';
import { hashSecret } from '../../platform/secrets';
import { withoutUndefined } from '../../platform/without-undefined';
import type { PointReads } from '../../points';
import type { Database } from '../../storage';
import { findPage } from '../../storage/find-page';
import { Dashboard } from '../../storage/models/dashboard.model';
import { Environment } from '../../storage/models/environment.model';
import { forUpdate, inTransaction } from '../../storage/transaction';
import { type OpenedDashboard, parseTiles, pathOfTile, type Tile } from './dashboard';
import { newPublicToken, openPublicToken, sealPublicToken } from './public-token';
import type { TileData } from './tile-content';
import { readTileData } from './tile-data';
import { readPlanImage } from './tile-plan';

export const MAX_DASHBOARDS = 100;

export interface DashboardChanges {
  name?: string;
  tiles?: readonly Tile[];
  /** That the owner has read; undefined if the last change wins. */
  version?: number;
}

/** Dashboards do not exist for other users, except by their public link. */
export class DashboardsService {
  constructor(
    private readonly database: Database,
    private readonly access: SensorAccess,
    private readonly from: PointReads,
    private readonly box: SecretBox,
    private readonly clock: Clock,
  ) {}

  async list(userId: number, page: Page): Promise<PageOf<OpenedDashboard>> {
    const { items, total } = await findPage(Dashboard, { where: { ownerId: userId }, order: ['id'] }, page);
    return { items: items.map((item) => this.open(item)), total };
  }

  async get(userId: number, id: number): Promise<OpenedDashboard> {
    return this.open(await findOwned(Dashboard, { id, ownerId: userId }, 'the dashboard'));
  }

  /** Throws Conflict at the limit. */
  async create(userId: number, name: string, tiles: readonly Tile[]): Promise<OpenedDashboard> {
    await this.requireVisible(userId, tiles, []);
    return inTransaction(this.database.sequelize, async (transaction) => {
      await lockUser(userId, transaction);
      const count = await Dashboard.count({ where: { ownerId: userId }, transaction });
      if (count >= MAX_DASHBOARDS)
        throw new Conflict(`you have ${MAX_DASHBOARDS} dashboards, which is as many as you can`);
      const fields = { ownerId: userId, name, tiles: JSON.stringify(tiles), version: 1, createdMs: this.clock.now() };
      return this.open(await Dashboard.create(fields, { transaction }));
    });
  }

  /**
   * Throws Conflict if the user read another version. Sensors may have become invisible to the user; new ones must be
   * visible.
   */
  async update(userId: number, id: number, { name, tiles, version }: DashboardChanges): Promise<OpenedDashboard> {
    const { tiles: former } = await this.get(userId, id);
    if (tiles) await this.requireVisible(userId, tiles, former);
    return this.change(userId, id, (dashboard) => {
      if (version !== undefined && version !== dashboard.version) {
        throw new Conflict('the dashboard was changed since you read it; load it again');
      }
      const changes = withoutUndefined({ name, tiles: tiles && JSON.stringify(tiles) });
      dashboard.set({ ...changes, version: dashboard.version + 1 });
    });
  }

  /** Ends the public link as well. */
  async delete(userId: number, id: number): Promise<void> {
    const where = { id, ownerId: userId };
    const deleted = await inTransaction(this.database.sequelize, (transaction) =>
      Dashboard.destroy({ where, transaction }),
    );
    if (deleted === 0) throw new NotFound('the dashboard');
  }

  /** An existing link stays. */
  async publish(userId: number, id: number): Promise<OpenedDashboard> {
    return this.change(userId, id, (dashboard) => {
      if (openPublicToken(this.box, dashboard) !== null) return;
      const token = newPublicToken();
      dashboard.set({ publicHash: hashSecret(token), publicToken: sealPublicToken(this.box, token, dashboard) });
    });
  }

  /** Takes effect with the next request. */
  async unpublish(userId: number, id: number): Promise<OpenedDashboard> {
    return this.change(userId, id, (dashboard) => dashboard.set({ publicHash: null, publicToken: null }));
  }

  /** Returns the version of the dashboard as well. */
  async readTile(userId: number, id: number, index: number): Promise<{ data: TileData; version: number }> {
    const { tiles, version } = await this.get(userId, id);
    const tile = tiles[index];
    if (!tile) throw new NotFound('the tile');
    const audience = { ownerId: userId, isPublic: false };
    return { data: await readTileData(this.from, { tile, tiles }, audience, this.clock.now()), version };
  }

  /** Throws NotFound without a picture. */
  async readPlanImage(userId: number, id: number, index: number): Promise<{ type: string; image: Buffer }> {
    const { tiles } = await this.get(userId, id);
    return readPlanImage(this.from.reads, userId, tiles[index]);
  }

  private async change(userId: number, id: number, act: (dashboard: Dashboard) => unknown): Promise<OpenedDashboard> {
    return inTransaction(this.database.sequelize, async (transaction) => {
      const where = { id, ownerId: userId };
      const dashboard = await findOwned(Dashboard, where, 'the dashboard', forUpdate(transaction));
      act(dashboard);
      return this.open(await dashboard.save({ transaction }));
    });
  }

  /** Throws 404 with the path of the first new sensor that the user may not see, or environment that is not theirs. */
  private async requireVisible(userId: number, tiles: readonly Tile[], former: readonly Tile[]): Promise<void> {
    const known = new Set(former.flatMap(({ sensors }) => sensors));
    const added = new Set(tiles.flatMap(({ sensors }) => sensors).filter((id) => !known.has(id)));
    const relations = await this.access.accessOf(userId, [...added]);
    tiles.forEach(({ sensors }, index) => {
      const hidden = sensors.findIndex((id) => added.has(id) && !mayRead(relations.get(id)));
      if (hidden >= 0) throw unknownSensor(`${pathOfTile(index)}.sensors[${hidden}]`);
    });
    const places = tiles.flatMap(({ environment }) => environment ?? []);
    const before = former.map(({ environment }) => environment);
    const own = await Environment.findAll({ where: { ownerId: userId, id: places }, attributes: ['id'] });
    const allowed = new Set([null, ...before, ...own.map((one) => Number(one.id))]);
    const foreign = tiles.findIndex(({ environment }) => !allowed.has(environment));
    if (foreign >= 0) throw unknownThing(`${pathOfTile(foreign)}.environment`, 'environment');
  }

  private open(dashboard: Dashboard): OpenedDashboard {
    const { id, name, version } = dashboard;
    return { id, name, version, tiles: parseTiles(dashboard.tiles), token: openPublicToken(this.box, dashboard) };
  }
}

/** Ends their public links as well. */
export const deleteDashboards: RemovalStep = async (ownerId, { transaction }) => {
  await Dashboard.destroy({ where: { ownerId }, transaction });
  return false;
};
