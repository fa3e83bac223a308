import type { RunSql } from '../../storage/transaction';

export interface ArrivedDelivery {
  notificationId: number;
  /** Null for a message of its own. */
  digestId: number | null;
  sentMs: number;
}

/** What arrived about these firings, by firing: also ends, escalations and acknowledgements. */
export async function readArrived(run: RunSql, firingIds: readonly number[]): Promise<Map<number, ArrivedDelivery[]>> {
  const arrived = new Map<number, ArrivedDelivery[]>();
  if (firingIds.length === 0) return arrived;
  const rows = await run(
    `SELECT firing_id AS firingId, notification_id AS notificationId, digest_id AS digestId,
       COALESCE(sent_ms, finished_ms, created_ms) AS sentMs
     FROM deliveries WHERE firing_id IN (?) AND status = 'delivered'`,
    [firingIds],
  );
  for (const { firingId, notificationId, digestId, sentMs } of rows) {
    const delivery = {
      ...{ notificationId: Number(notificationId), sentMs: Number(sentMs) },
      digestId: digestId === null ? null : Number(digestId),
    };
    const own = arrived.get(Number(firingId));
    if (own) own.push(delivery);
    else arrived.set(Number(firingId), [delivery]);
  }
  return arrived;
}
