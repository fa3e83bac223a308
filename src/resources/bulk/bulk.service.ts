import { NotFound, PlatformError } from '../../platform/errors';
import { parseId } from '../../rules/id';
import type { Database } from '../../storage';
import type { NotificationsService } from '../notifications/notifications.service';
import { findFieldWarning } from '../triggers/field-warnings';
import type { SensorTriggersService } from '../triggers/sensor-triggers.service';
import type { TriggerNotificationsService } from '../triggers/trigger-notifications.service';
import type { TriggersService } from '../triggers/triggers.service';

/** An action on a sensor. If `notificationIds` is given, the trigger has exactly these notifications afterwards. */
export type BulkAction =
  | { kind: 'connect_trigger'; triggerId: number; notificationIds: readonly number[] | undefined }
  | { kind: 'disconnect_trigger'; triggerId: number };

/** A sensor, as the request names it, and why the action was refused on it. */
export interface RefusedSensor {
  sensor: string;
  refusal: PlatformError;
}

/** The number of sensors on which the action was done, the refused ones, and a warning. */
export interface BulkResult {
  done: number;
  refused: RefusedSensor[];
  warning: string | undefined;
}

/**
 * Does one action on many sensors, one transaction per sensor, one after the other. Repeating a request is harmless, so
 * a client that lost the answer may send it again.
 */
export class BulkService {
  constructor(
    private readonly database: Database,
    private readonly triggers: TriggersService,
    private readonly notifications: NotificationsService,
    private readonly sensorTriggers: SensorTriggersService,
    private readonly triggerNotifications: TriggerNotificationsService,
  ) {}

  /**
   * Does the action on each sensor that the user owns, and returns why it was refused on the others. Throws NotFound
   * for a trigger or a notification of another user, before anything is done.
   */
  async run(userId: number, sensors: readonly string[], action: BulkAction): Promise<BulkResult> {
    const trigger = await this.triggers.find(userId, action.triggerId);
    if (action.kind === 'connect_trigger') await this.notifications.requireOwn(userId, action.notificationIds ?? []);
    const distinct = [...new Set(sensors)];
    const refused: RefusedSensor[] = [];
    for (const sensor of distinct) {
      const refusal = await refusalOf(this.apply(userId, parseId(sensor), action));
      if (refusal) refused.push({ sensor, refusal });
    }
    const warning = action.kind === 'connect_trigger' ? await findFieldWarning(this.database.pool, trigger) : undefined;
    return { done: distinct.length - refused.length, refused, warning };
  }

  private async apply(userId: number, sensorId: number | null, action: BulkAction): Promise<void> {
    if (sensorId === null) throw new NotFound('the sensor');
    const { triggerId } = action;
    switch (action.kind) {
      case 'connect_trigger': {
        await this.sensorTriggers.connect(userId, sensorId, [triggerId]);
        const { notificationIds } = action;
        if (!notificationIds) return;
        const wanted = notificationIds.map((notificationId) => ({ notificationId }));
        return this.triggerNotifications.connect(userId, sensorId, triggerId, wanted, { alone: true });
      }
      case 'disconnect_trigger':
        await this.sensorTriggers.disconnectIfConnected(userId, sensorId, triggerId);
    }
  }
}

/** The refusal that the work ends with, if any. Other errors are thrown. */
async function refusalOf(work: Promise<void>): Promise<PlatformError | undefined> {
  try {
    await work;
    return undefined;
  } catch (error) {
    if (error instanceof PlatformError && error.status < 500) return error;
    throw error;
  }
}
