import type { Transaction } from 'sequelize';
import { findOwned, lockOwned } from '../../access/find-owned';
import { editRules, type ModelEdit } from '../../access/rule-edit';
import type { Page, PageOf } from '../../edge/paging';
import type { EventLog } from '../../events/event-log';
import type { Clock } from '../../platform/clock';
import { NotFound } from '../../platform/errors';
import type { SecretBox } from '../../platform/secret-box';
import type { Database } from '../../storage';
import { findPage } from '../../storage/find-page';
import { Notification } from '../../storage/models/notification.model';
import { forShare, forUpdate, inTransaction, runOn } from '../../storage/transaction';
import { findLastDeliveries, type LastDelivery } from '../deliveries/last-deliveries';
import { entryOf, type OpenChannels } from '../delivery/channels';
import { keepForEnds, releaseEnds } from '../delivery/deleted-notifications';
import { makePendingDue } from '../delivery/destination-health';
import { isMail } from '../delivery/mail/mail-recipients';
import { probing } from '../delivery/probe';
import type { VapidKeys } from '../delivery/vapid-keys';
import type { Waiting } from '../delivery/waiting';
import { readWaiting } from '../delivery/waiting-deliveries';
import { deactivate, findConnectedTo } from './connected-triggers';
import { findEmptyField } from './empty-fields';
import type { EpisodeEnds } from './episode-ends';
import { type MailConsents, unsubscribed } from './mail-consents';
import type { SwitchedOff } from './notification-health';
import {
  applyInput,
  buildNotification,
  type NewNotificationInput,
  type NotificationInput,
  newSigningSecret,
} from './notification-input';
import { requireRoomForAuthority } from './receiver-authorities';
import { readReplacedSecrets, replaceSecret } from './signing-secrets';

/** Further data about some notifications, by their ids. */
export interface AboutNotifications {
  /** The notifications to a mailbox that refuses the mails of all accounts. */
  refused: ReadonlySet<number>;
  last: ReadonlyMap<number, LastDelivery>;
  /** What waits of them. */
  waiting: ReadonlyMap<number, Waiting>;
}

interface SendingParts {
  consents: MailConsents;
  channels: OpenChannels;
  secretBox: SecretBox;
  vapidKeys: VapidKeys;
}

/** The notifications of a user. For other users they do not exist. */
export class NotificationsService {
  constructor(
    private readonly database: Database,
    private readonly effects: { events: EventLog; ends: EpisodeEnds },
    private readonly clock: Clock,
    private readonly sending: SendingParts,
  ) {}

  /** A page of the user's notifications, by id. */
  list(userId: number, page: Page): Promise<PageOf<Notification>> {
    return findPage(Notification, { where: { ownerId: userId }, order: ['id'] }, page);
  }

  /** A notification of the user. */
  find(userId: number, id: number): Promise<Notification> {
    return findOwned(Notification, { id, ownerId: userId }, 'the notification');
  }

  /** Throws NotFound for the first of these notifications that is not the user's. */
  async requireOwn(userId: number, ids: readonly number[]): Promise<void> {
    const own = await Notification.findAll({ attributes: ['id'], where: { id: [...ids], ownerId: userId } });
    const found = new Set(own.map(({ id }) => id));
    const missing = ids.find((id) => !found.has(id));
    if (missing !== undefined) throw new NotFound(`the notification ${missing}`);
  }

  /**
   * Locks notifications until the end of the transaction, so that they are not deleted; NotFound if one is not the
   * user's.
   */
  async lockAll(userId: number, ids: readonly number[], transaction: Transaction): Promise<void> {
    await lockOwned(Notification, { ids, ownerId: userId }, 'the notification', forShare(transaction));
  }

  /**
   * The warning for an accepted notification that will not work: this installation refuses to deliver to its
   * destination, or it shows a field that no connected sensor has. Undefined if there is no problem.
   */
  async warningFor(notification: Notification): Promise<string | undefined> {
    const { id, type, destination } = notification;
    const why = await entryOf(this.sending.channels, type).whyRefused?.(destination);
    return why ?? findEmptyField(this.database.pool, [notification], { notificationId: id });
  }

