import assert from 'node:assert/strict';
import { RefusedLogins } from '../../../../src/people/accounts/refused-logins';

const ANNA = { kind: 'account', name: 'anna', isKnown: false } as const;

describe('refused logins while Redis is unreachable', () => {
  const ask = () => Promise.reject(new Error('Redis is not connected'));

  it('are reported as "unavailable"', async () => {
    const refusedLogins = new RefusedLogins({ ask }, 'test', 3);
    await assert.rejects(refusedLogins.check(ANNA, '192.0.2.1'), {
      status: 503,
      retryAfterSeconds: 5,
    });
    await assert.rejects(refusedLogins.count(ANNA, '192.0.2.1'), { status: 503 });
  });

  it('do not need Redis when the limit is off', async () => {
    const refusedLogins = new RefusedLogins({ ask }, 'test', 0);
    await refusedLogins.check(ANNA, '192.0.2.1');
    await refusedLogins.count(ANNA, '192.0.2.1');
  });
});
