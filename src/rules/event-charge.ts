/** Deliveries of events that one user causes to another one by one, in a minute. */
export const EVENT_DELIVERIES_A_MINUTE = 60;

const MINUTE_MS = 60_000;

/** What one user has caused to another in a minute. */
export interface EventCharge {
  /** When the minute began. */
  startedMs: number;
  /** Deliveries that went out one by one. */
  sent: number;
  /** Those beyond them, which are counted in one delivery, the summary. */
  held: number;
  /** The `webhook-id` of the summary; null before there is one. */
  summaryId: string | null;
}

/** What becomes of a delivery: it goes out, or it becomes the summary of the minute, or it is only counted in that. */
export type Charged = 'sent' | 'summary' | 'counted';

/** When the minute ends, and its summary goes out. */
export function endOfMinute({ startedMs }: EventCharge): number {
  return startedMs + MINUTE_MS;
}

/** Charges one more delivery, which would have this `webhook-id`; after a minute a new one begins. */
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
