/**
 * All rounds before this one, and everything up to this item of this row, have been seen. Rounds are in order of
 * arrival, whatever the ids of their rows.
 */
export interface StreamPosition {
  round: number;
  id: number;
  index: number;
}

/** Clients send it back to continue. `epoch` names the log. */
export interface StreamCursor {
  epoch: string;
  position: StreamPosition;
}

export function behindRound(round: number): StreamPosition {
  return { round: round + 1, id: 0, index: 0 };
}

export function isBehind(a: StreamPosition, b: StreamPosition): boolean {
  if (a.round !== b.round) return a.round > b.round;
  return a.id !== b.id ? a.id > b.id : a.index > b.index;
}

export function formatCursor(epoch: string, { round, id, index }: StreamPosition): string {
  return `${epoch}-${round}-${id}-${index}`;
}

/** Null for a text that is no cursor. */
export function parseCursor(text: string): StreamCursor | null {
  const match = /^([0-9a-f]{8})-(\d{1,15})-(\d{1,15})-(\d{1,5})$/.exec(text);
  if (!match) return null;
  const [, epoch = '', round, id, index] = match;
  return { epoch, position: { round: Number(round), id: Number(id), index: Number(index) } };
}
