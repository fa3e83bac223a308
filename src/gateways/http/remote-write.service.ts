import { setImmediate } from 'node:timers/promises';
import type { Caller } from '../../platform/caller';
import type { Clock } from '../../platform/clock';
import { InvalidInput, PlatformError, TooMany, Unavailable } from '../../platform/errors';
import { type RemoteWrite, readRemoteWrite } from '../protocols/remote-write';
import { MessageTooLarge, UnreadableMessage } from '../protocols/unreadable';
import type { SeriesUploads } from '../series/series-uploads.service';

export class RemoteWriteService {
  constructor(
    private readonly uploads: SeriesUploads,
    private readonly clock: Clock,
  ) {}

  /**
   * Then throws InvalidInput if some series are invalid. Throws Unavailable instead of TooMany: Prometheus drops what
   * is answered with 429.
   */
  async write(caller: Pick<Caller, 'userId' | 'credential'>, body: Buffer): Promise<{ storedMs: number }> {
    const receivedMs = this.clock.now();
    const { points, problems } = await read(body);
    const stored = await this.uploads.store(caller, points, receivedMs).catch((error: unknown) => {
      throw error instanceof TooMany ? new Unavailable(error.message, error.retryAfterSeconds) : error;
    });
    if (problems.length > 0) throw new InvalidInput(problems.join('; '));
    return stored;
  }
}

async function read(body: Buffer): Promise<RemoteWrite> {
  try {
    for (const steps = readRemoteWrite(body); ; ) {
      const { done, value } = steps.next();
      if (done) return value;
      // Without waiting for the user's share: few large bodies are read at a time, and the others wait for this one.
      await setImmediate();
    }
  } catch (error) {
    if (error instanceof MessageTooLarge) throw new PlatformError(413, 'too_large', error.message);
    if (error instanceof UnreadableMessage) throw new InvalidInput(error.message);
    throw error;
  }
}
