import { createHash } from 'node:crypto';
import type { Pool, ResultSetHeader } from 'mysql2/promise';
import type { Clock } from '../../platform/clock';
import { CLOCK_TOLERANCE_SECONDS, type ProtocolParameters } from './oauth1/protocol-parameters';

export class OAuth1Nonces {
  constructor(
    private readonly pool: Pool,
    private readonly clock: Clock,
  ) {}

  /**
   * Counts per application, token and timestamp. Returns false if any API process has seen the nonce. Stored as long as
   * the timestamp is accepted, with a margin for clocks.
   */
  use({ consumerKey, token = '', timestamp, nonce }: ProtocolParameters): Promise<boolean> {
    const expiresMs = this.clock.now() + 3 * CLOCK_TOLERANCE_SECONDS * 1000;
    return useNonce(this.pool, [consumerKey, token, timestamp, nonce], expiresMs);
  }
}

/** Returns false if any process has used the parts before. */
export async function useNonce(pool: Pool, parts: readonly unknown[], expiresMs: number): Promise<boolean> {
  const hash = createHash('sha256').update(JSON.stringify(parts)).digest('hex');
  const sql = 'INSERT IGNORE INTO oauth1_nonces (nonce_hash, expires_ms) VALUES (?, ?)';
  const [result] = await pool.query<ResultSetHeader>(sql, [hash, expiresMs]);
  return result.affectedRows > 0;
}
