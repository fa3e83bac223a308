import { mayEdit } from '../../access/sensor.policy';
import { refusalToEdit, type SensorAccess } from '../../access/sensor-access';
import {
  findConnectionWarning,
  type MutesService,
  type SensorTriggersService,
  type TriggerNotificationsService,
  type TriggersService,
} from '../../alerts';
import { BULK_MS } from '../../edge/bulk-time';
import { parseId } from '../../edge/id';
import type { NotificationsService } from '../../notifications';
import type { GroupSensorsService } from '../../people';
import type { Caller } from '../../platform/caller';
import type { Clock } from '../../platform/clock';
import { InvalidInput, NotFound, NotReached, PlatformError } from '../../platform/errors';
import type { Database } from '../../storage';
import type { EnvironmentSensorsService } from '../environments/environment-sensors.service';
import type { MetatagSearch } from '../metatags/metatag-search';
import type { MetatagsService } from '../metatags/metatags.service';
import type { SensorUsersService } from '../sensors/sensor-users.service';
import type { SensorsService } from '../sensors/sensors.service';
import type { BulkAction, BulkSelection } from './bulk-action';

const MOST = 500;
/** No sensor has it. */
const NO_ID = 0;

export interface RefusedSensor {
  sensor: string;
  refusal: PlatformError;
}

export interface BulkResult {
  done: number;
  refused: RefusedSensor[];
  warning: string | undefined;
}

export interface BulkParts {
  clock: Clock;
  database: Database;
  sensorAccess: SensorAccess;
  triggers: TriggersService;
  notifications: NotificationsService;
  sensorTriggers: SensorTriggersService;
  triggerNotifications: TriggerNotificationsService;
  sensors: SensorsService;
  sensorUsers: SensorUsersService;
  groupSensors: GroupSensorsService;
  environmentSensors: EnvironmentSensorsService;
  metatags: MetatagsService;
  metatagSearch: MetatagSearch;
  mutes: MutesService;
}

type BulkCaller = Pick<Caller, 'userId' | 'network'>;
type SingleAction = Exclude<BulkAction, { kind: 'add_to_group' }>;

/**
 * Sharing with a group is one transaction, any other action one per sensor, one after the other. Idempotent, so a
 * client that lost the answer may send it again.
 */
export class BulkService {
  constructor(
    private readonly parts: BulkParts,
    private readonly mostMs = BULK_MS,
  ) {}

  /**
   * Returns refusals by sensor. Begins no sensor after `mostMs`: NotReached. Throws NotFound for another user's trigger
   * or notification, InvalidInput beyond 500 sensors, before anything is done.
   */
  async run(caller: BulkCaller, selection: BulkSelection, action: BulkAction): Promise<BulkResult> {
    const { userId } = caller;
    await this.requireThings(userId, action);
    const distinct = [...new Set(await this.select(userId, selection))];
    const refused =
      action.kind === 'add_to_group'
        ? await this.addToGroup(userId, distinct, action.groupId)
        : await this.applyToEach(caller, distinct, action);
    const named = new Set(refused.map(({ sensor }) => sensor));
    const done = distinct.filter((sensor) => !named.has(sensor)).map(Number);
    if (action.kind === 'mute' && done.length > 0) {
      const { name, endMs } = action;
      const startMs = this.parts.clock.now();
      await this.parts.mutes.createOnce(userId, { name, startMs, endMs, sensors: done });
    }
    return { done: done.length, refused, warning: await this.warningOf(userId, action) };
  }

  private async requireThings(userId: number, action: BulkAction): Promise<void> {
    const { triggers, notifications } = this.parts;
    if ('triggerId' in action) await triggers.find(userId, action.triggerId);
    if (action.kind === 'connect_trigger') await notifications.requireOwn(userId, action.notificationIds ?? []);
  }

  private async select(userId: number, selection: BulkSelection): Promise<readonly string[]> {
    if ('ids' in selection) return selection.ids;
    const scope = { userId, owner: 'me' } as const;
    const page = { offset: 0, limit: MOST + 1, withTotal: false };
    const { namespace, filter, present } = selection;
    const { items } = await this.parts.metatagSearch.find(scope, namespace, filter, page, present);
    if (items.length > MOST)
      throw InvalidInput.field('filter', `matches more than ${MOST} sensors: narrow it, or name them in parts`);
    return items.map(({ sensor }) => String(sensor.id));
  }

