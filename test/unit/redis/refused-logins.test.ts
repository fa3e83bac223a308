import assert from 'node:assert/strict';
import { RefusedLogins } from '../../../src/redis/refused-logins';

describe('refused logins while Redis is away', () => {
  it('answer "unavailable" after a second instead of waiting', async () => {
    const refusedLogins = new RefusedLogins({ eval: () => new Promise(() => undefined) }, 'test', 3);
    const begun = Date.now();
    await assert.rejects(refusedLogins.check('anna', '192.0.2.1'), { status: 503, retryAfterSeconds: 5 });
    assert.ok(Date.now() - begun < 3_000);
  });

  it('answer "unavailable" when Redis refuses', async () => {
    const refusedLogins = new RefusedLogins({ eval: () => Promise.reject(new Error('LOADING')) }, 'test', 3);
    await assert.rejects(refusedLogins.count('anna', '192.0.2.1'), { status: 503 });
  });

  it('do not need Redis when the limit is off', async () => {
    const refusedLogins = new RefusedLogins({ eval: () => Promise.reject(new Error('away')) }, 'test', 0);
    await refusedLogins.check('anna', '192.0.2.1');
    await refusedLogins.count('anna', '192.0.2.1');
  });
});
