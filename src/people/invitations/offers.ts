import { parseId } from '../../edge/id';
import { PlatformError } from '../../platform/errors';
import { hashSecret, randomText } from '../../platform/secrets';
import type { Sql } from '../../storage/find-page';
import type { RunSql } from '../../storage/transaction';

const TOKEN_LENGTH = 43;
const TOKEN = new RegExp(`^[0-9A-Za-z]{${TOKEN_LENGTH}}$`);

/** An invitation as the invited user sees it. */
export interface Offer {
  id: number;
  groupId: number | null;
  sensorId: number | null;
  name: string;
  inviter: string;
  expiresMs: number;
  /** The user is a member, or sees the sensor without it. */
  isAccepted: boolean;
}

/** The inviter must still have the right to add members; the owner of a sensor does not change. */
const OFFERS = `SELECT i.id, i.group_id AS groupId, i.sensor_id AS sensorId, COALESCE(g.name, s.name) AS name,
    u.username AS inviter, i.expires_ms AS expiresMs,
    COALESCE(own.accepted, x.user_id IS NOT NULL OR s.owner_id = ?, FALSE) AS isAccepted,
    COALESCE(i.uses_left > 0 AND u.closed_ms IS NULL AND u.disabled_ms IS NULL
      AND (i.sensor_id IS NOT NULL OR m.add_users), FALSE) AS isOpen
  FROM invitations i JOIN users u ON u.id = i.inviter_id
  LEFT JOIN user_groups g ON g.id = i.group_id
  LEFT JOIN group_users m ON m.group_id = i.group_id AND m.user_id = i.inviter_id AND m.accepted
  LEFT JOIN group_users own ON own.group_id = i.group_id AND own.user_id = ?
  LEFT JOIN sensors s ON s.id = i.sensor_id
  LEFT JOIN sensor_users x ON x.sensor_id = i.sensor_id AND x.user_id = ?
  WHERE i.expires_ms > ? AND `;

export function newToken(): string {
  return randomText(TOKEN_LENGTH);
}

/** `from` a list of open offers to the user, as `o`. */
export function openOffers(userId: number, nowMs: number): Sql {
  const text = `FROM (${OFFERS} i.user_id = ?) o WHERE o.isOpen AND NOT o.isAccepted`;
  return { text, values: [userId, userId, userId, nowMs, userId] };
}

/** Names an invitation to the user by its id, or any link by its token. Throws 404 if it can no longer be accepted. */
export async function findOffer(run: RunSql, userId: number, reference: string, nowMs: number): Promise<Offer> {
  const [condition, values] = TOKEN.test(reference)
    ? ['i.token_hash = ?', [hashSecret(reference)]]
    : ['i.id = ? AND i.user_id = ?', [parseId(reference) ?? 0, userId]];
  const [row] = await run(OFFERS + condition, [userId, userId, userId, nowMs, ...values]);
  if (!row || !(Number(row.isOpen) || Number(row.isAccepted))) throw invitationEnded();
  return toOffer(row);
}

export function toOffer(row: Readonly<Record<string, unknown>>): Offer {
  return {
    id: Number(row.id),
    groupId: row.groupId === null ? null : Number(row.groupId),
    sensorId: row.sensorId === null ? null : Number(row.sensorId),
    name: String(row.name),
    inviter: String(row.inviter),
    expiresMs: Number(row.expiresMs),
    isAccepted: Number(row.isAccepted) === 1,
  };
}

/** One error for every reason, so that it reveals nothing. */
export function invitationEnded(): PlatformError {
  const message = 'this invitation does not exist, or has ended: it was used or withdrawn, or its time is over';
  return new PlatformError(404, 'not_found', message);
}
