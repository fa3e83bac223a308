import { setImmediate } from 'node:timers/promises';
import type { Caller } from '../../platform/caller';
import type { Clock } from '../../platform/clock';
import { InvalidInput } from '../../platform/errors';
import { LineReader, type Precision, type ReadLines, type WrongLine } from '../../protocols/line-protocol';
import type { SeriesUploads } from '../series/series-uploads.service';

/** Number of lines that are read before other requests come in between. */
const LINES_AT_ONCE = 2_000;
/** Maximum number of wrong lines that an error names. */
const SHOWN = 10;

/** Stores points in InfluxDB's line protocol. */
export class InfluxService {
  constructor(
    private readonly uploads: SeriesUploads,
    private readonly clock: Clock,
  ) {}

  /**
   * Stores all lines that can be read; they are durable when this resolves. InvalidInput if others cannot, with their
   * numbers: those of the request that can be read are stored then, as InfluxDB does.
   */
  async write(caller: Caller, body: Buffer, precision: Precision): Promise<{ storedMs: number }> {
    const receivedMs = this.clock.now();
    const reader = new LineReader(body.toString('utf8'), precision);
    const lines: ReadLines = { points: [], wrong: [] };
    while (!reader.isAtEnd) {
      reader.read(LINES_AT_ONCE, lines);
      if (!reader.isAtEnd) await setImmediate();
    }
    const { storedMs } = await this.uploads.store(caller, lines.points, receivedMs);
    if (lines.wrong.length > 0) throw new InvalidInput(describe(lines.wrong, lines.points.length));
    return { storedMs };
  }
}

function describe(wrong: readonly WrongLine[], stored: number): string {
  const shown = wrong.slice(0, SHOWN).map(({ line, why }) => `line ${line} ${why}`);
  const more = wrong.length > SHOWN ? [`and ${wrong.length - SHOWN} more`] : [];
  return `${stored} lines are stored, ${wrong.length} are not: ${[...shown, ...more].join('; ')}`;
}
