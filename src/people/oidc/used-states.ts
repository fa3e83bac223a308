import type { Pool } from 'mysql2/promise';
import type { Clock } from '../../platform/clock';
import { useNonce } from '../oauth/oauth1-nonces';

export class UsedStates {
  constructor(
    private readonly pool: Pool,
    private readonly clock: Clock,
  ) {}

  /** Returns false if any API process has seen the state. Stored for twice its life. */
  use(state: string, lifeMs: number): Promise<boolean> {
    return useNonce(this.pool, ['oidc', state], this.clock.now() + 2 * lifeMs);
  }
}
