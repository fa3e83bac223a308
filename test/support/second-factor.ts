import assert from 'node:assert/strict';
import { TOTP } from 'otpauth';
import type { TestUser } from './platform';

/** The code that an authenticator app shows. */
export function totpCode(secret: string, ms: number): string {
  return new TOTP({ secret }).generate({ timestamp: ms });
}

/** Sets up an app for a user. Its first code is used up by that. */
export async function setUpTotp(
  { api, password }: Pick<TestUser, 'api' | 'password'>,
  clock: { now(): number },
): Promise<{ secret: string; recoveryCodes: string[] }> {
  const begun = await api.post('/second_factors/totp', { current_password: password });
  assert.equal(begun.status, 200, JSON.stringify(begun.body));
  const confirmed = await api.put('/second_factors/totp', { otp: totpCode(begun.body.secret, clock.now()) });
  assert.equal(confirmed.status, 200, JSON.stringify(confirmed.body));
  return { secret: begun.body.secret, recoveryCodes: confirmed.body.recovery_codes };
}
