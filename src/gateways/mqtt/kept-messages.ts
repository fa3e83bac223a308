import type { WaitingMessage } from './waiting-message';

/**
 * Unacknowledged messages that a limit refuses. Brokers deliver few without acknowledgement (Mosquitto 20,
 * `max_inflight_messages`), and other series need the rest.
 */
const MAX_KEPT = 10;
/** Sensors may have been deleted meanwhile. */
const EVERY_MS = 10_000;

/** What the broker keeps for this connection while a limit refuses it. */
export class KeptMessages {
  private kept: WaitingMessage[] = [];
  private timer: NodeJS.Timeout | undefined;
  private isDue = false;

  /** Call `takeDue` when `onDue` is called. */
  constructor(private readonly onDue: () => void) {}

  get length(): number {
    return this.kept.length;
  }

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

  takeDue(): WaitingMessage[] {
    if (!this.isDue) return [];
    this.isDue = false;
    return this.kept.splice(0);
  }

  close(): void {
    clearTimeout(this.timer);
  }
}
