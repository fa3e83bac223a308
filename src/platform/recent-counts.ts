const REFUSED: ReadonlySet<number> = new Set([429, 503]);

export interface TakenCounts {
  /** Stored points by user. */
  points: ReadonlyMap<number, number>;
  /** Responses by status. */
  refused: ReadonlyMap<number, number>;
}

/** Counts what one process does, until the counts are taken. */
export class RecentCounts {
  private points = new Map<number, number>();
  private refused = new Map<number, number>();

  addPoints(userId: number, count: number): void {
    this.points.set(userId, (this.points.get(userId) ?? 0) + count);
  }

  addResponse(status: number): void {
    if (REFUSED.has(status)) this.refused.set(status, (this.refused.get(status) ?? 0) + 1);
  }

  take(): TakenCounts {
    const { points, refused } = this;
    this.points = new Map();
    this.refused = new Map();
    return { points, refused };
  }

  putBack({ points, refused }: TakenCounts): void {
    for (const [userId, count] of points) this.addPoints(userId, count);
    for (const [status, count] of refused) this.refused.set(status, (this.refused.get(status) ?? 0) + count);
  }
}
