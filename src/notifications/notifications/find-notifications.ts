import { Op, type Transaction } from 'sequelize';
import { addressKey } from '../../edge/mail-address';
import { Notification } from '../../storage/models/notification.model';

/** Leaves out those that do not exist. The caller must check the owner. */
export function findNotifications(ids: readonly number[]): Promise<Notification[]> {
  return Notification.findAll({ where: { id: [...ids] }, order: ['id'] });
}

/** All of the user's, or those with these ids or names; locked until the end of the transaction if it is shared. */
export function findOwnNotifications(
  ownerId: number,
  wanted: { ids: readonly number[]; names: readonly string[] } | 'all',
  { lock = false, limit }: { lock?: boolean; limit?: number } = {},
): Promise<Notification[]> {
  const chosen = wanted === 'all' ? {} : { [Op.or]: [{ id: [...wanted.ids] }, { name: [...wanted.names] }] };
  return Notification.findAll({ where: { ownerId, ...chosen }, order: ['id'], lock, limit });
}

/** Selects ids. */
export function ownNotificationsSql(userId: number): string {
  return `SELECT id FROM notifications WHERE owner_id = ${Number(userId)}`;
}

export async function hasNotifications(ownerId: number, transaction: Transaction): Promise<boolean> {
  return (await Notification.count({ where: { ownerId }, transaction })) > 0;
}

/** The person of the first notification to this normalized address that names one; empty without one. */
export async function personOfMails(ownerId: number, address: string): Promise<string> {
  const where = { ownerId, type: 'email', person: { [Op.ne]: null } };
  const named = await Notification.findAll({ where, attributes: ['destination', 'person'], order: ['id'] });
  return named.find(({ destination }) => addressKey(destination) === address)?.person ?? '';
}