  /** The data of some of the user's notifications that their views show in addition to their rows. */
  async about(userId: number, notifications: readonly Notification[]): Promise<AboutNotifications> {
    const ids = notifications.map(({ id }) => id);
    const [refused, last, waiting] = await Promise.all([
      this.sending.consents.refusedAmong(userId, notifications),
      findLastDeliveries(this.database.pool, userId, ids),
      readWaiting(runOn(this.database.pool), ids, this.clock.now()),
    ]);
    return { refused, last, waiting };
  }

  /** The key that browsers need for a subscription, in base64url. */
  pushKey(): Promise<string> {
    return this.sending.vapidKeys.publicKey();
  }

  /** Creates a notification of the user; InvalidInput if its channel cannot send to the destination. */
  async create(userId: number, input: NewNotificationInput): Promise<Notification> {
    const notification = await inTransaction(this.database.sequelize, async (transaction) => {
      const created = this.draftNew(userId, input);
      await requireRoomForAuthority(created, transaction);
      await this.applyConsent(created, undefined, transaction);
      await created.save({ transaction });
      await this.effects.events.raise(transaction, { name: 'add_notification', subjectId: created.id, userId });
      return created;
    });
    await this.sending.consents.askOnce(userId, notification);
    return notification;
  }

  /**
   * Changes the given fields. Waiting deliveries keep their original destination. One that is disabled gets the ends of
   * the lasting episodes of which it got a firing.
   */
  async update(userId: number, id: number, input: NotificationInput): Promise<Notification> {
    if (input.enabled === false) await this.endMostBeforeDisabling(userId, id, input);
    const notification = await editRules(this.database.sequelize, async (edit) => {
      const { transaction } = edit;
      const found = await lockNotification({ id, ownerId: userId }, transaction);
      if (input.enabled === false && found.enabled) await this.endBeforeDisabling(id, edit);
      applyInput(found, input, this.sending.secretBox);
      await requireRoomForAuthority(found, transaction);
      // The health of an old destination does not apply to a new one.
      if (found.changed('type') || found.changed('destination')) found.set({ failingSinceMs: null, provenMs: null });
      if (input.probe !== undefined && input.probe !== found.probeS) found.set(probing(input.probe, this.clock.now()));
      await this.applyConsent(found, input.enabled, transaction);
      await found.save({ transaction });
      await this.effects.events.raise(transaction, { name: 'update_notification', subjectId: id, userId });
      return found;
    });
    await this.sending.consents.askOnce(userId, notification);
    if (!notification.enabled) await makePendingDue(this.database.pool, id, this.clock.now());
    return notification;
  }

  /** A new notification as it would be stored. InvalidInput as when it is created. */
  draftNew(userId: number, input: NewNotificationInput): Notification {
    return buildNotification(userId, input, { box: this.sending.secretBox, nowMs: this.clock.now() });
  }

  /** A notification of the user as changes would leave it. Stores nothing. InvalidInput as when it is changed. */
  async draftChange(userId: number, id: number, input: NotificationInput): Promise<Notification> {
    const found = await this.find(userId, id);
    applyInput(found, input, this.sending.secretBox);
    return found;
  }

  /**
   * Asks the recipient of its mails again to confirm; Conflict if no consent is needed, TooMany if the hourly limit is
   * reached.
   */
  async requestConfirmation(userId: number, id: number): Promise<void> {
    await this.sending.consents.askAgain(userId, await this.find(userId, id));
  }

  /** Rotates the signing secret; the replaced one also signs for a day. */
  async rotateSecret(userId: number, id: number): Promise<Notification> {
    return inTransaction(this.database.sequelize, async (transaction) => {
      const notification = await lockNotification({ id, ownerId: userId }, transaction);
      const replaced = readReplacedSecrets(notification.replacedSecrets);
      notification.replacedSecrets = JSON.stringify(
        replaceSecret(notification.signingSecret, replaced, this.clock.now()),
      );
      notification.signingSecret = newSigningSecret();
      await notification.save({ transaction });
      await this.effects.events.raise(transaction, { name: 'update_notification', subjectId: id, userId });
      return notification;
    });
  }

