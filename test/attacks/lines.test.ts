import assert from 'node:assert/strict';
import { gzipSync } from 'node:zlib';
import { createKey } from '../support/factories';
import { flood } from '../support/flood';
import { useBystander, useStandingPlatform } from '../support/hooks';

const BODY_BYTES = 10 * 1024 * 1024;
/** The names of one request. */
const LEAST_NAMES = 1_000;
const DATE = 1_795_229_544_125;

describe('an attack by lines of InfluxDB', function () {
  this.timeout(300_000);
  const platform = useStandingPlatform();
  const bystander = useBystander(platform);

  const attacker = async (fields: object = {}) => {
    const user = await platform.user();
    const { secret } = await createKey(user, { scopes: ['data:write', 'sensors:create'], ...fields });
    const attack = { url: `${platform.url}/api/v2/write`, headers: { Authorization: `Token ${secret}` } };
    const count = async (table: 'series' | 'sensors') => {
      const [rows] = await platform.pool.query(`SELECT COUNT(*) AS total FROM ${table} WHERE owner_id = ?`, [user.id]);
      return Number(Reflect.get(Object(Reflect.get(rows, 0)), 'total'));
    };
    return { user, attack, made: async () => [await count('series'), await count('sensors')] };
  };
  /** 100,000 names in all, which several requests report at the same moment. */
  const newNames = Array.from({ length: 100 }, (_, body) =>
    Array.from({ length: 1_000 }, (_, line) => `flood,room=r${line},of=${body} value=1 ${DATE}000000`).join('\n'),
  );

  for (const limit of [1_000, 100_000]) {
    it(`that report 100,000 new names with a limit of ${limit} harms no other user`, async () => {
      const { attack, made } = await attacker({ create_limit: limit });
      let statuses: Record<string, number> = {};
      const seen = await bystander.during(async () => {
        statuses = await flood({ ...attack, bodies: newNames, count: 200, atOnce: 32, giveUpMs: 120_000 });
      });
      console.log(`      ${JSON.stringify(statuses)} ${JSON.stringify(seen)} ${await made()}`);
      const unexpected = Object.keys(statuses).filter((status) => !['204', '403', '429', '503'].includes(status));
      assert.deepEqual(unexpected, []);
      const [series, sensors] = await made();
      assert.ok(series !== undefined && series <= limit && series === sensors, `${series} series, ${sensors} sensors`);
      // Otherwise the platform has refused all of it, and was never attacked.
      assert.ok(series >= Math.min(limit, LEAST_NAMES), `only ${series} names were made: ${JSON.stringify(statuses)}`);
    });
  }

  it('that are made to be slow to read harms no other user', async () => {
    const { attack } = await attacker();
    const filled = (pattern: string, start = '') =>
      start + pattern.repeat((BODY_BYTES - start.length) / pattern.length);
    const bodies = [
      ...[filled('"a b="\n'), filled('x",d=1 c="\n'), filled('a b="\n'), filled('\\"', 'm v="'), filled('a=1,', 'm ')],
      ...[filled('1', 'm v='), filled('a=b,', 'm,'), filled('\n'), filled('a\n'), filled('a a=1\n')],
    ];
    let statuses: Record<string, number> = {};
    const seen = await bystander.during(async () => {
      statuses = await flood({ ...attack, bodies, count: 40, atOnce: 3, giveUpMs: 120_000 });
    });
    console.log(`      ${JSON.stringify(statuses)} ${JSON.stringify(seen)}`);
    const unexpected = Object.keys(statuses).filter((status) => !['204', '400', '413', '429', '503'].includes(status));
    assert.deepEqual(unexpected, []);
  });

  it('that come compressed, 10 MB each, over 64 connections harms no other user', async () => {
    const { attack } = await attacker();
    const bodies = Array.from({ length: 4 }, (_, body) => gzipSync(manyPoints(body)));
    const headers = { ...attack.headers, 'Content-Encoding': 'gzip' };
    let statuses: Record<string, number> = {};
    const seen = await bystander.during(async () => {
      statuses = await flood({ ...attack, headers, bodies, count: 64, atOnce: 64, giveUpMs: 120_000 });
    });
    console.log(`      ${JSON.stringify(statuses)} ${JSON.stringify(seen)}`);
    const unexpected = Object.keys(statuses).filter((status) => !['204', '413', '429', '503'].includes(status));
    assert.deepEqual(unexpected, []);
  });
});

/** Nearly 10 MB in 90,000 lines of 250 series. */
function manyPoints(body: number): string {
  const lines = Array.from({ length: 90_000 }, (_, index) => {
    const fields = `a=${Math.random()},b=${Math.random()},note="${index}"`;
    return `meter,of=${body},unit=u${index % 250} ${fields} ${DATE + Math.floor(index / 250)}${100_000 + index}`;
  });
  return lines.join('\n').slice(0, BODY_BYTES);
}
