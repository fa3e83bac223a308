import type { Transaction } from 'sequelize';
import { findOwned } from '../../access/find-owned';
import { lockUser } from '../../access/locked-user';
import { parseOutline, parsePosition } from '../../language/zones/coordinates';
import type { Clock } from '../../platform/clock';
import { Conflict, InvalidInput, NotFound } from '../../platform/errors';
import type { Database } from '../../storage';
import { Environment } from '../../storage/models/environment.model';
import { FloorPlan } from '../../storage/models/floor-plan.model';
import { forUpdate, inTransaction, runIn } from '../../storage/transaction';
import { lockEnvironment } from './environments.service';
import { boundsOf } from './outline-bounds';

export interface FloorPlanChanges {
  image?: Buffer;
  imageBytes?: number;
  type?: string;
  pixelWidth?: number;
  pixelHeight?: number;
  position?: string;
  width?: number;
  rotation?: number;
}

/** Without the picture, which may have 1 MB. */
export type PlacedPlan = Omit<FloorPlan['dataValues'], 'image'>;

const MOST_PLANS = 200;
/** Metres, without an outline. */
const DEFAULT_WIDTH = 20;

/** Only the owner of an environment sees its picture. */
export class FloorPlansService {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
  ) {}

  async find(userId: number, id: number): Promise<PlacedPlan> {
    await findOwned(Environment, { id, ownerId: userId }, 'the environment');
    return placed(await FloorPlan.findByPk(id, { attributes: { exclude: ['image'] } }));
  }

  /** Returns the content type as well. */
  async readImage(userId: number, id: number): Promise<{ type: string; image: Buffer }> {
    await findOwned(Environment, { id, ownerId: userId }, 'the environment');
    const plan = await FloorPlan.findByPk(id);
    if (!plan) throw new NotFound('the floor plan');
    return { type: plan.type, image: plan.image };
  }

  /** The first time it needs a picture. Throws Conflict at the limit. */
  async save(userId: number, id: number, changes: FloorPlanChanges): Promise<PlacedPlan> {
    await inTransaction(this.database.sequelize, async (transaction) => {
      await lockUser(userId, transaction);
      const environment = await lockEnvironment({ id, ownerId: userId }, forUpdate(transaction));
      const fields = { ...changes, changedMs: this.clock.now() };
      const [changed] = await FloorPlan.update(fields, { where: { environmentId: id }, transaction });
      if (changed > 0) return;
      const { image, imageBytes, type, pixelWidth, pixelHeight } = changes;
      if (!image || !type) throw InvalidInput.field('floor_plan.image', 'is required for a new floor plan');
      await this.requireRoom(userId, transaction);
      const picture = { image, imageBytes: imageBytes ?? 0, type };
      const size = { pixelWidth: pixelWidth ?? 0, pixelHeight: pixelHeight ?? 0 };
      const place = { ...placeOn(environment), rotation: 0 };
      await FloorPlan.create({ environmentId: id, ...place, ...picture, ...size, ...fields }, { transaction });
    });
    return this.find(userId, id);
  }

  /** Outline and positions stay. */
  async delete(userId: number, id: number): Promise<void> {
    await findOwned(Environment, { id, ownerId: userId }, 'the environment');
    const where = { environmentId: id };
    const deleted = await inTransaction(this.database.sequelize, (transaction) =>
      FloorPlan.destroy({ where, transaction }),
    );
    if (deleted === 0) throw new NotFound('the floor plan');
  }

  private async requireRoom(userId: number, transaction: Transaction): Promise<void> {
    const sql = `SELECT COUNT(*) AS plans FROM floor_plans p JOIN environments e ON e.id = p.environment_id
                 WHERE e.owner_id = ?`;
    const [row] = await runIn(this.database.sequelize, transaction)(sql, [userId]);
    if (Number(row?.plans) >= MOST_PLANS) throw new Conflict(`you have ${MOST_PLANS} floor plans, the most possible`);
  }
}

function placed(plan: FloorPlan | null): PlacedPlan {
  if (!plan) throw new NotFound('the floor plan');
  return plan;
}

/** The middle of the outline, otherwise the position of the environment. */
function placeOn({ gpsOutline, position }: Environment): { position: string; width: number } {
  const outline = parseOutline(gpsOutline);
  if (!outline.ok) return { position: parsePosition(position).ok ? position : '0 0', width: DEFAULT_WIDTH };
  const { latitude, longitude, width } = boundsOf(outline.value.flat());
  return { position: `${latitude} ${longitude}`, width: Math.min(Math.max(width, 0.1), 100_000) };
}
