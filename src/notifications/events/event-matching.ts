export interface EventInterest {
  id: number;
  ownerId: number;
  /** Null matches every source. */
  sourceId: number | null;
  priority: number;
}

/** Ordered by id. */
export interface AudiencePart {
  users: readonly number[];
  hasMore: boolean;
  /** Null before the first user. */
  doneUserId: number | null;
}

/** What is dispatched at once. */
export interface Portion<I> {
  /** Higher priority first, then the older one. */
  interests: I[];
  /** Null if the event is complete. */
  doneUserId: number | null;
}

export function audiencePart(audience: readonly number[], doneUserId: number | null, most: number): AudiencePart {
  const left = [...new Set(audience)]
    .filter((userId) => doneUserId === null || userId > doneUserId)
    .sort((a, b) => a - b);
  return { users: left.slice(0, most), hasMore: left.length > most, doneUserId };
}

export function isFromSource({ sourceId }: Pick<EventInterest, 'sourceId'>, eventSourceId: number | null): boolean {
  return sourceId === null || sourceId === eventSourceId;
}

/**
 * `interests` have no delivery yet, in order of owner, priority and age; one more than `room` shows that there are
 * more. A user's deliveries go out together, so that priorities hold; only a user with more than `mostAtOnce` gets
 * several portions. Undefined if the next user needs more room.
 */
export function nextPortion<I extends EventInterest>(
  part: AudiencePart,
  interests: readonly I[],
  room: number,
  mostAtOnce: number,
): Portion<I> | undefined {
  const next = interests[room];
  if (!next) {
    return { interests: byPriority(interests), doneUserId: part.hasMore ? (part.users.at(-1) ?? 0) : null };
  }
  const whole = interests.slice(0, room).filter(({ ownerId }) => ownerId !== next.ownerId);
  const last = whole.at(-1);
  if (last) return { interests: byPriority(whole), doneUserId: last.ownerId };
  if (room < mostAtOnce) return undefined;
  return { interests: byPriority(interests.slice(0, room)), doneUserId: part.doneUserId ?? 0 };
}

function byPriority<I extends EventInterest>(interests: readonly I[]): I[] {
  return [...interests].sort((a, b) => b.priority - a.priority || a.id - b.id);
}
