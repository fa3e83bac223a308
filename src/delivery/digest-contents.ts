import type { Pool, RowDataPacket } from 'mysql2/promise';
import type { Digest, DigestItem } from '../rules/digest';
import { digestText } from '../rules/digest-text';
import { ALERT_COLUMNS, ALERT_SOURCES, type AlertRow, toAlert } from './alerts';
import type { DeliveryRow } from './attempt';

/** Maximum number of deliveries that a digest shows. It counts all of them. */
const MAX_LISTED = 100;
/** Number of items in memory before they are cut: values and texts have up to 64 KB and more. */
const READ_AT_ONCE = 10;
const MAX_CHARACTERS = 500;

/**
 * The content of a digest, in the order in which it was aggregated; undefined for any other delivery. Items that were
 * deleted meanwhile are left out.
 */
export async function findDigest(pool: Pool, row: DeliveryRow): Promise<Digest | undefined> {
  if (row.digest_minute_ms === null) return undefined;
  const [[counted]] = await pool.query<RowDataPacket[]>(
    `SELECT COUNT(*) AS count FROM ${ALERT_SOURCES} WHERE d.digest_id = ?`,
    [row.id],
  );
  const items: DigestItem[] = [];
  while (items.length < MAX_LISTED) {
    const [rows] = await pool.query<(AlertRow & { webhookId: string; text: string })[]>(
      `SELECT ${ALERT_COLUMNS}, d.webhook_id AS webhookId, d.text FROM ${ALERT_SOURCES}
       WHERE d.digest_id = ? ORDER BY d.id LIMIT ? OFFSET ?`,
      [row.id, READ_AT_ONCE, items.length],
    );
    items.push(...rows.map(toItem));
    if (rows.length < READ_AT_ONCE) break;
  }
  const digest = { count: Number(counted?.count), items };
  // Stored for the record of the digest.
  await pool.query("UPDATE deliveries SET text = ? WHERE id = ? AND text = ''", [digestText(digest), row.id]);
  return digest;
}

function toItem(row: AlertRow & { webhookId: string; text: string }): DigestItem {
  const alert = toAlert(row);
  const value = alert.value === null ? null : cut(alert.value);
  return { webhookId: row.webhookId, text: cut(row.text), alert: { ...alert, value, variables: null } };
}

function cut(text: string): string {
  return text.length <= MAX_CHARACTERS ? text : `${text.slice(0, MAX_CHARACTERS).replace(/[\ud800-\udbff]$/, '')}…`;
}
