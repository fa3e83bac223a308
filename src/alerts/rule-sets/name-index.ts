import type { Present } from './present-rules';

/** Finds things of one kind by their exact names. A document may name 10,000 sensors. */
class NameIndex {
  private readonly ids = new Map<string, number[]>();
  private readonly names = new Map<number, string>();

  constructor(things: Iterable<{ id: number; name: string | null }>) {
    for (const { id, name } of things) {
      this.names.set(id, name ?? '');
      const same = this.ids.get(name ?? '');
      if (same) same.push(id);
      else this.ids.set(name ?? '', [id]);
    }
  }

  idsOf(name: string): readonly number[] {
    return this.ids.get(name) ?? [];
  }

  nameOf(id: number): string | undefined {
    return this.names.get(id);
  }
}

export type NamedKind = 'notification' | 'trigger' | 'sensor';

export function indexNames({ things, sensors }: Present): Readonly<Record<NamedKind, NameIndex>> {
  const rowsOf = (kind: 'notification' | 'trigger') => [...things[kind].values()].map(({ row }) => row);
  return {
    notification: new NameIndex(rowsOf('notification')),
    trigger: new NameIndex(rowsOf('trigger')),
    sensor: new NameIndex(sensors),
  };
}