  /**
   * Every sensor trigger that it was connected to becomes inactive, even if other notifications are connected to it. It
   * gets the ends of their episodes: what these need to be sent is kept until they are.
   */
  async delete(userId: number, id: number): Promise<void> {
    await this.endMost(userId, id);
    await editRules(this.database.sequelize, async (edit) => {
      const { transaction, run } = edit;
      // Connecting locks it as well: a connection is either seen here, or refused afterwards.
      const notification = await lockNotification({ id, ownerId: userId }, transaction);
      const sensorTriggerIds = await findConnectedTo(id, transaction);
      await edit.affects({ sensorTriggerIds });
      await deactivate(sensorTriggerIds, transaction);
      await this.effects.ends.end(edit, { sensorTriggerIds });
      await this.effects.events.raise(transaction, { name: 'delete_notification', subjectId: id, userId });
      switchTo(notification, false);
      await notification.save({ transaction });
      await releaseEnds(run, id, this.clock.now());
      await keepForEnds(run, id);
      await notification.destroy({ transaction });
    });
  }

  /** Ends most of the episodes that its deletion ends. */
  private async endMost(userId: number, id: number): Promise<void> {
    await this.find(userId, id);
    const sensorTriggerIds = await this.connectedTo(id);
    const before = async ({ transaction }: ModelEdit, ids: number[]) => {
      await lockNotification({ id, ownerId: userId }, transaction);
      await deactivate(ids, transaction);
    };
    await this.effects.ends.endMost(this.database.sequelize, { of: { sensorTriggerIds }, before });
  }

  /** Gives it most of the ends that it gets when it is disabled, unless the change is refused. */
  private async endMostBeforeDisabling(userId: number, id: number, input: NotificationInput): Promise<void> {
    const { enabled } = await this.find(userId, id);
    if (!enabled) return;
    await this.draftChange(userId, id, input);
    await this.effects.ends.endMostFor(this.database.sequelize, id, await this.connectedTo(id));
  }

  private async endBeforeDisabling(id: number, edit: ModelEdit): Promise<void> {
    await this.effects.ends.endFor(edit, [id], await findConnectedTo(id, edit.transaction));
    await releaseEnds(edit.run, id, this.clock.now());
  }

  private connectedTo(id: number): Promise<number[]> {
    return inTransaction(this.database.sequelize, (transaction) => findConnectedTo(id, transaction));
  }

  /**
   * Enables or disables it as its owner requests, unless the recipient of its mails has unsubscribed: then it stays
   * disabled.
   */
  private async applyConsent(
    notification: Notification,
    enabled: boolean | undefined,
    transaction: Transaction,
  ): Promise<void> {
    const { type, destination, ownerId } = notification;
    const recipient = isMail(type) ? await this.sending.consents.know(ownerId, destination, transaction) : null;
    // A refusal of all mails is not copied to the rows: the mailbox can withdraw it for all at once.
    notification.confirmed =
      recipient === null || this.sending.consents.whyNot({ ...recipient, refusedMs: null }) === null;
    const isRefused = recipient !== null && recipient.unsubscribedMs !== null;
    if (isRefused && enabled) throw unsubscribed();
    if (isRefused) switchTo(notification, false, 'unsubscribed');
    else switchTo(notification, enabled ?? notification.enabled);
  }
}

function lockNotification(where: { id: number; ownerId: number }, transaction: Transaction): Promise<Notification> {
  return findOwned(Notification, where, 'the notification', forUpdate(transaction));
}

function switchTo(notification: Notification, enabled: boolean, reason: SwitchedOff = 'owner'): void {
  if (notification.enabled === enabled) return;
  notification.set({ enabled, disabledReason: enabled ? null : reason, failingSinceMs: null });
}
