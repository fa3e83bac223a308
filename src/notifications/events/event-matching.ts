/** An event notification that matches an event. */
export interface EventInterest {
  id: number;
  ownerId: number;
  /** Null matches every source. */
  sourceId: number | null;
  priority: number;
}

/** The next users of an event's audience, in order of id. */
export interface AudiencePart {
  users: readonly number[];
  /** True if the audience has more users after these. */
  hasMore: boolean;
  /** Last user for whom the event has been dispatched; null before the first one. */
  doneUserId: number | null;
}

/** The part of an event that is dispatched at once. */
export interface Portion<I> {
  /** Higher priority first, then the older event notification. */
  interests: I[];
  /** Last user for whom the event is then dispatched; null if the event is complete. */
  doneUserId: number | null;
}

/** The next users of an audience, at most `most`. */
export function audiencePart(audience: readonly number[], doneUserId: number | null, most: number): AudiencePart {
  const left = [...new Set(audience)]
    .filter((userId) => doneUserId === null || userId > doneUserId)
    .sort((a, b) => a - b);
  return { users: left.slice(0, most), hasMore: left.length > most, doneUserId };
}

/** True if an event notification matches events from this source. */
export function isFromSource({ sourceId }: Pick<EventInterest, 'sourceId'>, eventSourceId: number | null): boolean {
  return sourceId === null || sourceId === eventSourceId;
}

/**
 * The next portion of an event. `interests` are the matching event notifications of the users of `part` that have no
 * delivery yet, in order of owner, then of priority and age; one more than `room` of them shows that there are more.
 * All deliveries for one user go out together, so the order of priorities holds for each user; only a user with more
 * than `mostAtOnce` gets several portions. Undefined if the next user needs more than the room that is left.
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
