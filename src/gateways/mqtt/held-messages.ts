import type { DeliveredMessage } from './broker-connection';
import { covers } from './topic-filter';

/** Maximum number and size of messages that are held. */
const [MAX_HELD, MAX_HELD_BYTES] = [200, 524_288];

/**
 * The first messages of a connection, until the broker has delivered what describes them: a device may have been renamed
 * while no worker was connected.
 */
export class HeldMessages {
  private messages: DeliveredMessage[] = [];
  private bytes = 0;
  private isOpen: boolean;

  /** `describing` are the filters of the messages that describe others. */
  constructor(private readonly describing: readonly string[]) {
    this.isOpen = describing.length > 0;
  }

  /** Holds a message, unless it describes others or nothing is held any more. When it is `full`, release them. */
  hold(message: DeliveredMessage): 'held' | 'full' | 'passes' {
    if (!this.isOpen || this.describing.some((filter) => covers(filter, message.topic))) return 'passes';
    this.messages.push(message);
    this.bytes += message.payload.length;
    return this.messages.length < MAX_HELD && this.bytes < MAX_HELD_BYTES ? 'held' : 'full';
  }

  /** Holds no more messages, and returns those that it held. */
  release(): DeliveredMessage[] {
    this.isOpen = false;
    return this.messages.splice(0);
  }
}