  /** One transaction, with a fixed number of statements. */
  private async addToGroup(userId: number, sensors: readonly string[], groupId: number): Promise<RefusedSensor[]> {
    const { sensorAccess, groupSensors } = this.parts;
    const named = sensors.map((sensor) => ({ sensor, id: parseId(sensor) ?? NO_ID }));
    const relations = await sensorAccess.accessOf(
      userId,
      named.map(({ id }) => id),
    );
    const own = named.map(({ id }) => id).filter((id) => mayEdit(relations.get(id)));
    const adding = own.length === 0 ? Promise.resolve(new Set<number>()) : groupSensors.addOwned(userId, groupId, own);
    const refusalOfGroup = await refusalOf(adding);
    const added = refusalOfGroup ? new Set<number>() : await adding;
    return named.flatMap(({ sensor, id }) => {
      if (added.has(id)) return [];
      return { sensor, refusal: refusalToEdit(relations.get(id)) ?? refusalOfGroup ?? new NotFound('the sensor') };
    });
  }

  private async applyToEach(
    caller: BulkCaller,
    sensors: readonly string[],
    action: SingleAction,
  ): Promise<RefusedSensor[]> {
    const refused: RefusedSensor[] = [];
    const endsAt = performance.now() + this.mostMs;
    for (const sensor of sensors) {
      const isOver = performance.now() > endsAt;
      const refusal = isOver
        ? new NotReached('the sensor', this.mostMs / 1_000)
        : await refusalOf(this.apply(caller, parseId(sensor), action));
      if (refusal) refused.push({ sensor, refusal });
    }
    return refused;
  }

  private async apply(caller: BulkCaller, sensorId: number | null, action: SingleAction): Promise<unknown> {
    if (sensorId === null) throw new NotFound('the sensor');
    const { userId } = caller;
    const { parts } = this;
    await parts.sensorAccess.findOwn(userId, sensorId);
    switch (action.kind) {
      case 'connect_trigger':
        return this.connect(userId, sensorId, action);
      case 'disconnect_trigger':
        return parts.sensorTriggers.disconnectIfConnected(userId, sensorId, action.triggerId);
      case 'share':
        return parts.sensorUsers.share(caller, sensorId, action.reference);
      case 'unshare':
        return parts.sensorUsers.unshare(userId, sensorId, action.readerId).catch(ignoreMissing);
      case 'add_to_environment':
        return parts.environmentSensors.connect(userId, action.environmentId, [sensorId]);
      case 'set_metatags':
        return parts.metatags.merge(userId, sensorId, action.namespace, action.metatags);
      case 'mute':
        return; // one mute for all of them, afterwards
      case 'delete':
        return parts.sensors.delete(userId, sensorId);
    }
  }

  private async connect(
    userId: number,
    sensorId: number,
    { triggerId, notificationIds }: BulkAction & { kind: 'connect_trigger' },
  ): Promise<void> {
    const { sensorTriggers, triggerNotifications } = this.parts;
    await sensorTriggers.connect(userId, sensorId, [triggerId]);
    if (!notificationIds) return;
    const wanted = notificationIds.map((notificationId) => ({ notificationId }));
    await triggerNotifications.connect(userId, sensorId, triggerId, wanted, { alone: true });
  }

  private async warningOf(userId: number, action: BulkAction): Promise<string | undefined> {
    if (action.kind !== 'connect_trigger') return undefined;
    const { database, triggers } = this.parts;
    return findConnectionWarning(database.pool, await triggers.find(userId, action.triggerId));
  }
}

/** What is to be removed is not there. */
function ignoreMissing(error: unknown): void {
  if (!(error instanceof NotFound)) throw error;
}

/** The refusal that the work ends with. Other errors are thrown. */
async function refusalOf(work: Promise<unknown>): Promise<PlatformError | undefined> {
  try {
    await work;
    return undefined;
  } catch (error) {
    if (error instanceof PlatformError && error.status < 500) return error;
    throw error;
  }
}
