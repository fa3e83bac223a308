import { setImmediate } from 'node:timers/promises';
import type { TextInLines } from '../../edge/bytes-as-text';
import type { Caller } from '../../platform/caller';
import type { Clock } from '../../platform/clock';
import { InvalidInput, PlatformError } from '../../platform/errors';
import { LineReader, type Precision, type ReadLines, type WrongLine } from '../protocols/line-protocol';
import type { SeriesUploads } from '../series/series-uploads.service';

/** Lines are read in parts: other requests come in between. */
const AT_ONCE = { lines: 2_000, characters: 500_000 };
/** What 10 MB of lines hold would take 20 times as much memory. */
const MAX_LINES = 100_000;
const SHOWN = 10;

export class InfluxService {
  constructor(
    private readonly uploads: SeriesUploads,
    private readonly clock: Clock,
  ) {}

  /**
   * Then throws InvalidInput with the numbers of the wrong lines, as InfluxDB does. Stores nothing if there are too
   * many lines.
   */
  async write(caller: Caller, body: TextInLines, precision: Precision): Promise<{ storedMs: number }> {
    const receivedMs = this.clock.now();
    const reader = new LineReader(body, precision, receivedMs);
    const lines: ReadLines = { points: [], wrong: [] };
    while (!reader.isAtEnd) {
      reader.read(AT_ONCE, lines);
      if (lines.points.length + lines.wrong.length > MAX_LINES) throw tooMany();
      if (!reader.isAtEnd) await setImmediate();
    }
    const { storedMs } = await this.uploads.store(caller, lines.points, receivedMs);
    if (lines.wrong.length > 0) throw new InvalidInput(describe(lines.wrong, lines.points.length));
    return { storedMs };
  }
}

function tooMany(): PlatformError {
  return new PlatformError(413, 'too_large', `the body has more than ${MAX_LINES} lines`);
}

function describe(wrong: readonly WrongLine[], stored: number): string {
  const shown = wrong.slice(0, SHOWN).map(({ line, why }) => `line ${line} ${why}`);
  const more = wrong.length > SHOWN ? [`and ${wrong.length - SHOWN} more`] : [];
  return `${stored} lines are stored, ${wrong.length} are not: ${[...shown, ...more].join('; ')}`;
}
