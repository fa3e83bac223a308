import type { Changer } from '../../access/author';
import type { NotificationsService } from '../../notifications';
import type { Clock } from '../../platform/clock';
import { RuleSetItem } from '../../storage/models/rule-set-item.model';
import type { MutesService } from '../mutes/mutes.service';
import { dependencyOf } from '../rules/dependency';
import type { EpisodesOnEdit } from '../rules/rule-change';
import { parseSelector } from '../rules/selector';
import type { SensorTriggersService } from '../triggers/sensor-triggers.service';
import type { TriggersService } from '../triggers/triggers.service';
import type { WholeTriggerNotificationsService } from '../triggers/whole-trigger-notifications.service';
import { contentChanges, type Desired, type DesiredEntry } from './desired-rules';
import type { Connection, Reference } from './entry-fields';
import type { Present } from './present-rules';
import { inEntry, type Kind, type RuleSet } from './read-rule-set';
import { parentOf, parentsFirst } from './rule-dependencies';
import type { removedThings } from './rule-plan';

export interface RuleServices {
  notifications: NotificationsService;
  triggers: TriggersService;
  sensorTriggers: SensorTriggersService;
  wholeTriggerNotifications: WholeTriggerNotificationsService;
  mutes: MutesService;
}

export interface EpisodeCounts {
  kept: number;
  ended: number;
}

/** Makes the changes of a set by the services of the API's requests. Call it in a shared edit. */
export class RuleSetApplier {
  constructor(
    private readonly services: RuleServices,
    private readonly clock: Clock,
  ) {}

  async apply(
    changer: Changer,
    set: RuleSet,
    desired: Desired,
    { removed, episodes }: { removed: ReturnType<typeof removedThings>; episodes: EpisodesOnEdit },
  ): Promise<EpisodeCounts & { ids: ReadonlyMap<DesiredEntry<unknown>, number> }> {
    const work = new Work(changer, this.services, episodes);
    const inOrder = async <T extends DesiredEntry<unknown>>(
      entries: readonly T[],
      apply: (entry: T) => Promise<number>,
    ) => {
      for (const entry of entries) {
        const { kind: field, path, name } = entry;
        const id = await inEntry(set, { path, field }, () => apply(entry));
        work.ids.set(entry, id);
        work.byName.set(`${field} ${name}`, id);
      }
    };
    await inOrder(desired.notifications, (entry) => work.notification(entry));
    await inOrder(parentsFirst(desired.triggers), (entry) => work.trigger(entry));
    await inOrder(desired.mutes, (entry) => work.mute(entry));
    // First what names others.
    for (const kind of ['mute', 'trigger', 'notification'] as const) {
      for (const { thing } of removed.filter((one) => one.kind === kind)) await work.remove(kind, thing.row.id);
    }
    const { kept, ended, ids } = work;
    return { kept, ended, ids };
  }

  /** Records what the set manages from now on. `present` has the things as they are now. */
  async record(
    userId: number,
    set: RuleSet,
    present: Present,
    ids: ReadonlyMap<DesiredEntry<unknown>, number>,
    isPruned: boolean,
  ) {
    const own = { ownerId: userId, setName: set.set };
    const entries = [...ids].map(([{ kind, name }, thingId]) => ({ kind, name, thingId }));
    const named = new Set(entries.map(({ kind, thingId }) => `${kind} ${thingId}`));
    for (const item of present.items.filter(({ setName }) => setName === set.set)) {
      const isGone = !present.things[item.kind].has(item.thingId) || named.has(`${item.kind} ${item.thingId}`);
      const entry = entries.find(({ kind, name }) => kind === item.kind && name === item.name);
      if (entry ? entry.thingId !== item.thingId : isPruned || isGone) await item.destroy();
    }
    for (const { kind, name, thingId } of entries) {
      const applied = JSON.stringify(present.things[kind].get(thingId)?.fields ?? {});
      const before = present.items.find((item) => item.setName === set.set && item.kind === kind && item.name === name);
      if (before?.thingId === thingId && before.applied === applied) continue;
      await RuleSetItem.upsert({ ...own, kind, name, thingId, applied, appliedMs: this.clock.now() });
    }
  }
}

class Work implements EpisodeCounts {
  kept = 0;
  ended = 0;
  readonly ids = new Map<DesiredEntry<unknown>, number>();
  readonly byName = new Map<string, number>();

  constructor(
    private readonly changer: Changer,
    private readonly services: RuleServices,
    private readonly episodes: EpisodesOnEdit,
  ) {}

