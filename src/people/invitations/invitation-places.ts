import type { Transaction } from 'sequelize';
import { findGroup, requireRight } from '../../access/group-access';
import type { SensorAccess } from '../../access/sensor-access';
import { lockSensors } from '../../access/sensor-lock';
import type { DisplaySettings } from '../../edge/shown-details';
import type { EventLog } from '../../events/event-log';
import type { Clock } from '../../platform/clock';
import { Conflict, Forbidden } from '../../platform/errors';
import { addShare, isShared } from '../accounts/sensor-shares';
import { endRefusal, isBlocked, requireAcceptance } from '../accounts/share-refusals';
import type { NewMembers } from '../groups/new-members';
import { invitationEnded, type Offer } from './offers';

export type Place = { groupId: number } | { sensorId: number };

/** Who may invite to a group or a sensor, who may be invited, and what accepting does. */
export class InvitationPlaces {
  constructor(
    private readonly access: SensorAccess,
    private readonly newMembers: NewMembers,
    private readonly events: EventLog,
    private readonly clock: Clock,
  ) {}

  /** Requires the right to add users, or the ownership of the sensor. Locks the place in a transaction. */
  async authorise(userId: number, place: Place, transaction?: Transaction): Promise<void> {
    if ('groupId' in place) await requireRight(userId, place.groupId, 'addUsers', transaction);
    else if (transaction) await this.access.lockOwn(userId, place.sensorId, transaction);
    else await this.access.findOwn(userId, place.sensorId);
  }

  /** Throws Conflict for a user who needs no invitation, Forbidden if they refuse. The place must be locked. */
  async ensureCanBeInvited(inviterId: number, userId: number, place: Place, transaction: Transaction): Promise<void> {
    if ('sensorId' in place) {
      const sensor = await this.access.findOwn(inviterId, place.sensorId, transaction);
      if (await isShared(sensor.id, userId, transaction)) throw new Conflict('the user sees the sensor already');
      return requireAcceptance(userId, sensor, transaction);
    }
    const { membership } = await findGroup(userId, place.groupId, transaction);
    if (membership?.accepted) throw new Conflict('the user is a member already');
    if (membership) throw new Conflict('the user has asked to join: accept the request instead');
    if (await isBlocked(userId, inviterId, transaction)) throw new Forbidden('this user takes no invitations from you');
  }

  async lock({ groupId, sensorId }: Offer, userId: number, transaction: Transaction): Promise<void> {
    if (groupId !== null) await findGroup(userId, groupId, transaction);
    else if (sensorId !== null) await lockSensors([sensorId], transaction);
  }

  /** The place must be locked, and the user not in it. */
  async enter(
    { groupId, sensorId }: Offer,
    { userId, display }: { userId: number; display: Partial<DisplaySettings> },
    transaction: Transaction,
  ): Promise<void> {
    if (groupId !== null) {
      const found = await findGroup(userId, groupId, transaction);
      return this.newMembers.join(found, { userId, display, sensorIds: [], mayEnter: true }, transaction);
    }
    const [sensor] = await lockSensors(sensorId === null ? [] : [sensorId], transaction);
    if (!sensor) throw invitationEnded();
    await endRefusal(userId, sensor, transaction);
    const share = { sensorId: sensor.id, userId, createdMs: this.clock.now() };
    await addShare(this.events, share, userId, transaction);
  }
}
