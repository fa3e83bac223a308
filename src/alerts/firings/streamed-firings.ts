import type { RowDataPacket } from 'mysql2/promise';
import type { Clock } from '../../platform/clock';
import { Firing } from '../../storage/models/firing.model';
import type { Reader } from '../../storage/read-pool';
import { type EpisodeFiring, withEpisodes } from './firing-episodes';

/** Owners see more of it than others. */
interface StreamedFiring {
  triggerId: number;
  show(of: { isOwn: boolean }): object;
}

export class StreamedFirings {
  constructor(
    private readonly reads: Reader,
    private readonly clock: Clock,
    private readonly toView: (firing: EpisodeFiring, of: { isOwn: boolean }) => object,
  ) {}

  async read(ids: readonly number[]): Promise<Map<number, StreamedFiring>> {
    if (ids.length === 0) return new Map();
    const now = { reads: this.reads, nowMs: this.clock.now() };
    const firings = await withEpisodes(await Firing.findAll({ where: { id: [...ids] } }), now);
    return new Map(
      firings.map((entry) => {
        const { id, triggerId } = entry.firing;
        return [id, { triggerId, show: (of) => this.toView(entry, of) }];
      }),
    );
  }

  async sizes(ids: readonly number[]): Promise<Map<number, number>> {
    const sql = 'SELECT id, LENGTH(variables) AS bytes FROM firings WHERE id IN (?)';
    const [rows] = await this.reads.query<RowDataPacket[]>(sql, [ids]);
    return new Map(rows.map(({ id, bytes }) => [Number(id), Number(bytes)]));
  }
}
