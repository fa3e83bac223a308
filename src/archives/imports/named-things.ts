import type { RowDataPacket } from 'mysql2/promise';
import type { Reader } from '../../storage/read-pool';

/** The things of an account by their names: the second of a name in a file stands for the second in the account. */
export class NamedThings {
  private readonly ids = new Map<string, number[]>();
  private readonly seen = new Map<string, number>();

  /** `sql` selects `id` and `name` in order of the ids. */
  static async read(reads: Reader, sql: string, ownerId: number): Promise<NamedThings> {
    const named = new NamedThings();
    const [rows] = await reads.query<RowDataPacket[]>(sql, [ownerId]);
    for (const { id, name } of rows) named.add(String(name), Number(id));
    return named;
  }

  /** What stands for the next thing of this name; undefined if the account has no such one. */
  next(name: string): number | undefined {
    const place = this.seen.get(name) ?? 0;
    this.seen.set(name, place + 1);
    return this.ids.get(name)?.[place];
  }

  /** How many the account has. */
  get size(): number {
    return [...this.ids.values()].reduce((sum, { length }) => sum + length, 0);
  }

  add(name: string, id: number): void {
    const same = this.ids.get(name);
    if (same) same.push(id);
    else this.ids.set(name, [id]);
  }
}
