import type { History } from '../history';

interface Life {
  notificationId: number;
  /** Numbers of the commits that have added and deleted the delivery. */
  from: number;
  to: number;
}

/** Which notifications have a delivery of a firing of an episode, after each commit. */
export class Notified {
  /** By the first firing of the episode. */
  private readonly lives = new Map<unknown, Life[]>();

  constructor({ commits, rows }: History) {
    const firstOf = new Map(rows('firings').map((row) => [row.id, row.episode_id ?? row.id]));
    const byId = new Map<unknown, Life>();
    for (const [index, { changes }] of commits.entries()) {
      for (const { table, before, after } of changes) {
        if (table !== 'deliveries') continue;
        const known = byId.get(before?.id);
        if (known && !after) known.to = index;
        if (before || after?.kind !== 'firing' || (after.firing_id ?? null) === null) continue;
        const life = { notificationId: Number(after.notification_id), from: index, to: Number.POSITIVE_INFINITY };
        byId.set(after.id, life);
        const first = firstOf.get(after.firing_id ?? null);
        this.lives.set(first, [...(this.lives.get(first) ?? []), life]);
      }
    }
  }

  /** After the commit with this number. */
  isNotified(index: number, firstFiringId: unknown, notificationId: number): boolean {
    const lives = this.lives.get(firstFiringId) ?? [];
    return lives.some((life) => life.notificationId === notificationId && life.from <= index && life.to > index);
  }
}
