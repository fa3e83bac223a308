import type { RowDataPacket } from 'mysql2/promise';
import type { Clock } from '../../platform/clock';
import { Firing } from '../../storage/models/firing.model';
import type { Reader } from '../../storage/read-pool';
import { type EpisodeFiring, withEpisodes } from './firing-episodes';

/** The firings that streams show. */
export class StreamedFirings {
  constructor(
    private readonly reads: Reader,
    private readonly clock: Clock,
    private readonly toView: (firing: EpisodeFiring) => object,
  ) {}

  /** The views of these firings, by their ids. Purged ones are left out. */
  async read(ids: readonly number[]): Promise<Map<number, object>> {
    if (ids.length === 0) return new Map();
    const now = { reads: this.reads, nowMs: this.clock.now() };
    const firings = await withEpisodes(await Firing.findAll({ where: { id: [...ids] } }), now);
    return new Map(firings.map((entry) => [entry.firing.id, this.toView(entry)]));
  }

  /** The sizes of these firings, in bytes. */
  async sizes(ids: readonly number[]): Promise<Map<number, number>> {
    const sql = 'SELECT id, LENGTH(variables) AS bytes FROM firings WHERE id IN (?)';
    const [rows] = await this.reads.query<RowDataPacket[]>(sql, [ids]);
    return new Map(rows.map(({ id, bytes }) => [Number(id), Number(bytes)]));
  }
}
