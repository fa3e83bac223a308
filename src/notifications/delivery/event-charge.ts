/** Number of event deliveries per minute that one user can cause to another before the rest are aggregated. */
const EVENT_DELIVERIES_A_MINUTE = 60;

const MINUTE_MS = 60_000;

/** The event deliveries that one user has caused to another in a minute. */
export interface EventCharge {
  /** Start of the minute. */
  startedMs: number;
  /** Number of deliveries that were sent one by one. */
  sent: number;
  /** Number of deliveries beyond them, which the summary counts. */
  held: number;
  /** The `webhook-id` of the summary; null until it exists. */
  summaryId: string | null;
}

/** The decision on a delivery: it is sent, becomes the summary of the minute, or is only counted in the summary. */
export type Charged = 'sent' | 'summary' | 'counted';

/** End of the minute, at which its summary is sent. */
export function endOfMinute({ startedMs }: EventCharge): number {
  return startedMs + MINUTE_MS;
}

/** Charges one delivery with this `webhook-id`. A new minute begins when the old one is over. */
export function chargeDelivery(
  current: EventCharge | undefined,
  webhookId: string,
  nowMs: number,
): { charge: EventCharge; charged: Charged } {
  const isOver = !current || nowMs >= endOfMinute(current);
  const charge = isOver ? { startedMs: nowMs, sent: 0, held: 0, summaryId: null } : current;
  if (charge.sent < EVENT_DELIVERIES_A_MINUTE) return { charge: { ...charge, sent: charge.sent + 1 }, charged: 'sent' };
  const held = charge.held + 1;
  if (charge.summaryId === null) return { charge: { ...charge, held, summaryId: webhookId }, charged: 'summary' };
  return { charge: { ...charge, held }, charged: 'counted' };
}
