import type { Transaction } from 'sequelize';
import { findOwned, lockOwned } from '../../access/find-owned';
import { withRuleSetWarning } from '../../access/managed-rules';
import { afterCommit, editRules, type ModelEdit } from '../../access/rule-edit';
import type { Page, PageOf } from '../../edge/paging';
import type { EventLog } from '../../events/event-log';
import type { Clock } from '../../platform/clock';
import { NotFound } from '../../platform/errors';
import type { SecretBox } from '../../platform/secret-box';
import type { Words } from '../../platform/words/words';
import type { Database } from '../../storage';
import { findPage } from '../../storage/find-page';
import { Notification } from '../../storage/models/notification.model';
import { forShare, forUpdate, inTransaction, runOn } from '../../storage/transaction';
import { findLastDeliveries, type LastDelivery } from '../deliveries/last-deliveries';
import { entryOf, type OpenChannels } from '../delivery/channels';
import { keepForEnds, releaseEnds } from '../delivery/deleted-notifications';
import { readWords } from '../delivery/delivery-words';
import { makePendingDue } from '../delivery/destination-health';
import { isMail } from '../delivery/mail/mail-recipients';
import { probing } from '../delivery/probe';
import type { Standstills } from '../delivery/standstill';
import type { VapidKeys } from '../delivery/vapid-keys';
import type { Waiting } from '../delivery/waiting';
import { readWaiting } from '../delivery/waiting-deliveries';
import { deactivate, findConnectedTo } from './connected-triggers';
import { findEmptyField } from './empty-fields';
import type { EpisodeEnds } from './episode-ends';
import { type MailConsents, unsubscribed } from './mail-consents';
import { switchTo } from './notification-health';
import {
  applyInput,
  buildNotification,
  type NewNotificationInput,
  type NotificationInput,
  newSigningSecret,
} from './notification-input';
import { requireRoomForAuthority } from './receiver-authorities';
import { readReplacedSecrets, replaceSecret } from './signing-secrets';

/** By notification. */
export interface AboutNotifications {
  /** Notifications to a mailbox that refuses the mails of all accounts. */
  refused: ReadonlySet<number>;
  last: ReadonlyMap<number, LastDelivery>;
  waiting: ReadonlyMap<number, Waiting>;
}

interface SendingParts {
  consents: MailConsents;
  channels: OpenChannels;
  secretBox: SecretBox;
  vapidKeys: VapidKeys;
  standstills: Standstills;
}

/** For other users the notifications of a user do not exist. */
export class NotificationsService {
  constructor(
    private readonly database: Database,
    private readonly effects: { events: EventLog; ends: EpisodeEnds },
    private readonly clock: Clock,
    private readonly sending: SendingParts,
  ) {}

  list(userId: number, page: Page): Promise<PageOf<Notification>> {
    return findPage(Notification, { where: { ownerId: userId }, order: ['id'] }, page);
  }

  /** NotFound unless the notification is the user's. */
  find(userId: number, id: number): Promise<Notification> {
    return findOwned(Notification, { id, ownerId: userId }, 'the notification');
  }

  /** NotFound unless all are the user's. */
  async requireOwn(userId: number, ids: readonly number[]): Promise<void> {
    const own = await Notification.findAll({ attributes: ['id'], where: { id: [...ids], ownerId: userId } });
    const found = new Set(own.map(({ id }) => id));
    const missing = ids.find((id) => !found.has(id));
    if (missing !== undefined) throw new NotFound(`the notification ${missing}`);
  }

  /** Prevents deletion until the end of the transaction. NotFound unless all are the user's. */
  async lockAll(userId: number, ids: readonly number[], transaction: Transaction): Promise<void> {
    await lockOwned(Notification, { ids, ownerId: userId }, 'the notification', forShare(transaction));
  }

  /** Warns of a destination that is refused here, of a shown field that no connected sensor has, or of a rule set. */
  async warningFor(notification: Notification): Promise<string | undefined> {
    const { id, type, destination } = notification;
    const why = await entryOf(this.sending.channels, type).whyRefused?.(destination);
    const empty = why ?? (await findEmptyField(this.database.pool, [notification], { notificationId: id }));
    return withRuleSetWarning(empty, 'notification', id);
  }

  async about(userId: number, notifications: readonly Notification[]): Promise<AboutNotifications> {
    const ids = notifications.map(({ id }) => id);
    const [refused, last, waiting] = await Promise.all([
      this.sending.consents.refusedAmong(userId, notifications),
      findLastDeliveries(this.database.pool, userId, ids),
      readWaiting(runOn(this.database.pool), ids, this.clock.now()),
    ]);
    return { refused, last, waiting: await this.sending.standstills.explain(waiting) };
  }

  /** Browsers need this key for a subscription; base64url. */
  pushKey(): Promise<string> {
    return this.sending.vapidKeys.publicKey();
  }

  /** InvalidInput if the channel cannot send to the destination. */
  async create(userId: number, read: (words: Words) => NewNotificationInput): Promise<Notification> {
    const input = read(await readWords(userId));
    const notification = await inTransaction(this.database.sequelize, async (transaction) => {
      const created = this.draftNew(userId, input);
      await requireRoomForAuthority(created, transaction);
      await this.applyConsent(created, undefined, transaction);
      await created.save({ transaction });
      await this.effects.events.raise(transaction, { name: 'add_notification', subjectId: created.id, userId });
      return created;
    });
    await afterCommit(() => this.sending.consents.askOnce(userId, notification));
    return notification;
  }

  /**
   * Waiting deliveries keep their destination. A disabled notification gets the ends of lasting episodes of which it
   * got a firing.
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
    await afterCommit(async () => {
      await this.sending.consents.askOnce(userId, notification);
      if (!notification.enabled) await makePendingDue(this.database.pool, id, this.clock.now());
    });
    return notification;
  }

  /** Stores nothing. InvalidInput as `create`. */
  draftNew(userId: number, input: NewNotificationInput): Notification {
    return buildNotification(userId, input, { box: this.sending.secretBox, nowMs: this.clock.now() });
  }

  /** Stores nothing. InvalidInput as `update`. */
  async draftChange(userId: number, id: number, input: NotificationInput): Promise<Notification> {
    const found = await this.find(userId, id);
    applyInput(found, input, this.sending.secretBox);
    return found;
  }

  /** Conflict if no consent is needed, TooMany beyond the hourly limit. */
  async requestConfirmation(userId: number, id: number): Promise<void> {
    await this.sending.consents.askAgain(userId, await this.find(userId, id));
  }

  /** The replaced secret also signs for a day. */
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
   * Deactivates connected sensor triggers, even those with other notifications. The notification still gets the ends of
   * their episodes.
   */
  async delete(userId: number, id: number): Promise<void> {
    await this.endMost(userId, id);
    await editRules(this.database.sequelize, async (edit) => {
      const { transaction, run } = edit;
      // Connecting locks the notification as well: a connection is either seen here, or refused afterwards.
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

  private async endMost(userId: number, id: number): Promise<void> {
    await this.find(userId, id);
    const sensorTriggerIds = await this.connectedTo(id);
    const before = async ({ transaction }: ModelEdit, ids: number[]) => {
      await lockNotification({ id, ownerId: userId }, transaction);
      await deactivate(ids, transaction);
    };
    await this.effects.ends.endMost(this.database.sequelize, { of: { sensorTriggerIds }, before });
  }

  /** Does nothing if the change is refused. */
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

  /** The notification stays disabled if the recipient has unsubscribed. */
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