  async notification({ thing, wanted, changes }: Desired['notifications'][number]): Promise<number> {
    const { notifications } = this.services;
    const { userId } = this.changer;
    const { enabled, probe, ...input } = wanted.input;
    if (!thing) {
      const { id } = await notifications.create(userId, () => ({ ...input, probe: probe ?? null }));
      if (enabled === false) await notifications.update(userId, id, { enabled });
      return id;
    }
    const switched = { ...('enabled' in changes && { enabled }), ...('probe' in changes && { probe: probe ?? null }) };
    if (Object.keys(changes).length > 0) await notifications.update(userId, thing.row.id, { ...input, ...switched });
    return thing.row.id;
  }

  async trigger(entry: Desired['triggers'][number]): Promise<number> {
    const { triggers } = this.services;
    const { thing } = entry;
    const parent = parentOf(entry);
    const wanted = { ...entry.wanted, parentId: parent === undefined ? null : this.idOf('trigger', parent) };
    if (!thing) {
      const selector = wanted.selector === null ? null : parseSelector(wanted.selector);
      const { id } = await triggers.create(this.changer, { ...wanted, selector, dependsOn: dependencyOf(wanted) });
      await this.connect(id, entry);
      return id;
    }
    if (Object.keys(contentChanges(entry)).length > 0) {
      const { kept, ended } = await triggers.replace(this.changer, thing.row.id, wanted, this.episodes);
      this.kept += kept;
      this.ended += ended;
    }
    await this.connect(thing.row.id, entry);
    return thing.row.id;
  }

  async mute({ thing, wanted, after, changes }: Desired['mutes'][number]): Promise<number> {
    if (thing && Object.keys(changes).length === 0) return thing.row.id;
    const { mutes } = this.services;
    const { userId } = this.changer;
    const { startMs, endMs, weekly, deliversAfter } = wanted;
    const triggers = (after.triggers as Reference[]).map((one) => this.idOf('trigger', one));
    const sensors = after.sensors as number[]; // ids of sensors
    const input = {
      ...{ name: wanted.name, startMs: startMs ?? null, endMs: endMs ?? null, weekly: weekly ?? null },
      deliversAfter: deliversAfter === true,
      ...((!thing || 'sensors' in changes) && { sensors: sensors.length > 0 ? sensors : null }),
      ...((!thing || 'triggers' in changes) && { triggers: triggers.length > 0 ? triggers : null }),
    };
    const mute = thing ? await mutes.update(userId, thing.row.id, input) : await mutes.create(userId, input);
    return mute.id;
  }

  async remove(kind: Kind, id: number): Promise<void> {
    const { notifications, triggers, mutes } = this.services;
    if (kind === 'trigger') await triggers.delete(this.changer, id);
    else await (kind === 'mute' ? mutes : notifications).delete(this.changer.userId, id);
  }

  private async connect(triggerId: number, entry: DesiredEntry<unknown>): Promise<void> {
    if ('notifications' in entry.changes) await this.connectNotifications(triggerId, entry);
    if ('sensors' in entry.changes) await this.connectSensors(triggerId, entry);
  }

  private async connectNotifications(triggerId: number, { before, after }: DesiredEntry<unknown>): Promise<void> {
    const { wholeTriggerNotifications } = this.services;
    const { userId } = this.changer;
    const old = ((before?.notifications ?? []) as Connection[]).map(({ notification }) => Number(notification));
    const wanted = (after.notifications as Connection[]).map((one) => ({
      notificationId: this.idOf('notification', one.notification),
      afterS: one.after,
    }));
    const ids = new Set(wanted.map(({ notificationId }) => notificationId));
    for (const id of old) if (!ids.has(id)) await wholeTriggerNotifications.disconnect(userId, triggerId, id);
    if (wanted.length > 0) await wholeTriggerNotifications.connect(userId, triggerId, wanted);
  }

  private async connectSensors(triggerId: number, { before, after }: DesiredEntry<unknown>): Promise<void> {
    const { sensorTriggers } = this.services;
    const { userId } = this.changer;
    const old = new Set((before?.sensors ?? []) as number[]);
    const wanted = new Set(after.sensors as number[]);
    for (const id of old) if (!wanted.has(id)) await sensorTriggers.disconnectIfConnected(userId, id, triggerId);
    for (const id of wanted) if (!old.has(id)) await sensorTriggers.connect(userId, id, [triggerId]);
  }

  private idOf(kind: Kind, reference: Reference): number {
    return typeof reference === 'number' ? reference : (this.byName.get(`${kind} ${reference}`) ?? 0);
  }
}
