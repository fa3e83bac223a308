import { setImmediate } from 'node:timers/promises';
import { chargedWork } from '../../storage/cancellation';

/** Opened chunks that a read keeps, in bytes. Without room, it opens them again. */
const KEPT_BYTES = 28 * 1024 * 1024;
/** Opened chunks leave this much of their user's budget to other work. */
const SPARE_BYTES = 16 * 1024 * 1024;
/** Work that is charged to no user pauses after this time. */
const PAUSE_AFTER_MS = 20;

/** Memory and computing time of a read, charged to the user of the current work. `end` releases everything. */
export class ReadMemory {
  private readonly work = chargedWork();
  private held = 0;
  private kept = 0;
  private pausedAt = performance.now();

  /** Charges what the read must have. Throws the error of the budget. */
  hold(bytes: number): void {
    this.work?.charge(bytes);
    this.held += bytes;
  }

  /** False if there is no room to keep an opened chunk. */
  mayKeep(bytes: number): boolean {
    if (this.kept + bytes > KEPT_BYTES) return false;
    if (this.work && !this.work.hasRoom(bytes + SPARE_BYTES)) return false;
    this.hold(bytes);
    this.kept += bytes;
    return true;
  }

  release(bytes: number): void {
    this.held -= bytes;
    this.work?.release(bytes);
  }

  drop(bytes: number): void {
    this.kept -= bytes;
    this.release(bytes);
  }

  end(): void {
    this.release(this.held);
  }

  /** Charges a step of some ms to the user. */
  measure<T>(step: () => T): T {
    return this.work ? this.work.measure(step) : step();
  }

  /** Call it after each chunk. */
  async pauseIfDue(): Promise<void> {
    if (this.work) {
      if (this.work.isPauseDue) await this.work.pause();
      return;
    }
    if (performance.now() - this.pausedAt < PAUSE_AFTER_MS) return;
    await setImmediate();
    this.pausedAt = performance.now();
  }
}
