import assert from 'node:assert/strict';
import { baseString, baseStringUri, sign } from '../../../../../src/people/oauth/oauth1/signature';
import { collectParameters, signedCandidates } from '../../../../../src/people/oauth/oauth1/signed-request';
import {
  formatAuthorizationHeader,
  parseAuthorizationHeader,
} from '../../../../../src/platform/oauth1/authorization-header';
import { normalizeParameters, parseParameters, percentEncode } from '../../../../../src/platform/oauth1/parameters';

/** The lines of an example in the RFC, which are one. */
const joined = (...lines: string[]) => lines.join('');

/** The signature that a request with this header has by its own base string. */
function signatureOf(
  method: string,
  url: string,
  header: string,
  secrets: { consumer: string; token: string },
  form?: string,
): string {
  const { protocol, host, pathname, search } = new URL(url);
  const request = { method, query: search.slice(1), header, form, places: [{ host, path: pathname }] };
  const collected = collectParameters(request) ?? assert.fail('the header cannot be read');
  const signed = signedCandidates(request, collected).find(({ uri }) => uri.startsWith(`${protocol}//`));
  return sign(signed ?? assert.fail(), 'HMAC-SHA1', secrets);
}

describe('OAuth 1.0a by the examples of RFC 5849', () => {
  const consumer = 'kd94hf93k423kf44';

  it('signs the requests of section 1.2', () => {
    const temporary = joined(
      'OAuth realm="Photos", oauth_consumer_key="dpf43f3p2l4k3l03", oauth_signature_method="HMAC-SHA1", ',
      'oauth_timestamp="137131200", oauth_nonce="wIjqoS", oauth_callback="http%3A%2F%2Fprinter.example.com%2Fready", ',
      'oauth_signature="74KNZJeDHnMBp0EMJ9ZHt%2FXKycU%3D"',
    );
    assert.equal(
      signatureOf('POST', 'https://photos.example.net/initiate', temporary, { consumer, token: '' }),
      '74KNZJeDHnMBp0EMJ9ZHt/XKycU=',
    );
    const token = joined(
      'OAuth realm="Photos", oauth_consumer_key="dpf43f3p2l4k3l03", oauth_token="hh5s93j4hdidpola", ',
      'oauth_signature_method="HMAC-SHA1", oauth_timestamp="137131201", oauth_nonce="walatlh", ',
      'oauth_verifier="hfdp7dh39dks9884", oauth_signature="gKgrFCywp7rO0OXSjdot%2FIHF7IU%3D"',
    );
    assert.equal(
      signatureOf('POST', 'https://photos.example.net/token', token, { consumer, token: 'hdhd0244k9j7ao03' }),
      'gKgrFCywp7rO0OXSjdot/IHF7IU=',
    );
    const resource = joined(
      'OAuth realm="Photos", oauth_consumer_key="dpf43f3p2l4k3l03", oauth_token="nnch734d00sl2jdk", ',
      'oauth_signature_method="HMAC-SHA1", oauth_timestamp="137131202", oauth_nonce="chapoH", ',
      'oauth_signature="MdpQcU8iPSUjWoN%2FUDMsK2sui9I%3D"',
    );
    assert.equal(
      signatureOf('GET', 'http://photos.example.net/photos?file=vacation.jpg&size=original', resource, {
        consumer,
        token: 'pfkkdhi9sl3r4s00',
      }),
      'MdpQcU8iPSUjWoN/UDMsK2sui9I=',
    );
  });

  it('reads and writes the header of section 3.5.1', () => {
    const header = joined(
      'OAuth realm="Example", oauth_consumer_key="0685bd9184jfhq22", oauth_token="ad180jjd733klru7", ',
      'oauth_signature_method="HMAC-SHA1", oauth_signature="wOJIO9A2W5mFwDgiDvZbTSMK%2FPY%3D", ',
      'oauth_timestamp="137131200", oauth_nonce="4572616e48616d6d65724c61686176", oauth_version="1.0"',
    );
    const read = parseAuthorizationHeader(header) ?? assert.fail();
    assert.deepEqual(Object.fromEntries(read), {
      oauth_consumer_key: '0685bd9184jfhq22',
      oauth_token: 'ad180jjd733klru7',
      oauth_signature_method: 'HMAC-SHA1',
      oauth_signature: 'wOJIO9A2W5mFwDgiDvZbTSMK/PY=',
      oauth_timestamp: '137131200',
      oauth_nonce: '4572616e48616d6d65724c61686176',
      oauth_version: '1.0',
    });
    assert.equal(formatAuthorizationHeader(read), header.replace('realm="Example", ', ''));
  });

  // Section 3.4.1.1 is the whole text, 3.4.1.3.1 the collected parameters, 3.4.1.3.2 the normalized ones.
  const request = {
    method: 'POST',
    query: 'b5=%3D%253D&a3=a&c%40=&a2=r%20b',
    header: joined(
      'OAuth realm="Example", oauth_consumer_key="9djdj82h48djs9d2", oauth_token="kkk9d7dh3k39sjv7", ',
      'oauth_signature_method="HMAC-SHA1", oauth_timestamp="137131201", oauth_nonce="7d8f3e4a", ',
      'oauth_signature="bYT5CMsGcbgUdFHObYMEfcx6bsw%3D"',
    ),
    form: 'c2&a3=2+q',
    places: [{ host: 'EXAMPLE.COM:80', path: '/request' }],
  };
  const normalized = joined(
    'a2=r%20b&a3=2%20q&a3=a&b5=%3D%253D&c%40=&c2=&oauth_consumer_key=9djdj82h48djs9d2&oauth_nonce=7d8f3e4a',
    '&oauth_signature_method=HMAC-SHA1&oauth_timestamp=137131201&oauth_token=kkk9d7dh3k39sjv7',
  );

  it('collects the parameters of section 3.4.1.3.1', () => {
    const { all } = collectParameters(request) ?? assert.fail();
    const expected = [
      ['b5', '=%3D'],
      ['a3', 'a'],
      ['c@', ''],
      ['a2', 'r b'],
      ['oauth_consumer_key', '9djdj82h48djs9d2'],
      ['oauth_token', 'kkk9d7dh3k39sjv7'],
      ['oauth_signature_method', 'HMAC-SHA1'],
      ['oauth_timestamp', '137131201'],
      ['oauth_nonce', '7d8f3e4a'],
      ['oauth_signature', 'bYT5CMsGcbgUdFHObYMEfcx6bsw='],
      ['c2', ''],
      ['a3', '2 q'],
    ];
    assert.deepEqual([...all].map(String).sort(), expected.map(String).sort());
  });

  it('normalizes the parameters of section 3.4.1.3.2', () => {
    const { all } = collectParameters(request) ?? assert.fail();
    assert.equal(normalizeParameters(all), normalized);
  });

  it('writes the base string of section 3.4.1.1', () => {
    const candidates = signedCandidates(request, collectParameters(request) ?? assert.fail());
    assert.ok(
      candidates
        .map(baseString)
        .includes(
          joined(
            'POST&http%3A%2F%2Fexample.com%2Frequest&a2%3Dr%2520b%26a3%3D2%2520q%26a3%3Da%26b5%3D%253D%25253D%26c%2540%3D',
            '%26c2%3D%26oauth_consumer_key%3D9djdj82h48djs9d2%26oauth_nonce%3D7d8f3e4a%26oauth_signature_method%3D',
            'HMAC-SHA1%26oauth_timestamp%3D137131201%26oauth_token%3Dkkk9d7dh3k39sjv7',
          ),
        ),
    );
  });

  it('writes the URIs of section 3.4.1.2', () => {
    assert.equal(baseStringUri('http', 'EXAMPLE.COM:80', '/r%20v/X'), 'http://example.com/r%20v/X');
    assert.equal(baseStringUri('https', 'www.example.net:8080', '/'), 'https://www.example.net:8080/');
    assert.equal(baseStringUri('https', 'www.example.net:443', ''), 'https://www.example.net/');
    assert.equal(baseStringUri('http', 'example.net:443', '/'), 'http://example.net:443/');
    assert.equal(baseStringUri('http', 'example.net:8080', '/'), 'http://example.net:8080/');
  });

  it('encodes as section 3.6 says', () => {
    assert.equal(percentEncode("-._~Az09 !*'()&=+%/ü☃"), '-._~Az09%20%21%2A%27%28%29%26%3D%2B%25%2F%C3%BC%E2%98%83');
    assert.deepEqual(parseParameters('a=1+2&a=%2B&=x&b&c=%zz&&'), [
      ['a', '1 2'],
      ['a', '+'],
      ['', 'x'],
      ['b', ''],
      ['c', '%zz'],
    ]);
  });
});
