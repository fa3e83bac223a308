import type { Transaction } from 'sequelize';
import { Notification } from '../../storage/models/notification.model';

/** These notifications, by id; those that do not exist are left out. The caller has checked whose they are. */
export function findNotifications(ids: readonly number[]): Promise<Notification[]> {
  return Notification.findAll({ where: { id: [...ids] }, order: ['id'] });
}

/** SQL that selects the ids of a user's notifications. */
export function ownNotificationsSql(userId: number): string {
  return `SELECT id FROM notifications WHERE owner_id = ${Number(userId)}`;
}

/** True if a user has notifications. */
export async function hasNotifications(ownerId: number, transaction: Transaction): Promise<boolean> {
  return (await Notification.count({ where: { ownerId }, transaction })) > 0;
}
