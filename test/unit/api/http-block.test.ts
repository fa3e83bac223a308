import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { requestsIn } from '../../../src/api/docs/http-block';
import { tryIt } from '../../../src/api/docs/samples';
import { snippetsOf } from '../../../src/api/docs/snippets';

const EXCHANGES = `POST /sensors
{"sensor": {
  "name": "door"
}}
201 {"sensor": {"id": "<door>"}}

GET /sensors/<door>/data?per_page=5
200 {"data": []}`;

const DEVICE = `POST /api/v2/write?org=home
Authorization: Token key_…
Content-Type: text/plain; charset=utf-8

air,room=cellar text="it's \\"hot\\"" 1795687200
door,room=hall value=1 1795687200

204
air,room=cellar: {"text":"x"}`;

describe('a block of requests in a guide', () => {
  it('has each request with its method, path and body, and without its answer', () => {
    const [first, second, ...others] = requestsIn(EXCHANGES);
    assert.deepEqual(
      [first?.method, first?.path, first?.body, first?.credential],
      ['POST', '/sensors', { sensor: { name: 'door' } }, 'key'],
    );
    assert.deepEqual(
      [second?.method, second?.path, second?.body, second?.text],
      ['GET', '/sensors/<door>/data?per_page=5', undefined, undefined],
    );
    assert.deepEqual(others, []);
  });

  it('has the headers and the body of a device as they are, with a place for the key', () => {
    const [request = assert.fail()] = requestsIn(DEVICE);
    const body = DEVICE.split('\n').slice(4, 6).join('\n');
    assert.deepEqual([request.text, request.credential], [body, undefined]);
    const { curl, javascript, python } = snippetsOf(request, 'https://p.example.org');
    assert.match(
      curl,
      /^curl 'https:\/\/p\.example\.org\/api\/v2\/write\?org=home' \\\n {2}-H 'Authorization: Token YOUR_KEY'/,
    );
    const shown = spawnSync('bash', ['-c', `curl() { printf '%s' "\${@: -1}"; }; ${curl}`], { encoding: 'utf8' });
    assert.equal(shown.stdout, body);
    const [, inScript = ''] = / {2}body: (.*),\n\}\);/.exec(javascript) ?? [];
    assert.equal(JSON.parse(inScript), body);
    assert.match(javascript, /console\.log\(response\.status, await response\.text\(\)\);$/);
    assert.match(
      python,
      /^ {4}headers=\{"Authorization": "Token YOUR_KEY", "Content-Type": "text\/plain; charset=utf-8"\},$/m,
    );
    assert.match(python, /print\(response\.status_code, response\.text\)$/);
  });

  it('needs no other credential if its path has the key, and is not offered with a header that is not encoded', () => {
    const [request] = requestsIn('GET /sensors/42/data/add?API_KEY=key_…&value=22.6\n\n200\nsensor 42: 22.6');
    assert.deepEqual(
      [request?.credential, request?.path],
      [undefined, '/sensors/42/data/add?API_KEY=YOUR_KEY&value=22.6'],
    );
    assert.deepEqual(requestsIn(DEVICE.replace('Token ', 'Basic home:')), []);
    assert.equal(tryIt('x', 'nothing to send', undefined).text.includes('radio'), false);
  });

  it('is shown as written, and as programs that run one after the other', () => {
    const { text } = tryIt('x', EXCHANGES, 'https://p.example.org');
    assert.deepEqual(
      [...text.matchAll(/value="(\w+)"/g)].map(([, value]) => value),
      ['http', 'curl', 'python', 'javascript'],
    );
    const program = /<div class="sample javascript">[\s\S]*?<code>([\s\S]*?)<\/code>/.exec(text)?.[1] ?? assert.fail();
    assert.equal(program.match(/^let response = /gm)?.length, 1);
    assert.equal(program.match(/^response = /gm)?.length, 1);
    assert.equal(text.match(/import requests/g)?.length, 1);
  });
});
