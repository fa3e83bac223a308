import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import fc from 'fast-check';
import OAuth from 'oauth-1.0a';
import { readProtocolParameters } from '../../../../../src/people/oauth/oauth1/protocol-parameters';
import { isSigned, type SignatureMethod } from '../../../../../src/people/oauth/oauth1/signature';
import {
  type ArrivedRequest,
  collectParameters,
  isOAuth1,
  signedCandidates,
} from '../../../../../src/people/oauth/oauth1/signed-request';
import {
  formatAuthorizationHeader,
  parseAuthorizationHeader,
} from '../../../../../src/platform/oauth1/authorization-header';
import {
  normalizeParameters,
  parseParameters,
  percentEncode,
  writeForm,
} from '../../../../../src/platform/oauth1/parameters';

const HASHES = { 'HMAC-SHA1': 'sha1', 'HMAC-SHA256': 'sha256' } as const;
const secrets = { consumer: 'consumer-secret', token: 'token-secret' };
const NOW_MS = Date.now();

const arrived = ({
  path = '/sensors',
  hosts = ['api.example.org'],
  ...fields
}: Partial<ArrivedRequest> & { path?: string; hosts?: readonly string[] } = {}): ArrivedRequest => ({
  method: 'GET',
  query: '',
  header: undefined,
  form: undefined,
  places: hosts.map((host) => ({ host, path })),
  ...fields,
});

function isRight(request: ArrivedRequest, signedBy = secrets): boolean {
  const collected = collectParameters(request);
  const read = collected && readProtocolParameters(collected.all, Date.now());
  if (!collected || !read?.ok) return false;
  return isSigned(signedCandidates(request, collected), read.value.signature, read.value.signatureMethod, signedBy);
}

/** What the independent client library says about a request. */
function clientSays(
  method: string,
  url: string,
  { data, by = 'HMAC-SHA1' }: { data?: Record<string, string | string[]>; by?: SignatureMethod } = {},
) {
  const client = new OAuth({
    consumer: { key: 'the-key', secret: secrets.consumer },
    signature_method: by,
    hash_function: (text, key) => createHmac(HASHES[by], key).update(text).digest('base64'),
  });
  const authorization = client.authorize({ method, url, data }, { key: 'the-token', secret: secrets.token });
  return { client, authorization };
}

