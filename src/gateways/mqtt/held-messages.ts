import type { DeliveredMessage } from './broker-connection';
import { coversLevels, levelsOf } from './topic-filter';

const [MAX_HELD, MAX_HELD_BYTES] = [200, 524_288];

/**
 * Holds first messages until the broker has delivered what describes them: a device may have been renamed meanwhile.
 */
export class HeldMessages {
  private messages: DeliveredMessage[] = [];
  private bytes = 0;
  private isOpen: boolean;
  /** Levels of the filters. */
  private readonly describing: readonly (readonly string[])[];

  /** `describing`: filters of messages that describe others. */
  constructor(describing: readonly string[]) {
    this.describing = describing.map(levelsOf);
    this.isOpen = describing.length > 0;
  }

  /** Passes what describes others, and everything after `release`. When `full`, call `release`. */
  hold(message: DeliveredMessage): 'held' | 'full' | 'passes' {
    if (!this.isOpen || this.describes(message.topic)) return 'passes';
    this.messages.push(message);
    this.bytes += message.topic.length + message.payload.length;
    return this.messages.length < MAX_HELD && this.bytes < MAX_HELD_BYTES ? 'held' : 'full';
  }

  release(): DeliveredMessage[] {
    this.isOpen = false;
    return this.messages.splice(0);
  }

  private describes(topic: string): boolean {
    const levels = levelsOf(topic);
    return this.describing.some((filter) => coversLevels(filter, levels));
  }
}
