import assert from 'node:assert/strict';
import fc from 'fast-check';
import { hiderFor } from '../../../../../src/notifications/delivery/channels/hidden-values';
import { finish } from '../../../../../src/platform/steps';
import { outgoing } from '../../../../support/channel-suite';

const NONE = {
  method: 'POST',
  headers: {},
  secrets: {},
  contentType: null,
  body: null,
  caCertificate: null,
  success: null,
} as const;
const KEPT = 2_048;

describe('the hidden values of a delivery', () => {
  const hiding = (request: { headers?: Record<string, string>; secrets?: Record<string, string> }) => {
    const hide = finish(hiderFor(outgoing({ request: { ...NONE, ...request } })));
    return (text: string, isCut = false) => finish(hide(text, KEPT, isCut));
  };
  const WRITTEN: [string, (secret: string) => string][] = [
    ['as it is', (secret) => secret],
    ['in a URL', encodeURIComponent],
    ['in a form', (secret) => new URLSearchParams({ '': secret }).toString().slice(1)],
    ['in JSON', (secret) => JSON.stringify(secret).slice(1, -1)],
    ['in JSON with escaped slashes', (secret) => JSON.stringify(secret).slice(1, -1).replaceAll('/', '\\/')],
  ];
  /** The ways in which a secret is given, each with a text that a receiver may repeat. */
  const GIVEN: [string, (secret: string) => Parameters<typeof hiding>[0], (secret: string) => string][] = [
    ['a secret', (token) => ({ secrets: { token } }), (token) => token],
    ['a header', (key) => ({ headers: { 'X-Key': key } }), (key) => key],
    ['a bearer', (key) => ({ headers: { Authorization: `Bearer ${key}` } }), (key) => key],
    ['a parameter', (key) => ({ headers: { Authorization: `Token a="b", token="${key}"` } }), (key) => key],
    ['a password', (key) => ({ headers: { Authorization: `Basic ${base64(`ada:${key}`)}` } }), (key) => key],
    [
      'credentials',
      (key) => ({ headers: { Authorization: `Basic ${base64(`ada:${key}`)}` } }),
      (key) => base64(`ada:${key}`),
    ],
  ];
  const base64 = (text: string) => Buffer.from(text).toString('base64');
  const unit = fc.constantFrom(...'have', ...'AEZ0123456789-_.~+/:!$%&@#');
  const secrets = fc.string({ unit, minLength: 8, maxLength: 300 });
  const context = fc.string({ unit: fc.constantFrom('ä', '(', ')', ' ', '\n'), maxLength: 40 });

  for (const [what, request, repeated] of GIVEN) {
    for (const [how, write] of WRITTEN) {
      it(`hide ${what} ${how}, anywhere, and nothing else`, () => {
        fc.assert(
          fc.property(secrets, context, context, (secret, before, after) => {
            const shown = hiding(request(secret))(`${before}${write(repeated(secret))}${after}`);
            assert.equal(shown, `${before}…${after}`);
          }),
          { numRuns: 60 },
        );
      });
    }
  }

  it('hide a secret across the end of what is kept, and its beginning where a text is cut', () => {
    fc.assert(
      fc.property(secrets, fc.integer({ min: 0, max: 8 }), (token, room) => {
        const hide = hiding({ secrets: { token } });
        const kept = hide(`${'('.repeat(KEPT - room)}${token}${')'.repeat(9_000)}`).slice(0, KEPT);
        assert.equal(kept.replace(/^\(+/, '').replace(/\)+$/, ''), room === 0 ? '' : '…');
        assert.equal(hide(`((${token.slice(0, -1)}`, true), '((…');
      }),
    );
  });

  it('hide the whole text if they are too many or too long to look for', () => {
    const many = Object.fromEntries(
      Array.from({ length: 10 }, (_, index) => [`X-${index}`, `a=${'value'} ${'b'.repeat(9)}${index}=c`]),
    );
    const cookies = Array.from({ length: 41 }, (_, index) => `c${index}=value${index}`).join('; ');
    const long = Object.fromEntries(Array.from({ length: 10 }, (_, index) => [`s${index}`, `${index}`.repeat(4_000)]));
    for (const request of [{ headers: { ...many, Cookie: cookies } }, { secrets: mapped(long) }]) {
      assert.deepEqual([hiding(request)('any text'), hiding(request)('')], ['…', '']);
    }
  });
  const mapped = (values: Record<string, string>) =>
    Object.fromEntries(Object.entries(values).map(([name, value]) => [name, value.replace(/./g, '$&&/')]));
});