describe('a signed request', () => {
  const name = fc.string({ minLength: 1, maxLength: 8, unit: 'grapheme' }).filter((text) => !text.startsWith('oauth_'));
  const parameters = fc.array(fc.tuple(name, fc.string({ maxLength: 8, unit: 'grapheme' })), { maxLength: 8 });

  it('is taken as an independent client signs it: a header, with a query and a form, by both methods', () => {
    // The client library does not decode the names in a query.
    const plainName = fc.string({ minLength: 1, maxLength: 8, unit: fc.constantFrom(...'abcXYZ019-._~') });
    const query = fc.uniqueArray(fc.tuple(plainName, fc.string()), { selector: ([key]) => key, maxLength: 4 });
    const form = fc.uniqueArray(fc.tuple(name, fc.string()), { selector: ([key]) => key, maxLength: 4 });
    const method = fc.constantFrom('HMAC-SHA1' as const, 'HMAC-SHA256' as const);
    fc.assert(
      fc.property(query, form, method, (inQuery, inForm, by) => {
        const search = writeForm(inQuery);
        const url = `https://api.example.org/sensors/5.json${search && `?${search}`}`;
        const names = new Set(inQuery.map(([key]) => key));
        const data = Object.fromEntries(inForm.filter(([key]) => !names.has(key)));
        const { client, authorization } = clientSays('POST', url, { by, data: { ...data } }); // it adds the query to it
        const header = client.toHeader(authorization).Authorization;
        const body = writeForm(Object.entries(data));
        const place = { host: 'api.example.org', path: '/sensors/5.json' };
        const request = arrived({ method: 'POST', query: search, header, form: body, places: [place] });
        assert.ok(isRight(request));
        assert.ok(!isRight({ ...request, places: [{ ...place, path: '/sensors/6.json' }] }));
        assert.ok(!isRight({ ...request, method: 'DELETE' }));
        assert.ok(!isRight({ ...request, places: [{ ...place, host: 'evil.example.org' }] }));
        assert.ok(!isRight({ ...request, query: `${search}&more=1` }));
        assert.ok(!isRight({ ...request, form: `${body}&more=1` }));
        assert.ok(!isRight(request, { ...secrets, token: 'another' }));
        assert.ok(!isRight(request, { ...secrets, consumer: 'another' }));
      }),
    );
  });

  it('is taken with all parameters in the query, and with all of them in a form', () => {
    const data = { value: '5 °C & more', 'sensor[name]': 'x' };
    const { authorization } = clientSays('POST', 'http://api.example.org/sensors', { data });
    const all = writeForm(Object.entries({ ...authorization, ...data }).map(([key, value]) => [key, String(value)]));
    assert.ok(isRight(arrived({ method: 'POST', query: all })));
    assert.ok(isRight(arrived({ method: 'POST', form: all })));
    assert.ok(isRight(arrived({ method: 'POST', form: all.replaceAll('%20', '+') })));
    assert.ok(!isRight(arrived({ method: 'POST', form: all.replace('value=5', 'value=6') })));
    assert.ok(!isRight(arrived({ method: 'POST', form: all, query: 'a=1' })));
  });

  it('is about a form, and not about JSON, even when that is labelled as a form', () => {
    const url = 'http://api.example.org/sensors';
    const { client, authorization } = clientSays('POST', url);
    const header = client.toHeader(authorization).Authorization;
    assert.ok(isRight(arrived({ method: 'POST', header })));
    assert.ok(isRight(arrived({ method: 'POST', header, form: '{"a":"b=c&oauth_token=x"}' })));
    assert.ok(!isRight(arrived({ method: 'POST', header, form: 'a=b' })));
    const json = '{"sensor":{"name":"a&b=c"}}';
    const data = Object.fromEntries(parseParameters(json)) as Record<string, string>;
    const whole = clientSays('POST', url, { data });
    const signed = Object.entries(whole.authorization).filter(([key]) => key.startsWith('oauth_'));
    const signedHeader = formatAuthorizationHeader(signed.map(([key, value]) => [key, String(value)]));
    assert.ok(isRight(arrived({ method: 'POST', header: signedHeader, form: json })));
  });

  it('is taken with either scheme, and with any of the hosts', () => {
    for (const [url, hosts] of [
      ['http://api.example.org/sensors', ['api.example.org']],
      ['https://api.example.org/sensors', ['api.example.org']],
      ['http://localhost:8080/sensors', ['localhost:8080']],
      ['https://api.example.org/sensors', ['10.0.0.1:8080', 'api.example.org']],
    ] as const) {
      const { client, authorization } = clientSays('GET', url);
      assert.ok(isRight(arrived({ hosts, header: client.toHeader(authorization).Authorization })), url);
    }
  });

  it('is recognized by its header or its parameters', () => {
    assert.ok(isOAuth1(arrived({ header: 'OAuth oauth_token="x"' })));
    assert.ok(isOAuth1(arrived({ header: 'oauth' })));
    assert.ok(isOAuth1(arrived({ query: 'oauth%5Fsignature=x' })));
    assert.ok(isOAuth1(arrived({ form: 'a=b&oauth_consumer_key=x' })));
    assert.ok(!isOAuth1(arrived({ header: 'Bearer x', query: 'oauth_token=x', form: 'a=oauth_signature' })));
    assert.ok(!isOAuth1(arrived({ form: '{"a":"&oauth_signature=x"}' })));
  });

  it('has the same normalized parameters in whatever order they come', () => {
    fc.assert(
      fc.property(parameters, (list) => {
        const text = normalizeParameters(list);
        assert.equal(normalizeParameters([...list].reverse()), text);
        const again = parseParameters(text).map(([key, value]) => [key, value] as const);
        assert.equal(normalizeParameters(again), text);
        assert.match(text, /^[\w.~%&=-]*$/);
      }),
    );
  });

  it('has a header that is read as it was written', () => {
    fc.assert(
      fc.property(parameters, (list) => {
        const usable = list.filter(([key]) => key.toLowerCase() !== 'realm');
        assert.deepEqual(parseAuthorizationHeader(formatAuthorizationHeader(usable)), usable);
      }),
    );
    fc.assert(fc.property(fc.string(), (text) => void parseAuthorizationHeader(`OAuth ${text}`)));
    assert.equal(parseAuthorizationHeader('OAuth oauth_token="half'), null);
    assert.equal(parseAuthorizationHeader('Basic eDp5'), undefined);
    assert.equal(parseAuthorizationHeader('OAuthful x="y"'), undefined);
  });

  it('is encoded so that it can be decoded', () => {
    fc.assert(fc.property(fc.string({ unit: 'grapheme' }), (text) => decodeURIComponent(percentEncode(text)) === text));
    assert.equal(percentEncode('\ud800'), '%EF%BF%BD');
  });
});

