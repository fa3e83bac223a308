import { setImmediate as nextTick } from 'node:timers/promises';
import type { FairShareScheduler } from '../../fairness/fair-share-scheduler';
import { PAUSE_AFTER_MS } from '../../fairness/knobs';
import type { TextValues } from '../../language/notification-text';

/** Maximum time for the texts of one owner. */
const TEXTS_LIMIT_MS = 2_000;
/** After this time each owner gets the shortest time. */
const ALL_LIMIT_MS = 3_000;
const SHORTEST_LIMIT_MS = 50;

/** Charges owners, and lets other work run in between. */
export class PacedTexts {
  private readonly spentMs = new Map<number, number>();
  private allMs = 0;
  private sincePauseMs = 0;

  constructor(
    private readonly shares: FairShareScheduler,
    /** False if something else limits the texts and no sensor is locked. */
    private readonly isLimited = true,
  ) {}

  /** Once the owner's time is used up, returns a short text that says why. */
  render(ownerId: number, values: TextValues, render: () => string): string {
    const spentMs = this.spentMs.get(ownerId) ?? 0;
    const limitMs = this.allMs > ALL_LIMIT_MS ? SHORTEST_LIMIT_MS : TEXTS_LIMIT_MS;
    if (this.isLimited && spentMs > limitMs) return textInstead(values);
    const started = this.shares.now();
    try {
      return render();
    } finally {
      const ms = this.shares.now() - started;
      this.spentMs.set(ownerId, spentMs + ms);
      this.allMs += ms;
      this.sincePauseMs += ms;
      this.shares.chargeTime(ownerId, ms);
    }
  }

  /** Cheap: check it after each text. */
  get isPauseDue(): boolean {
    return this.sincePauseMs > PAUSE_AFTER_MS;
  }

  async pause(): Promise<void> {
    await nextTick();
    this.sincePauseMs = 0;
  }
}

function textInstead({ trigger_name: trigger, sensor_name: sensor }: TextValues): string {
  return `${trigger} on ${sensor} (the own text is left out: the texts of your notifications take too long, use fewer variables)`;
}
