import assert from 'node:assert/strict';
import { createKey } from './factories';
import type { Platform, TestUser } from './platform';

/** Writes lines of InfluxDB as an agent does; returns the ids of all sensors of the user's series, by their outside names. */
export async function writeLines(
  platform: Platform,
  user: TestUser,
  lines: readonly string[],
  precision = 'ns',
): Promise<Map<string, string>> {
  const { id, secret } = await createKey(user, { scopes: ['data:write', 'sensors:create'] });
  const headers = { authorization: `Token ${secret}` };
  const url = `${platform.url}/api/v2/write?precision=${precision}`;
  const { status } = await fetch(url, { method: 'POST', headers, body: lines.join('\n') });
  assert.equal(status, 204);
  await user.api.delete(`/keys/${id}`);
  const { series } = (await user.api.get('/series')).body;
  return new Map(series.map(({ name, sensor_id }: { name: string; sensor_id: string }) => [name, sensor_id]));
}
