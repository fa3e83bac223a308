import assert from 'node:assert/strict';
import { buildSensor } from '../../support/factories';
import { usePlatform, useUser } from '../../support/hooks';
import type { TestUser } from '../../support/platform';
import { UPLOAD_WAYS } from '../../support/upload-ways';

const PER_SECOND = 10;
/** What may come at once. */
const BURST = 10 * PER_SECOND;

describe('a limit of points a second', () => {
  const platform = usePlatform({ config: { RATE_LIMIT_POINTS: String(PER_SECOND), RATE_LIMIT_REQUESTS: '5000' } });
  const neighbour = useUser(platform);

  const points = (count: number) =>
    Array.from({ length: count }, (_, index) => ({ value: index, date: 1_700_000_000 + index }));

  const send = async (user: TestUser, path: string, body: unknown, headers: Record<string, string> = {}) => {
    const response = await fetch(`${platform.url}${path}`, {
      method: 'POST',
      headers: { 'X-SESSION_ID': user.session, 'Content-Type': 'application/json', ...headers },
      body: JSON.stringify(body),
    });
    const number = (name: string) => Number(response.headers.get(name) ?? Number.NaN);
    return {
      status: response.status,
      body: (await response.json()) as { code?: string; error?: string }, // of an error
      policy: response.headers.get('RateLimit-Policy'),
      limit: number('RateLimit-Limit'),
      remaining: number('RateLimit-Remaining'),
      reset: number('RateLimit-Reset'),
      retryAfter: number('Retry-After'),
    };
  };
  const stored = async (sensorId: string) =>
    (await platform.query('SELECT COUNT(*) AS count FROM data_points WHERE sensor_id = ?', [sensorId]))[0]?.count;

  for (const { way, headers } of UPLOAD_WAYS) {
    it(`lets an upload of any size pass, and those after it wait until that is paid for: ${way}`, async () => {
      const user = await platform.user();
      const sensorId = await buildSensor(user);
      const path = `/sensors/${sensorId}/data`;
      const some = await send(user, path, { data: points(BURST / 2) }, headers);
      assert.deepEqual([some.status, some.policy, some.limit], [201, `5000;w=60, ${BURST};w=10`, BURST]);
      assert.ok(some.remaining >= BURST / 2 && some.remaining <= BURST, String(some.remaining));
      const many = await send(
        user,
        '/sensors/data',
        { sensors: [{ sensor_id: sensorId, data: points(2_000) }] },
        headers,
      );
      assert.deepEqual([many.status, many.remaining], [201, 0]);
      const refused = await send(user, path, { value: 1 }, headers);
      assert.deepEqual([refused.status, refused.body.code, refused.remaining], [429, 'rate_limited', 0]);
      assert.match(refused.body.error ?? '', /too many data points/);
      assert.ok(refused.retryAfter > 100 && refused.retryAfter <= 200, String(refused.retryAfter));
      assert.equal(refused.reset, refused.retryAfter);
      assert.equal(await stored(sensorId), 2_000);
      assert.equal((await user.api.get(path)).status, 200, 'reading is not limited');
      const other = await send(neighbour, `/sensors/${await buildSensor(neighbour)}/data`, { value: 1 }, headers);
      assert.equal(other.status, 201, 'nobody else waits');
    });
  }
});
