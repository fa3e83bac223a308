import { Op, type Transaction } from 'sequelize';
import { Conflict } from '../../platform/errors';
import { Notification } from '../../storage/models/notification.model';
import { User } from '../../storage/models/user.model';
import { forUpdate } from '../../storage/transaction';

const MAX_AUTHORITIES = 10;

/** Conflict beyond the limit: each authority needs a context of TLS, which costs computing time. */
export async function requireRoomForAuthority(notification: Notification, transaction: Transaction): Promise<void> {
  const { ownerId, caCertificate } = notification;
  if (caCertificate === null || !notification.changed('caCertificate')) return;
  // Concurrent requests must count each other's authorities.
  await User.findByPk(ownerId, { attributes: ['id'], ...forUpdate(transaction) });
  const others = await Notification.findAll({
    attributes: ['caCertificate'],
    where: { ownerId, caCertificate: { [Op.not]: null }, id: { [Op.ne]: notification.id ?? 0 } },
    group: 'ca_certificate',
    limit: MAX_AUTHORITIES,
    transaction,
  });
  if (others.length < MAX_AUTHORITIES || others.some((other) => other.caCertificate === caCertificate)) return;
  throw new Conflict(
    `your notifications have ${MAX_AUTHORITIES} different ca_certificates, which is as many as they can`,
  );
}
