import type { RemovalStep } from '../../access/removal-step';
import { EventNotification } from '../../storage/models/event-notification.model';
import { MailRecipient } from '../../storage/models/mail-recipient.model';
import { Notification } from '../../storage/models/notification.model';
import { SensorTriggerNotification } from '../../storage/models/sensor-trigger-notification.model';
import { TriggerNotification } from '../../storage/models/trigger-notification.model';

const NOTIFICATIONS_PER_STEP = 100;
const ROWS_PER_STEP = 1_000;

/** Without notifications of a closed account, no delivery is created or sent. */
export const deleteNotifications: RemovalStep = async (ownerId, { transaction, run }) => {
  const limit = ROWS_PER_STEP;
  if ((await EventNotification.destroy({ where: { ownerId }, limit, transaction })) === limit) return true;
  const find = { attributes: ['id'], where: { ownerId }, order: ['id'], limit: NOTIFICATIONS_PER_STEP };
  const notifications = await Notification.findAll({ ...find, transaction, raw: true });
  const ids = notifications.map(({ id }) => id);
  const where = { notificationId: ids };
  if ((await SensorTriggerNotification.destroy({ where, limit, transaction })) === limit) return true;
  if ((await TriggerNotification.destroy({ where, limit, transaction })) === limit) return true;
  if ((await Notification.destroy({ where: { id: ids }, transaction })) > 0) return true;
  await run('DELETE FROM deleted_notifications WHERE owner_id = ?', [ownerId]);
  return (await MailRecipient.destroy({ where: { ownerId }, limit, transaction })) > 0;
};
