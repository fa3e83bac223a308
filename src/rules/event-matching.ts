/** An event notification that asks for an event. */
export interface EventInterest {
  id: number;
  ownerId: number;
  /** null: wherever it happens. */
  sourceId: number | null;
  priority: number;
}

/** Users of the audience of an event, in order of id, who come next. */
export interface AudiencePart {
  users: readonly number[];
  /** Whether the audience has more users after these. */
  hasMore: boolean;
  /** Up to which user the event has been dispatched; null before the first of them. */
  doneUserId: number | null;
}

/** What of an event is dispatched at once. */
export interface Portion<I> {
  /** The higher priority first, then the older event notification. */
  interests: I[];
  /** Up to which user the event is dispatched then; null when that is all of it. */
  doneUserId: number | null;
}

/** The next users of an audience, at most so many. */
export function audiencePart(audience: readonly number[], doneUserId: number | null, most: number): AudiencePart {
  const left = [...new Set(audience)]
    .filter((userId) => doneUserId === null || userId > doneUserId)
    .sort((a, b) => a - b);
  return { users: left.slice(0, most), hasMore: left.length > most, doneUserId };
}

/** Whether an event notification asks for events from this source. */
export function isFromSource({ sourceId }: Pick<EventInterest, 'sourceId'>, eventSourceId: number | null): boolean {
  return sourceId === null || sourceId === eventSourceId;
}

/**
 * What of an event goes out next. `interests` are those of the users of `part` that match and have no delivery yet, in
 * order of owner, then of priority and age; one more than `room` of them shows that there are more. Everything for one user
 * goes out together, so that the order of priorities holds for each user; only a user with more than `mostAtOnce` gets it
 * in several portions. Undefined when the next user needs more than the room that is left.
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
