import { type Attributes, Op, type WhereOptions } from 'sequelize';
import { findOwned } from '../../access/find-owned';
import { lockUser } from '../../access/locked-user';
import { requireOwnSensors, unknownThing } from '../../access/own-sensors';
import { editRules, type ModelEdit } from '../../access/rule-edit';
import type { SensorAccess } from '../../access/sensor-access';
import type { WeeklyHours } from '../../edge/mute';
import type { Page, PageOf } from '../../edge/paging';
import { recheckMuted } from '../../notifications';
import type { Clock } from '../../platform/clock';
import { Conflict, InvalidInput } from '../../platform/errors';
import { withoutUndefined } from '../../platform/without-undefined';
import type { Database } from '../../storage';
import { findPage } from '../../storage/find-page';
import { Mute } from '../../storage/models/mute.model';
import { Trigger } from '../../storage/models/trigger.model';
import { forUpdate } from '../../storage/transaction';

/** Every firing is compared with all of them, and with those of members. */
const MAX_MUTES = 100;
/** On the alerts of one owner. */
const MAX_OF_MEMBER = 20;
const MAX_OF_MEMBERS = 100;
const MAX_NAME = 255;

/** Null lifts a limit, undefined changes nothing. */
export type MuteChanges = Partial<
  Pick<Attributes<Mute>, 'name' | 'startMs' | 'endMs' | 'deliversAfter' | 'createdBy'>
> & {
  sensors?: readonly number[] | null;
  triggers?: readonly number[] | null;
  weekly?: WeeklyHours | null;
};

type NewMute = MuteChanges & { name: string };

export interface SensorMute {
  name: string;
  startMs: number;
  endMs: number;
  sensors: readonly number[];
}

export class MutesService {
  constructor(
    private readonly database: Database,
    private readonly access: SensorAccess,
    private readonly clock: Clock,
  ) {}

  list(userId: number, page: Page): Promise<PageOf<Mute>> {
    return findPage(Mute, { where: { ownerId: userId }, order: ['id'] }, page);
  }

  get(userId: number, id: number): Promise<Mute> {
    return findOwned(Mute, { id, ownerId: userId }, 'the mute');
  }

  /** Applies from the next point on. Throws Conflict at the limit. */
  async create(userId: number, changes: NewMute): Promise<Mute> {
    await this.requireOwn(userId, changes);
    return editRules(this.database.sequelize, async (edit) => {
      await lockUser(userId, edit.transaction);
      return this.build(userId, changes, edit);
    });
  }

  /** Keeps a mute with this name, end and sensors that applies already. Throws Conflict at the limit. */
  async createOnce(userId: number, given: SensorMute): Promise<Mute> {
    const mute = { ...given, sensors: [...given.sensors].sort((a, b) => a - b) };
    await this.requireOwn(userId, mute);
    return editRules(this.database.sequelize, async (edit) => {
      await lockUser(userId, edit.transaction);
      const { name, startMs, endMs } = mute;
      const always = { triggers: null, days: null, deliversAfter: false };
      const same = { ownerId: userId, name, endMs, sensors: idList(mute.sensors), ...always };
      const where = { ...same, startMs: { [Op.lte]: startMs } };
      const found = await Mute.findOne({ where, transaction: edit.transaction });
      return found ?? this.build(userId, mute, edit);
    });
  }

  /**
   * Moves the time of the mute with these sensors and triggers, and of this member or else with this name; creates a missing
   * one. Throws as `create`.
   */
  async put(userId: number, mute: SensorMute & { triggers: readonly number[]; createdBy?: number }): Promise<Mute> {
    await this.requireOwn(userId, mute);
    return editRules(this.database.sequelize, async (edit) => {
      await lockUser(userId, edit.transaction);
      const lists = { sensors: idList(mute.sensors), triggers: idList(mute.triggers) };
      const { name, createdBy } = mute;
      const by = createdBy === undefined ? { createdBy: null, name } : { createdBy };
      const where = { ownerId: userId, ...lists, days: null, ...by };
      const found = await Mute.findOne({ where, transaction: edit.transaction });
      return found ? this.save(found, mute, edit) : this.build(userId, mute, edit);
    });
  }

  /**
   * Does the same on behalf of an owner, from now on. Requires that the user may handle the alert. Members have a limit of
   * their own: they do not use up the mutes of the owner.
   */
  async putFor(
    { ownerId, createdBy }: { ownerId: number; createdBy: number },
    { name, sensorId, triggerId, endMs }: { name: string; sensorId: number; triggerId: number; endMs: number },
  ): Promise<Mute> {
    const startMs = this.clock.now();
    if (endMs <= startMs) throw InvalidInput.field('action.mute.end', 'must be in the future');
    const about = { sensors: [sensorId], triggers: [triggerId] };
    return this.put(ownerId, { name: name.slice(0, MAX_NAME), ...about, startMs, endMs, createdBy });
  }

