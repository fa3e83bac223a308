import type { Caller } from '../../platform/caller';
import type { Clock } from '../../platform/clock';
import { InvalidInput } from '../../platform/errors';
import { PROTOCOLS, type ProtocolMessage, type ProtocolName } from '../protocols';
import type { SeriesPoint } from '../protocols/series';
import { UnreadableMessage } from '../protocols/unreadable';
import type { SeriesUploads } from '../series/series-uploads.service';

/** Stores what devices and their servers report, a message in each request. */
export class MessagesService {
  constructor(
    private readonly uploads: SeriesUploads,
    private readonly clock: Clock,
  ) {}

  /**
   * Stores the points of a message; they are durable when this resolves. InvalidInput if it can never be read. Undefined
   * if it holds nothing to store.
   */
  async store(
    caller: Pick<Caller, 'userId' | 'credential'>,
    protocol: ProtocolName,
    message: ProtocolMessage,
  ): Promise<{ storedMs: number } | undefined> {
    const receivedMs = this.clock.now();
    const points = read(protocol, message);
    return points.length === 0 ? undefined : this.uploads.store(caller, points, receivedMs);
  }
}

function read(protocol: ProtocolName, message: ProtocolMessage): SeriesPoint[] {
  try {
    return PROTOCOLS[protocol](message);
  } catch (error) {
    if (error instanceof UnreadableMessage) throw new InvalidInput(error.message);
    throw error;
  }
}
