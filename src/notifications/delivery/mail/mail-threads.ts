import type { Pool, RowDataPacket } from 'mysql2/promise';
import type { Alert } from '../alert';
import type { DeliveryRow } from '../attempt';
import { isMail } from './mail-recipients';

/**
 * The first mail about the episode, to which later ones refer. Undefined if there is none. A mail in a digest is the
 * digest.
 */
export async function findFirstMail(
  pool: Pool,
  { id, type, owner_id, firing_id, destination }: DeliveryRow,
  alert: Alert | undefined,
): Promise<string | undefined> {
  const first = alert?.episodeId ?? firing_id;
  if (!isMail(type) || firing_id === null || first === null) return undefined;
  const [[found]] = await pool.query<(RowDataPacket & { id: number; mailId: string })[]>(
    `SELECT d.id, COALESCE(g.webhook_id, d.webhook_id) AS mailId FROM deliveries d LEFT JOIN deliveries g ON g.id = d.digest_id
     WHERE d.firing_id = ? AND d.owner_id = ? AND d.type = ? AND d.destination = ? AND d.kind = 'firing'
     ORDER BY d.id LIMIT 1`,
    [first, owner_id, type, destination],
  );
  return found && found.id !== id ? found.mailId : undefined;
}
