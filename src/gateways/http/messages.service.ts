import type { Caller } from '../../platform/caller';
import type { Clock } from '../../platform/clock';
import { InvalidInput } from '../../platform/errors';
import { PROTOCOLS, type ProtocolMessage, type ProtocolName } from '../protocols';
import type { SeriesPoint } from '../protocols/series';
import { UnreadableMessage } from '../protocols/unreadable';
import type { SeriesUploads } from '../series/series-uploads.service';

export class MessagesService {
  constructor(
    private readonly uploads: SeriesUploads,
    private readonly clock: Clock,
  ) {}

  /** Stores durably; undefined if there is nothing to store. Throws InvalidInput if the message can never be read. */
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
