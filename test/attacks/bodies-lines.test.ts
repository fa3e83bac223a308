import assert from 'node:assert/strict';
import { buildSensor, createKey } from '../support/factories';
import { flood } from '../support/flood';
import { useBystander, useStandingPlatform, useUser } from '../support/hooks';

const BODY_BYTES = 10 * 1024 * 1024;
const NOT_UTF8 = Buffer.from([0xff]);
const ROUNDS = 2;
const AT_ONCE = 3;

const filled = (pattern: string, start = '', end = '') =>
  start + pattern.repeat((BODY_BYTES - start.length - end.length) / pattern.length) + end;
const broken = (text: string) => Buffer.concat([Buffer.from(text).subarray(0, BODY_BYTES - 1), NOT_UTF8]);

/** Single lines, as long as a body may be, or as many as a body may have. */
const LINES: Readonly<Record<string, (string | Buffer)[]>> = {
  'the line protocol': [
    ...[filled('1', 'm v=1 '), filled('a'), filled('\\ ', 'm,a='), filled('a=b,', 'm,'), filled(' ', 'm v=1')],
    ...[filled('\n', 'm v="'), filled('a=1', 'm v="\n",'), broken(filled('\n')), broken(filled('é\n'))],
  ],
  'text/csv': [
    ...[filled('""', '"'), filled('""', 'value\n"'), filled('a'), filled('a,'), filled('\n', 'value\n')],
    ...[filled(',,,,\n', 'value\n'), broken(filled('\n')), broken(filled('value\n'))],
  ],
  'application/x-ndjson': [
    `{"value":[${Array.from({ length: 12 }, () => `[${'1.123456789012345678,'.repeat(40_000)}1]`).join()}]}`,
    ...[filled('\\u0041', '{"value":"', '"}'), filled(' ', '{"value":1', '}'), filled('\n', '{"value":1}')],
    broken(filled('{}\n')),
  ],
  'application/x-www-form-urlencoded': [filled('%41', 'value=%ff'), filled('%e9a', 'value='), broken(filled('&\n'))],
};
const LATIN = 'application/x-www-form-urlencoded; charset=windows-1252';

describe('an attack by lines of 10 MB', function () {
  this.timeout(300_000);
  const platform = useStandingPlatform();
  const bystander = useBystander(platform);
  const attacker = useUser(platform);

  const requestOf = async (type: string): Promise<{ url: string; headers: Record<string, string> }> => {
    if (type !== 'the line protocol') {
      const url = `${platform.url}/sensors/${await buildSensor(attacker)}/data`;
      return { url, headers: { 'X-SESSION_ID': attacker.session, 'Content-Type': type } };
    }
    const { secret } = await createKey(attacker, { scopes: ['data:write', 'sensors:create'] });
    return { url: `${platform.url}/api/v2/write`, headers: { Authorization: `Token ${secret}` } };
  };
  const harmsNobody = async (type: string, bodies: (string | Buffer)[]) => {
    const { url, headers } = await requestOf(type);
    const count = ROUNDS * bodies.length;
    let statuses: Record<string, number> = {};
    const seen = await bystander.during(async () => {
      statuses = await flood({ url, headers, bodies, count, atOnce: AT_ONCE });
    });
    console.log(`      ${JSON.stringify(statuses)} ${JSON.stringify(seen)}`);
    const unexpected = Object.keys(statuses).filter((status) => !['204', '400', '413', '429'].includes(status));
    assert.deepEqual(unexpected, []);
    assert.ok(Number(statuses['400']) > 0, 'some are refused for what they are');
  };

  for (const [type, bodies] of Object.entries(LINES)) {
    it(`in ${type} harms no other user`, () => harmsNobody(type, bodies));
  }

  it('in a form of windows-1252 harms no other user', () =>
    harmsNobody(LATIN, [filled('%e9a', 'value='), filled('%e9')]));
});
