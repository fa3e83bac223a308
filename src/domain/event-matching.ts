/** A waiting event, as far as matching needs it. */
export interface WaitingEvent {
  id: number;
  name: string;
  sourceId: number | null;
  /** The users who could see it when it happened. */
  audience: readonly number[];
}

/** What an enabled event notification asks for. */
export interface EventInterest {
  id: number;
  ownerId: number;
  event: string;
  /** null: wherever it happens. */
  sourceId: number | null;
  priority: number;
}

/**
 * Pairs each event with the event notifications that it reaches: equal name, no or an equal source, and an owner who
 * could see it. Events stay in order; of one event the higher priority comes first, then the older event notification.
 */
export function matchEvents<E extends WaitingEvent, S extends EventInterest>(
  events: readonly E[],
  interests: readonly S[],
): { event: E; interest: S }[] {
  const byKey = new Map<string, S[]>();
  for (const interest of interests) {
    const key = `${interest.ownerId} ${interest.event}`;
    byKey.set(key, [...(byKey.get(key) ?? []), interest]);
  }
  return events.flatMap((event) =>
    [...new Set(event.audience)]
      .flatMap((userId) => byKey.get(`${userId} ${event.name}`) ?? [])
      .filter(({ sourceId }) => sourceId === null || sourceId === event.sourceId)
      .sort((a, b) => b.priority - a.priority || a.id - b.id)
      .map((interest) => ({ event, interest })),
  );
}
