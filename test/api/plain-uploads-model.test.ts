import assert from 'node:assert/strict';
import type { OutgoingHttpHeaders } from 'node:http';
import fc from 'fast-check';
import { registerApplication } from '../support/applications';
import { buildSensor, createKey, share } from '../support/factories';
import { usePlatform, useUser } from '../support/hooks';
import { OAuth2Flow } from '../support/oauth2';
import { plainUploads, sendAndCompare } from '../support/upload-ways';

const RUNS = Number(process.env.UPLOAD_RUNS ?? 250);

/** What stands for the id of a sensor of the user until there is one, and for one that is only shared with them. */
const [OWN, SHARED] = ['@own@', '@shared@'];

const id = fc.constantFrom(OWN, OWN, OWN, OWN, SHARED, '0', '99999999', '007', '9'.repeat(20));
const value = fc.oneof(fc.integer(), fc.double(), fc.string(), fc.boolean(), fc.constant(null), fc.jsonValue());
const date = fc.oneof(
  fc.integer({ min: 0, max: 2_000_000_000 }),
  fc.constantFrom('1.795229544E9', '2.125', '', null, -1, 1e300, 'yesterday', [], {}, true),
);
const point = fc.record({ value, date }, { requiredKeys: [] });
const right = fc.record({
  value: fc.oneof(
    fc.integer(),
    fc.boolean(),
    fc.jsonValue().map((one) => [one]),
  ),
  date: fc.nat(),
});
const points = fc.oneof(
  { weight: 3, arbitrary: fc.oneof(right, fc.array(right, { minLength: 1, maxLength: 5 })) },
  fc.oneof(point, fc.array(point, { maxLength: 5 }), fc.jsonValue()),
);
const upload = fc.oneof(right, point, fc.record({ data: points }), fc.record({ data: points, more: fc.jsonValue() }));
const sensor = fc.record(
  { sensor_id: fc.oneof(fc.constant(OWN), id, fc.jsonValue()), data: points },
  { requiredKeys: ['sensor_id'] },
);
const sensors = fc.record({ sensors: fc.oneof(sensor, fc.array(sensor, { maxLength: 4 }), fc.jsonValue()) });
const extended = fc
  .tuple(upload, fc.constantFrom('_METHOD', 'session_id', 'API_KEY', '__proto__', 'constructor'), fc.jsonValue())
  .map(([body, key, extra]) => `${JSON.stringify(body).slice(0, -1)},${JSON.stringify(key)}:${JSON.stringify(extra)}}`);
const json = fc.oneof(
  { weight: 4, arbitrary: upload.map((body) => JSON.stringify(body)) },
  { weight: 4, arbitrary: sensors.map((body) => JSON.stringify(body)) },
  extended,
  fc.jsonValue().map((body) => JSON.stringify(body)),
);
const text = fc.oneof(
  { weight: 6, arbitrary: json },
  fc.tuple(json, fc.nat()).map(([whole, cut]) => whole.slice(0, cut % (whole.length + 1))),
  fc.tuple(json, fc.constantFrom(' ', '\ufeff', '\n', ' '.repeat(70_000))).map((parts) => parts.reverse().join('')),
  fc.constantFrom('', 'value=5&date=1', 'data[value]=5', '_METHOD=DELETE', '{"data":'.repeat(200), '[0,'.repeat(90)),
  fc.string(),
);
const body = fc.oneof(
  { weight: 8, arbitrary: text.map((one) => ({ text: one, encoding: 'utf8' as const })) },
  text.map((one) => ({ text: one, encoding: 'latin1' as const })),
  text.map((one) => ({ text: one, encoding: 'utf16le' as const })),
);
const type = fc.constantFrom(
  undefined,
  ...Array<string>(6).fill('application/json'),
  'Application/JSON; charset=utf-8',
  'application/json;charset="latin1"',
  'application/json; charset=utf-16le',
  'application/json; charset=nonsense',
  'application/jsonp',
  'application/x-www-form-urlencoded',
  'multipart/form-data; boundary=x',
  'text/plain',
);
const harmless = fc.record(
  {
    Accept: fc.constantFrom('*', 'text/html', ''),
    'Accept-Encoding': fc.constantFrom('gzip', 'br, gzip;q=0.1', 'identity;q=0'),
    Cookie: fc.constantFrom('session_id=x', 'other=1'),
    Connection: fc.constantFrom('close', 'keep-alive'),
    'If-None-Match': fc.constant('*'),
    'Sec-Fetch-Site': fc.constantFrom('cross-site', 'same-origin'),
    'X-HTTP-Method-Override': fc.constant('DELETE'),
    'X-Forwarded-For': fc.constantFrom('192.0.2.1', 'nonsense'),
  },
  { requiredKeys: [] },
);
const unusual = fc.constantFrom<OutgoingHttpHeaders>(
  { 'Content-Encoding': 'identity' },
  { 'Content-Encoding': '' },
  { 'Content-Encoding': 'gzip' },
  { 'Content-Encoding': 'zstd' },
  { Authorization: 'Bearer x' },
  { Authorization: 'Bearer' },
  { Authorization: 'Basic eDp5' },
  { Authorization: '' },
);
const others = fc
  .tuple(harmless, fc.oneof({ weight: 6, arbitrary: fc.constant({}) }, unusual))
  .map(([some, more]): OutgoingHttpHeaders => ({ ...some, ...more }));
