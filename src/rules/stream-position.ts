/**
 * A place in the log of streams: everything up to this item of this row has been seen, and all rounds before. Rounds are
 * in order of arrival, whatever the ids of their rows.
 */
export interface StreamPosition {
  round: number;
  id: number;
  index: number;
}

/** What clients give back to go on: a position, and which log it is in. */
export interface StreamCursor {
  epoch: string;
  position: StreamPosition;
}

/** The place behind everything in a round. */
export function behindRound(round: number): StreamPosition {
  return { round: round + 1, id: 0, index: 0 };
}

/** Whether `a` is behind `b`. */
export function isBehind(a: StreamPosition, b: StreamPosition): boolean {
  if (a.round !== b.round) return a.round > b.round;
  return a.id !== b.id ? a.id > b.id : a.index > b.index;
}

export function formatCursor(epoch: string, { round, id, index }: StreamPosition): string {
  return `${epoch}-${round}-${id}-${index}`;
}

/** Null for what is no cursor of any platform. */
export function parseCursor(text: string): StreamCursor | null {
  const match = /^([0-9a-f]{8})-(\d{1,15})-(\d{1,15})-(\d{1,5})$/.exec(text);
  if (!match) return null;
  const [, epoch = '', round, id, index] = match;
  return { epoch, position: { round: Number(round), id: Number(id), index: Number(index) } };
}
