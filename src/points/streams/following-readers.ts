import type { TopicKind } from './change-log';
import type { StreamReader } from './stream-reader';

const NONE: ReadonlySet<StreamReader> = new Set();

export class FollowingReaders {
  private readonly readers = new Map<string, Set<StreamReader>>();

  get isEmpty(): boolean {
    return this.readers.size === 0;
  }

  of(kind: TopicKind, thingId: number): ReadonlySet<StreamReader> {
    return this.readers.get(keyOf(kind, thingId)) ?? NONE;
  }

  has(reader: StreamReader): boolean {
    const { kind, thingIds } = reader.topics;
    return this.of(kind, thingIds[0] ?? 0).has(reader);
  }

  /** Skips a closed reader. */
  add(reader: StreamReader): void {
    if (reader.isClosed) return;
    for (const id of reader.topics.thingIds) {
      const key = keyOf(reader.topics.kind, id);
      const readers = this.readers.get(key) ?? new Set();
      readers.add(reader);
      this.readers.set(key, readers);
    }
  }

  delete(reader: StreamReader): void {
    for (const id of reader.topics.thingIds) {
      const key = keyOf(reader.topics.kind, id);
      const readers = this.readers.get(key);
      readers?.delete(reader);
      if (readers?.size === 0) this.readers.delete(key);
    }
  }
}

function keyOf(kind: TopicKind, thingId: number): string {
  return `${kind} ${thingId}`;
}
