import { setImmediate } from 'node:timers/promises';
import { chargedWork } from '../../storage/cancellation';

/** Maximum number of bytes that a read keeps of opened chunks. It opens those for which there is no room again. */
const KEPT_BYTES = 28 * 1024 * 1024;
/** Opened chunks leave this many bytes of their user's budget to other work, in bytes. */
const SPARE_BYTES = 16 * 1024 * 1024;
/** Work that is charged to no user pauses after this time, in ms. */
const PAUSE_AFTER_MS = 20;

/**
 * What one read holds in memory and computes, charged to the user of the current work, if there is one. `end` releases
 * everything.
 */
export class ReadMemory {
  private readonly work = chargedWork();
  private held = 0;
  private kept = 0;
  private pausedAt = performance.now();

  /** Charges what the read cannot do without, before or just after it is read. Throws the error of the budget. */
  hold(bytes: number): void {
    this.work?.charge(bytes);
    this.held += bytes;
  }

  /** Charges an opened chunk; false if there is no room to keep it. */
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

  /** Releases a chunk that was kept. */
  drop(bytes: number): void {
    this.kept -= bytes;
    this.release(bytes);
  }

  end(): void {
    this.release(this.held);
  }

  /** Runs a step of some milliseconds at most, charged to the user. */
  measure<T>(step: () => T): T {
    return this.work ? this.work.measure(step) : step();
  }

  /** Lets other work run, if it is due. Call it after each chunk. */
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
