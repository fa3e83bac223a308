import type { Random } from './random';
import type { Scheduler, Timer } from './scheduler';

/**
 * Runs `act` with the timers, the stopwatch and the random numbers of the whole process replaced by those of the
 * simulation, so that the seed also decides whatever the platform does without its clock.
 */
export async function inVirtualTime(scheduler: Scheduler, random: Random, act: () => Promise<void>): Promise<void> {
  const { setTimeout, clearTimeout, setInterval, clearInterval, setImmediate } = globalThis;
  const real = { setTimeout, clearTimeout, setInterval, clearInterval, setImmediate };
  const { random: realRandom } = Math;
  const realNow = performance.now;
  Object.assign(globalThis, timersOf(scheduler));
  Math.random = random.next;
  performance.now = () => scheduler.nowMs;
  try {
    await act();
  } finally {
    Object.assign(globalThis, real);
    Math.random = realRandom;
    performance.now = realNow;
  }
}

/** The timers of the process that the platform uses. */
function timersOf(scheduler: Scheduler) {
  const setTimeout = (act: () => void, ms: number) => new VirtualTimer(scheduler, act, ms, false);
  const setInterval = (act: () => void, ms: number) => new VirtualTimer(scheduler, act, ms, true);
  const setImmediate = (act: () => void) => new VirtualTimer(scheduler, act, 0, false);
  const clear = (timer?: VirtualTimer) => timer?.stop();
  return { setTimeout, setInterval, setImmediate, clearTimeout: clear, clearInterval: clear };
}

class VirtualTimer {
  private timer: Timer;

  constructor(
    private readonly scheduler: Scheduler,
    act: () => void,
    ms: number,
    repeats: boolean,
  ) {
    const start = (): Timer =>
      scheduler.afterOwn(ms, () => {
        if (repeats) this.timer = start();
        act();
      });
    this.timer = start();
  }

  stop(): void {
    this.scheduler.cancel(this.timer);
  }

  unref(): this {
    return this;
  }
}
