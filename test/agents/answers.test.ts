import assert from 'node:assert/strict';
import { createKey } from '../support/factories';
import { useCuttable, usePlatform } from '../support/hooks';
import { readPage, tablesIn } from '../support/markdown';
import type { TestUser } from '../support/platform';
import { sentBody } from '../support/remote-write-bytes';
import { until } from '../support/until';

const ROWS = tablesIn(readPage('docs/ways-in.md')).find(({ heading }) => heading === 'Answers')?.rows ?? [];
/** Number of points that a user has at once. */
const POINTS = 10;
const TOO_LARGE = Buffer.alloc(10 * 2 ** 20 + 1, ' ');

/** How a protocol reports one value of a series. */
interface Protocol {
  /** Its column in the table. */
  column: string;
  path: (key: string) => string;
  /** With the key, unless the path has it. */
  headers: (key: string) => Record<string, string>;
  body?: (series: string, value: number) => string | Promise<Uint8Array>;
  broken?: string;
  /** The path with a key in the address, where others put it into a header. */
  inAddress?: (key: string) => string;
  /** Parameters of a protocol without a body. */
  query?: (series: string, value: number) => string;
}

const JSON_HEADERS = (key: string) => ({ authorization: `Bearer ${key}`, 'content-type': 'application/json' });
const PROTOCOLS: Protocol[] = [
  {
    column: 'influxdb',
    path: () => '/api/v2/write',
    headers: (key) => ({ authorization: `Token ${key}` }),
    inAddress: (key) => `/api/v2/write?p=${key}`,
    body: (series, value) => `${series} value=${value} ${1795687200000 + value}000000`,
    broken: 'broken',
  },
  {
    column: 'the things stack, chirpstack',
    path: () => '/in/ttn/up',
    headers: JSON_HEADERS,
    body: (series, value) => {
      const ids = { device_id: series, application_ids: { application_id: 'house' } };
      return JSON.stringify({ end_device_ids: ids, uplink_message: { decoded_payload: { value } } });
    },
    broken: '{"uplink_message":{}}',
  },
  {
    column: 'the things stack, chirpstack',
    path: () => '/in/chirpstack?event=up',
    headers: JSON_HEADERS,
    body: (series, value) =>
      JSON.stringify({ deviceInfo: { devEui: Buffer.from(series.padEnd(8)).toString('hex') }, object: { value } }),
    broken: '{"deviceInfo":',
  },
  {
    column: 'ecowitt',
    path: (key) => `/in/ecowitt/${key}/`,
    headers: () => ({ 'content-type': 'application/x-www-form-urlencoded' }),
    body: (series, value) => `PASSKEY=${series}&tempf=${value}`,
    broken: 'tempf=70',
  },
  {
    column: 'weather underground',
    path: (key) => `/weatherstation/updateweatherstation.php?PASSWORD=${key}`,
    headers: () => ({}),
    query: (series, value) => `&ID=${series}&tempf=${value}`,
  },
  {
    column: 'prometheus',
    path: () => '/api/v1/write',
    headers: (key) => ({
      authorization: `Bearer ${key}`,
      'content-type': 'application/x-protobuf',
      'content-encoding': 'snappy',
    }),
    body: (series, value) =>
      sentBody([{ labels: { __name__: series }, samples: [{ value, timestamp: 1795687200000 + value }] }]),
    broken: 'broken',
  },
];

describe('the table of answers in docs/ways-in.md', () => {
  const mysql = useCuttable('MYSQL_URL');
  const platform = usePlatform(() => ({
    config: { MYSQL_URL: mysql.url, RATE_LIMIT_POINTS: String(POINTS / 10) },
  }));

  for (const protocol of PROTOCOLS) {
    describe(`for ${protocol.path('key')}`, () => {
      let user: TestUser;
      let next = 0;
      beforeEach(async () => {
        user = await platform.user();
      });

      const keyWith = async (fields: object = {}) =>
        (await createKey(user, { scopes: ['data:write', 'sensors:create'], ...fields })).secret;
      const send = async (key: string, more: string, body?: string | Uint8Array) => {
        const response = await fetch(`${platform.url}${protocol.path(key)}${more}`, {
          method: protocol.query ? 'GET' : 'POST',
          headers: protocol.headers(key),
          ...(body !== undefined && { body: new Uint8Array(Buffer.from(body)) }),
        });
        await response.text();
        return response;
      };
      const report = async (key: string, series = 'a') => {
        next += 1;
        return send(key, protocol.query?.(series, next) ?? '', await protocol.body?.(series, next));
      };
      /** The status that the table has in the row whose situation begins so. */
      const shown = (situation: string) => {
        const row = ROWS.find((one) => one.situation?.startsWith(situation)) ?? assert.fail(situation);
        return Number(row[protocol.column]);
      };

      it('is right about what is stored and what can never be read', async () => {
        const key = await keyWith();
        assert.equal((await report(key)).status, shown('all points'));
        const broken = await send(key, protocol.query ? '&tempf=70' : '', protocol.broken);
        assert.equal(broken.status, shown('a part can never be read'));
        if (!protocol.query) assert.equal((await send(key, '', TOO_LARGE)).status, shown('more than 10 MB'));
      });

      it('is right about keys', async () => {
        const situations: [string, string][] = [
          ['a new series, and the key lacks', await keyWith({ scopes: ['data:write'] })],
          ['the key has ended', 'key_of_nobody'],
          ['the key lacks', await keyWith({ scopes: ['sensors:create'] })],
        ];
        for (const [situation, key] of situations)
          assert.equal((await report(key)).status, shown(situation), situation);
        const mayDoMore = await keyWith({ scopes: ['write'] });
        const exposed = shown('a key in an address') || shown('all points');
        if (!protocol.inAddress) return assert.equal((await report(mayDoMore)).status, exposed);
        assert.equal((await report(mayDoMore)).status, shown('all points'));
        const init = { method: 'POST', body: String(await protocol.body?.('a', 1)) };
        assert.equal((await fetch(platform.url + protocol.inAddress(mayDoMore), init)).status, exposed);
      });

      it('is right about limits', async () => {
        const key = await keyWith({ create_limit: 1 });
        await report(key);
        assert.equal((await report(key, 'b')).status, shown('more new series'));
        let answer = await report(key);
        for (let count = 0; count < POINTS && answer.ok; count += 1) answer = await report(key);
        assert.equal(answer.status, shown('`RATE_LIMIT_POINTS`'));
        assert.ok(Number(answer.headers.get('retry-after')) > 0);
      });

      it('is right about a MySQL that is away', async () => {
        const key = await keyWith();
        await mysql.cut();
        const answer = await report(key).finally(() => mysql.restore());
        assert.equal(answer.status, shown('MySQL is away'));
        assert.ok(Number(answer.headers.get('retry-after')) > 0);
        await until('MySQL is back', async () => (await report(key)).ok);
      });
    });
  }
});
