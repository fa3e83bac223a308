import type { RowDataPacket } from 'mysql2/promise';
import { type EpisodeFiring, withEpisodes } from '../database/firing-episodes';
import type { Reader } from '../database/read-pool';
import { dataPointId, type StoredDataPoint } from '../domain/data-point';
import { formatCursor, type StreamPosition } from '../domain/stream-position';
import { Firing } from '../models/firing.model';
import type { OrderedArrival, TopicKind } from './arrivals';

/** How what arrived is shown. */
export interface StreamViews {
  point(point: StoredDataPoint): object;
  firing(firing: EpisodeFiring): object;
}

/** One event of a stream, and where in the log it is. */
export interface StreamEvent {
  kind: TopicKind;
  thingId: number;
  position: StreamPosition;
  text: string;
}

/** Makes events of arrivals: what they are now. What has been deleted since is left out. */
export class StreamEvents {
  constructor(
    private readonly pool: Reader,
    private readonly views: StreamViews,
  ) {}

  async read(arrivals: readonly OrderedArrival[], epoch: string): Promise<StreamEvent[]> {
    const ofKind = (kind: TopicKind) => arrivals.filter((arrival) => arrival.kind === kind);
    const [points, firings] = await Promise.all([this.readPoints(ofKind('sensor')), readFirings(ofKind('firings'))]);
    return arrivals.flatMap((arrival) => {
      const { kind, thingId, round, id, items } = arrival;
      return items.flatMap((item, at) => {
        const position = { round, id, index: at + 1 };
        const content = kind === 'sensor' ? this.showPoint(points, thingId, item) : this.showFiring(firings, item);
        if (content === undefined) return [];
        const name = kind === 'sensor' ? 'data' : 'firing';
        const text = `event: ${name}\nid: ${formatCursor(epoch, position)}\ndata: ${JSON.stringify(content)}\n\n`;
        return [{ kind, thingId, position, text }];
      });
    });
  }

  private showPoint(values: ReadonlyMap<string, string>, sensorId: number, dateMs: number): object | undefined {
    const value = values.get(`${sensorId} ${dateMs}`);
    return value === undefined ? undefined : this.views.point({ id: dataPointId(dateMs), sensorId, dateMs, value });
  }

  private showFiring(firings: ReadonlyMap<number, EpisodeFiring>, id: number): object | undefined {
    const firing = firings.get(id);
    return firing && this.views.firing(firing);
  }

  private async readPoints(arrivals: readonly OrderedArrival[]): Promise<Map<string, string>> {
    if (arrivals.length === 0) return new Map();
    const dates = new Map<number, Set<number>>();
    for (const { thingId, items } of arrivals) dates.set(thingId, new Set([...(dates.get(thingId) ?? []), ...items]));
    const parts = [...dates].map(([sensorId, ms]) => ({ sensorId, ms: [...ms] }));
    const [rows] = await this.pool.query<RowDataPacket[]>(
      parts
        .map(
          () =>
            '(SELECT sensor_id AS sensorId, date_ms AS dateMs, value FROM data_points WHERE sensor_id = ? AND date_ms IN (?))',
        )
        .join(' UNION ALL '),
      parts.flatMap(({ sensorId, ms }) => [sensorId, ms]),
    );
    return new Map(rows.map(({ sensorId, dateMs, value }) => [`${sensorId} ${dateMs}`, String(value)]));
  }
}

async function readFirings(arrivals: readonly OrderedArrival[]): Promise<Map<number, EpisodeFiring>> {
  const ids = arrivals.flatMap(({ items }) => items);
  if (ids.length === 0) return new Map();
  const firings = await withEpisodes(await Firing.findAll({ where: { id: ids } }));
  return new Map(firings.map((entry) => [entry.firing.id, entry]));
}
