import type { Pool } from 'mysql2/promise';
import type { Clock } from '../../platform/clock';
import type { SecretBox } from '../../platform/secret-box';
import { useNonce } from '../oauth/oauth1-nonces';

const LIFE_MS = 5 * 60_000;

/**
 * Challenges that browsers sign. Each is good once, for one purpose, within five minutes. One that nobody signs takes no
 * place: it is sealed, and not stored.
 */
export class Challenges {
  constructor(
    private readonly secretBox: SecretBox,
    private readonly pool: Pool,
    private readonly clock: Clock,
  ) {}

  issue(purpose: string): Uint8Array<ArrayBuffer> {
    const sealed = this.secretBox.sealUntil({}, boundTo(purpose), this.clock.now() + LIFE_MS);
    return Uint8Array.from(Buffer.from(sealed, 'base64url'));
  }

  isIssued(purpose: string, challenge: string): boolean {
    return this.secretBox.openUntil(challenge, boundTo(purpose), this.clock.now()) !== undefined;
  }

  /** Returns false if any API process has seen it before. Stores a row: call it for a valid signature only. */
  use(challenge: string): Promise<boolean> {
    return useNonce(this.pool, ['passkey', challenge], this.clock.now() + 2 * LIFE_MS);
  }
}

function boundTo(purpose: string): string {
  return `passkey:${purpose}`;
}