describe('the parameters of the protocol', () => {
  const right = {
    oauth_consumer_key: 'k',
    oauth_signature_method: 'HMAC-SHA1',
    oauth_signature: 's',
    oauth_timestamp: String(Math.floor(NOW_MS / 1000)),
    oauth_nonce: 'n',
  };
  const read = (fields: Record<string, string>, more: [string, string][] = []) =>
    readProtocolParameters([...Object.entries({ ...right, ...fields }), ...more], NOW_MS);
  const problemOf = (...given: Parameters<typeof read>) => {
    const result = read(...given);
    return result.ok ? undefined : [result.problem.name, ...(result.problem.more ?? []).flat()];
  };

  it('are complete without a version, and with 1.0', () => {
    assert.equal(problemOf({}), undefined);
    assert.equal(problemOf({ oauth_version: '1.0' }), undefined);
    assert.deepEqual(problemOf({ oauth_version: '2.0' }), ['version_rejected', 'oauth_acceptable_versions', '1.0-1.0']);
  });

  it('are refused with what is missing', () => {
    const { oauth_nonce: _, ...some } = right;
    const result = readProtocolParameters(Object.entries({ ...some, oauth_signature: '' }), NOW_MS);
    assert.ok(!result.ok);
    assert.deepEqual(result.problem.more, [['oauth_parameters_absent', 'oauth_signature&oauth_nonce']]);
  });

  it('are refused when one of them is there twice, or too long', () => {
    assert.deepEqual(problemOf({}, [['oauth_nonce', 'm']])?.[0], 'parameter_rejected');
    assert.deepEqual(problemOf({ oauth_nonce: 'n'.repeat(1_001) })?.[0], 'parameter_rejected');
  });

  it('must name HMAC-SHA1 or HMAC-SHA256', () => {
    assert.equal(problemOf({ oauth_signature_method: 'hmac-sha256' }), undefined);
    for (const method of ['PLAINTEXT', 'RSA-SHA1', 'toString', '__proto__']) {
      assert.deepEqual(problemOf({ oauth_signature_method: method }), ['signature_method_rejected'], method);
    }
  });

  it('must be of the last and next five minutes', () => {
    const at = (seconds: number) => problemOf({ oauth_timestamp: String(Math.floor(NOW_MS / 1000) + seconds) })?.[0];
    assert.deepEqual([at(-300), at(300)], [undefined, undefined]);
    assert.deepEqual([at(-301), at(301)], ['timestamp_refused', 'timestamp_refused']);
    for (const text of ['soon', '-5', '1e9', '12345678901234567890', ' ']) {
      assert.deepEqual(problemOf({ oauth_timestamp: text })?.[0], 'timestamp_refused', text);
    }
  });
});
