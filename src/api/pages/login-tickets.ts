import type { Clock } from '../../platform/clock';
import type { SecretBox } from '../../platform/secret-box';

const LIFE_MS = 10 * 60_000;

export interface Entered {
  username: string;
  digest: string;
}

/** Carries a checked password to the form that asks for the second factor. Only this browser can use it. */
export class LoginTickets {
  constructor(
    private readonly secretBox: SecretBox,
    private readonly clock: Pick<Clock, 'now'>,
    private readonly browser: string,
  ) {}

  issue(entered: Entered): string {
    return this.secretBox.seal(JSON.stringify({ ...entered, untilMs: this.clock.now() + LIFE_MS }), this.owner);
  }

  /** Null for a ticket that has ended, or of another browser. */
  read(sealed: string): Entered | null {
    try {
      const found: Entered & { untilMs: number } = JSON.parse(this.secretBox.open(sealed, this.owner)); // we sealed it
      return found.untilMs > this.clock.now() ? found : null;
    } catch {
      return null;
    }
  }

  private get owner(): string {
    return `login:${this.browser}`;
  }
}
