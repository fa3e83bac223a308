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
    return this.secretBox.sealUntil(entered, this.owner, this.clock.now() + LIFE_MS);
  }

  /** Undefined for a ticket that has ended, or of another browser. */
  read(sealed: string): Entered | undefined {
    return this.secretBox.openUntil(sealed, this.owner, this.clock.now());
  }

  private get owner(): string {
    return `login:${this.browser}`;
  }
}
