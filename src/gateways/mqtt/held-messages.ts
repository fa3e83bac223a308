import type { DeliveredMessage } from './broker-connection';
import { covers } from './topic-filter';

const [MAX_HELD, MAX_HELD_BYTES] = [200, 524_288];

/**
 * Holds first messages until the broker has delivered what describes them: a device may have been renamed meanwhile.
 */
export class HeldMessages {
  private messages: DeliveredMessage[] = [];
  private bytes = 0;
  private isOpen: boolean;

  /** `describing`: filters of messages that describe others. */
  constructor(private readonly describing: readonly string[]) {
    this.isOpen = describing.length > 0;
  }

  /** Passes what describes others, and everything after `release`. When `full`, call `release`. */
  hold(message: DeliveredMessage): 'held' | 'full' | 'passes' {
    if (!this.isOpen || this.describing.some((filter) => covers(filter, message.topic))) return 'passes';
    this.messages.push(message);
    this.bytes += message.payload.length;
    return this.messages.length < MAX_HELD && this.bytes < MAX_HELD_BYTES ? 'held' : 'full';
  }

  release(): DeliveredMessage[] {
    this.isOpen = false;
    return this.messages.splice(0);
  }
}
