import type { Transaction } from 'sequelize';
import { Notification } from '../../storage/models/notification.model';

/** Leaves out those that do not exist. The caller must check the owner. */
export function findNotifications(ids: readonly number[]): Promise<Notification[]> {
  return Notification.findAll({ where: { id: [...ids] }, order: ['id'] });
}

/** Selects ids. */
export function ownNotificationsSql(userId: number): string {
  return `SELECT id FROM notifications WHERE owner_id = ${Number(userId)}`;
}

export async function hasNotifications(ownerId: number, transaction: Transaction): Promise<boolean> {
  return (await Notification.count({ where: { ownerId }, transaction })) > 0;
}
