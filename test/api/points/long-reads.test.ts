import assert from 'node:assert/strict';
import { buildSensor } from '../../support/factories';
import { usePlatform, useUser } from '../../support/hooks';

describe('a read that takes too long', () => {
  const platform = usePlatform();
  const user = useUser(platform);

  for (const errno of [1969, 3024]) {
    it(`is refused with what to do about it, when the server says ${errno}`, async () => {
      const sensorId = await buildSensor(user);
      const { reads } = platform.container.database;
      const { query } = reads;
      Object.assign(reads, { query: () => Promise.reject(Object.assign(new Error('over time'), { errno })) });
      const { status, body } = await user.api.get(`/sensors/${sensorId}/data`).finally(() => {
        Object.assign(reads, { query });
      });
      assert.deepEqual([status, body.code], [400, 'too_complex']);
      assert.match(body.error, /ask for less/);
    });
  }
});