const path = fc
  .tuple(
    fc.oneof(
      { weight: 3, arbitrary: id.map((one) => `/sensors/${one}/data`) },
      { weight: 3, arbitrary: fc.constant('/sensors/data') },
      fc.constantFrom('/sensors/x/data', '//sensors//data', `/sensors/${OWN}/data/`, '/sensors/%31/data', '/sensors/'),
    ),
    fc.constantFrom(
      '',
      '',
      '',
      '',
      '',
      '',
      '.json',
      '.json',
      '.json',
      '?',
      '?value=1',
      '?_METHOD=DELETE',
      '.JSON',
      '.csv',
    ),
  )
  .map((parts) => parts.join(''));
const credential = fc.constantFrom(
  ...Array<string>(5).fill('own'),
  ...['unknown', 'short', 'empty', 'none', 'other spelling'],
  ...Array<string>(3).fill('key'),
  ...['OAuth 2', 'limited key', 'other key', 'reading key', 'unknown key', 'key in other letters', 'key and session'],
);

describe('any upload', () => {
  const seed = Number(process.env.UPLOAD_SEED ?? Date.now() % 2 ** 31);
  const platform = usePlatform();
  const user = useUser(platform);
  const friend = useUser(platform);

  const keys = new Map<string, string>();
  const credentialHeaders = (kind: string): OutgoingHttpHeaders => {
    const key = keys.get(kind);
    if (key !== undefined) return { Authorization: `Bearer ${key}` };
    if (kind === 'key in other letters') return { authorization: `bearer  ${keys.get('key')} ` };
    if (kind === 'key and session') return { ...credentialHeaders('key'), ...credentialHeaders('own') };
    if (kind === 'own') return { 'X-SESSION_ID': user.session };
    if (kind === 'other spelling') return { 'x-sessionid': ` ${user.session} ` };
    if (kind === 'none') return {};
    return { 'X-SESSION_ID': kind === 'unknown' ? 'x'.repeat(27) : kind === 'short' ? 'x' : '' };
  };

  it('gets the same response with and without express', async () => {
    console.log(`    UPLOAD_SEED=${seed}`);
    const own = await buildSensor(user);
    const shared = await buildSensor(friend);
    await share(friend, shared, user);
    const [more, scopes] = [await buildSensor(user), ['data:write']];
    keys.set('key', (await createKey(user, { scopes })).secret);
    keys.set('limited key', (await createKey(user, { scopes, sensors: [own, shared] })).secret);
    keys.set('other key', (await createKey(user, { scopes, sensors: [more] })).secret);
    keys.set('reading key', (await createKey(user, { scopes: ['read'] })).secret);
    const flow = new OAuth2Flow(platform, await registerApplication(user));
    keys.set('OAuth 2', (await flow.tokens(user, { scope: 'data:write' })).access_token);
    keys.set('unknown key', `key_${'x'.repeat(43)}`);
    const withIds = (one: string) => one.replaceAll(OWN, own).replaceAll(SHARED, shared);
    const statuses = new Set<number>();
    const isSame = fc.asyncProperty(path, credential, type, others, body, async (at, kind, label, extra, content) => {
      const headers = {
        ...extra,
        ...credentialHeaders(kind),
        ...(label === undefined ? {} : { 'Content-Type': label }),
      };
      const bytes = Buffer.from(withIds(content.text), content.encoding);
      statuses.add((await sendAndCompare(platform.url, withIds(at), { body: bytes, headers })).status);
    });
    await fc.assert(isSame, { seed, numRuns: RUNS });
    for (const status of [201, 400, 401, 403, 404])
      assert.ok(statuses.has(status), `${status} is among ${[...statuses]}`);
    const plain = await plainUploads(platform);
    assert.ok(plain > RUNS / 10 && plain < RUNS, `${plain} of ${RUNS} were plain`);
  });
});
