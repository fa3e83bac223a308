import type { WaitingMessage } from './waiting-message';

/**
 * Maximum number of messages of a session that are not acknowledged because a limit refuses them. Brokers deliver only so
 * many messages without acknowledgement: Mosquitto 20, unless `max_inflight_messages` says otherwise. The others are for
 * the other series.
 */
const MAX_KEPT = 10;
/** How often they are tried again: sensors may have been deleted. */
const EVERY_MS = 10_000;

/** The messages that the broker keeps for this connection, because a limit refuses them at the moment. */
export class KeptMessages {
  private kept: WaitingMessage[] = [];
  private timer: NodeJS.Timeout | undefined;
  private isDue = false;

  /** `onDue` is called when the messages are to be tried again. */
  constructor(private readonly onDue: () => void) {}

  get length(): number {
    return this.kept.length;
  }

  /** Keeps a message. False if the broker cannot keep it, or keeps enough. */
  keep(message: WaitingMessage): boolean {
    if (!message.packet || this.kept.length >= MAX_KEPT) return false;
    this.kept.push(message);
    this.timer ??= setTimeout(() => {
      this.timer = undefined;
      this.isDue = true;
      this.onDue();
    }, EVERY_MS).unref();
    return true;
  }

  includes(packetId: number): boolean {
    return this.kept.some(({ packet }) => packet?.packetId === packetId);
  }

  /** Takes the messages that are to be tried again. */
  takeDue(): WaitingMessage[] {
    if (!this.isDue) return [];
    this.isDue = false;
    return this.kept.splice(0);
  }

  close(): void {
    clearTimeout(this.timer);
  }
}
