/** Event deliveries that one user can cause to another before the rest are aggregated. */
const EVENT_DELIVERIES_A_MINUTE = 60;

const MINUTE_MS = 60_000;

export interface EventCharge {
  startedMs: number;
  sent: number;
  /** Only counted in the summary. */
  held: number;
  /** The `webhook-id` of the summary; null until it exists. */
  summaryId: string | null;
}

export type Charged = 'sent' | 'summary' | 'counted';

export function endOfMinute({ startedMs }: EventCharge): number {
  return startedMs + MINUTE_MS;
}

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