  /** For all points from now on. */
  async update(userId: number, id: number, changes: MuteChanges): Promise<Mute> {
    await this.requireOwn(userId, changes);
    return editRules(this.database.sequelize, async (edit) => {
      const { transaction } = edit;
      const mute = await findOwned(Mute, { id, ownerId: userId }, 'the mute', forUpdate(transaction));
      const saved = await this.save(mute, changes, edit);
      await recheckMuted(edit.run, userId, this.clock.now());
      return saved;
    });
  }

  /** Firings stay undelivered unless the mute delivers what still fires; ends of episodes are delivered. */
  async delete(userId: number, id: number): Promise<void> {
    await editRules(this.database.sequelize, async (edit) => {
      const { transaction } = edit;
      const mute = await findOwned(Mute, { id, ownerId: userId }, 'the mute', forUpdate(transaction));
      await edit.affects({ ownerId: userId });
      await mute.destroy({ transaction });
      await recheckMuted(edit.run, userId, this.clock.now());
    });
  }

  /** Requires that the user is locked. */
  private async build(userId: number, changes: NewMute, edit: ModelEdit): Promise<Mute> {
    const { createdBy } = changes;
    if (createdBy) await this.requireRoomFor(createdBy, userId, edit);
    else if ((await countMutes({ ownerId: userId, createdBy: null }, edit)) >= MAX_MUTES)
      throw new Conflict(`you have ${MAX_MUTES} mutes, which is as many as you can`);
    const always = { startMs: null, endMs: null, days: null };
    const mute = Mute.build({ ownerId: userId, name: changes.name, ...always, createdMs: this.clock.now() });
    return this.save(mute, changes, edit);
  }

  /** What has ended makes room. */
  private async requireRoomFor(memberId: number, ownerId: number, edit: ModelEdit): Promise<void> {
    const ofMembers = { ownerId, createdBy: { [Op.ne]: null } };
    const refusal = async () => {
      if ((await countMutes({ ownerId, createdBy: memberId }, edit)) >= MAX_OF_MEMBER)
        return new Conflict(`you have ${MAX_OF_MEMBER} mutes on alerts of this user, which is as many as you can`);
      if ((await countMutes(ofMembers, edit)) >= MAX_OF_MEMBERS)
        return new Conflict(
          `members have ${MAX_OF_MEMBERS} mutes on alerts of this user, which is as many as they can`,
        );
      return undefined;
    };
    if (!(await refusal())) return;
    await edit.affects({ ownerId });
    const ended = { ...ofMembers, endMs: { [Op.lte]: this.clock.now() } };
    await Mute.destroy({ where: ended, transaction: edit.transaction });
    const stillFull = await refusal();
    if (stillFull) throw stillFull;
  }

  private async save(mute: Mute, changes: MuteChanges, edit: ModelEdit): Promise<Mute> {
    const { transaction } = edit;
    mute.set(columnsOf(changes));
    requireTime(mute);
    // Passes cache the mutes of the owners of their sensors.
    await edit.affects({ ownerId: mute.ownerId });
    const saved = await mute.save({ transaction });
    return saved.reload({ transaction });
  }

  private async requireOwn(userId: number, { sensors, triggers }: MuteChanges): Promise<void> {
    const named = (sensors ?? []).map((id, index) => ({ id, path: `mute.sensors[${index}]` }));
    await requireOwnSensors(this.access, userId, named, 'mute');
    if (!triggers) return;
    const own = await Trigger.findAll({ attributes: ['id'], where: { id: [...triggers], ownerId: userId } });
    const ids = new Set(own.map(({ id }) => id));
    triggers.forEach((id, index) => {
      if (!ids.has(id)) throw unknownThing(`mute.triggers[${index}]`, 'trigger');
    });
  }
}

function columnsOf({ sensors, triggers, weekly, ...others }: MuteChanges): Partial<Mute> {
  return {
    ...withoutUndefined(others),
    ...(sensors !== undefined && { sensors: idList(sensors) }),
    ...(triggers !== undefined && { triggers: idList(triggers) }),
    ...(weekly !== undefined && {
      days: weekly && JSON.stringify(weekly.days),
      fromTime: weekly?.from ?? null,
      toTime: weekly?.to ?? null,
      timezone: weekly?.timezone ?? null,
    }),
  };
}

function countMutes(where: WhereOptions<Attributes<Mute>>, { transaction }: ModelEdit): Promise<number> {
  return Mute.count({ where, transaction });
}

function idList(ids: readonly number[] | null): string | null {
  return ids && JSON.stringify([...new Set(ids)]);
}

/** Throws InvalidInput for a mute that would apply always, or never. */
export function requireTime({ startMs, endMs, days }: Pick<Mute, 'startMs' | 'endMs' | 'days'>): void {
  if (days === null && startMs === null) throw InvalidInput.field('mute.start', 'is required without mute.weekly');
  if (days === null && endMs === null) throw InvalidInput.field('mute.end', 'is required without mute.weekly');
  if (startMs !== null && endMs !== null && startMs >= endMs) {
    throw InvalidInput.field('mute.end', 'must be after mute.start');
  }
}
