import assert from 'node:assert/strict';
import { get } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { buildSensor, createKey, upload } from '../support/factories';
import { useBystander, useStandingPlatform, useUser } from '../support/hooks';
import { until } from '../support/until';

const VALUE_BYTES = 60_000;
const POINTS = 700;
/** Longer than a look at the access counts. */
const PAUSE_MS = 4_000;

describe('an export whose reader pauses until the access has ended', function () {
  this.timeout(300_000);
  const platform = useStandingPlatform();
  const bystander = useBystander(platform);
  const owner = useUser(platform);
  const other = useUser(platform);
  let sensorId: string;

  before(async () => {
    sensorId = await buildSensor(owner, { data_type: 'string' });
    await platform.pool.query(
      `INSERT INTO data_points (sensor_id, date_ms, value, delay_s)
       SELECT ?, seq * 1000, REPEAT('x', ?), 1 FROM (WITH RECURSIVE n AS (SELECT 1 AS seq UNION ALL SELECT seq + 1 FROM n WHERE seq < ?) SELECT seq FROM n) n`,
      [sensorId, VALUE_BYTES, POINTS],
    );
  });
  const share = () => owner.api.post(`/sensors/${sensorId}/users`, { user: { id: other.id } });

  /** Reads some of an export, waits while `end` happens, and reads on. What was read, and whether it ended as if it were whole. */
  async function readAround(headers: Record<string, string>, end: () => Promise<unknown>) {
    let text = '';
    let ending: 'whole' | 'broken' | undefined;
    const request = get(`${platform.url}/sensors/${sensorId}/data.ndjson`, { headers }, (response) => {
      response.on('data', (chunk) => {
        text += chunk;
        if (text.length > 2_000_000 && ending === undefined) response.pause();
      });
      response.once('end', () => {
        ending = 'whole';
      });
      response.once('error', () => {
        ending = 'broken';
      });
      resume = () =>
        response
          .removeAllListeners('data')
          .on('data', (chunk) => (text += chunk))
          .resume();
    });
    let resume = () => {};
    request.once('error', () => {
      ending = 'broken';
    });
    await until('some of it has come', () => text.length > 2_000_000);
    await end();
    await upload(owner, sensorId, { value: 'after', date: 1_700_000_000 });
    await sleep(PAUSE_MS);
    resume();
    await until('it is over', () => ending !== undefined);
    return { lines: text.split('\n').length, hasLater: text.includes('"after"'), ending };
  }

  it('breaks off after the share, the key or the session has ended, and never has what was uploaded later', async () => {
    await share();
    const key = await createKey(other, { name: 'reader', scopes: ['read'] });
    const ways: { headers: Record<string, string>; end: () => Promise<unknown> }[] = [
      {
        headers: { 'X-SESSION_ID': other.session },
        end: () => owner.api.delete(`/sensors/${sensorId}/users/${other.id}`),
      },
      { headers: { Authorization: `Bearer ${key.secret}` }, end: () => other.api.delete(`/keys/${key.id}`) },
      { headers: { 'X-SESSION_ID': other.session }, end: () => other.api.post('/logout', {}) },
    ];
    await bystander.during(async () => {
      for (const { headers, end } of ways) {
        await share();
        const { lines, hasLater, ending } = await readAround(headers, end);
        assert.deepEqual({ hasLater, ending }, { hasLater: false, ending: 'broken' });
        assert.ok(lines < POINTS, `${lines} lines of ${POINTS}`);
      }
    });
  });

  it('goes on to its end for who may still read, without what was uploaded later', async () => {
    await platform.pool.query('DELETE FROM data_points WHERE sensor_id = ? AND date_ms > 1600000000000', [sensorId]);
    const { lines, hasLater, ending } = await readAround({ 'X-SESSION_ID': owner.session }, async () => undefined);
    assert.deepEqual({ lines, hasLater, ending }, { lines: POINTS + 1, hasLater: false, ending: 'whole' });
  });
});
