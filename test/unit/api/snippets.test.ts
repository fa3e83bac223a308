import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { compactJson } from '../../../src/api/docs/compact-json';
import type { ExampleRequest } from '../../../src/api/docs/example-request';
import { snippetsOf } from '../../../src/api/docs/snippets';

const ADDRESS = 'https://platform.example.org';
const BODY = {
  text: `It's "hot": $HOME \`pwd\` \\ 100 % \n true null`,
  flags: [true, false, null, 1.5, -2],
  nested: { 'with-dash': ['x'.repeat(80)] },
};
const request = (fields: Partial<ExampleRequest>): ExampleRequest => ({
  ...{ method: 'POST', path: '/sensors', query: {}, credential: 'key', isStream: false },
  ...fields,
});
const run = (program: string, text: string) => spawnSync(program, ['-c', text], { encoding: 'utf8' }).stdout;

describe('the programs of examples', () => {
  it('keep each character of a body, in the shell, in Python and in JavaScript', function () {
    const { curl, python, javascript } = snippetsOf(request({ body: BODY }), ADDRESS);
    const shown = run('bash', `curl() { printf '%s' "\${@: -1}"; }; ${curl}`);
    assert.deepEqual(JSON.parse(shown), BODY);
    const [, inScript = ''] = /JSON\.stringify\(([\s\S]*)\),\n\}\);/.exec(javascript) ?? [];
    assert.deepEqual(new Function(`return ${inScript}`)(), BODY);
    if (spawnSync('python3', ['--version']).status !== 0) this.skip();
    const [, inPython = ''] = / {4}json=([\s\S]*),\n\)\nresponse/.exec(python) ?? [];
    assert.deepEqual(JSON.parse(run('python3', `import json\nprint(json.dumps(${inPython}))`)), BODY);
  });

  it('name lists of the query with brackets, and escape its values', () => {
    const query = { sensor_id: ['1', '2'], start_date: '2026-11-21T10:00:00+01:00', name: 'a&b' };
    const { curl } = snippetsOf(request({ method: 'GET', query }), ADDRESS);
    const [, url = ''] = /'([^']+)'/.exec(curl) ?? [];
    const { searchParams } = new URL(url);
    assert.deepEqual(searchParams.getAll('sensor_id[]'), ['1', '2']);
    assert.deepEqual([searchParams.get('start_date'), searchParams.get('name')], [query.start_date, query.name]);
  });

  it('send the credential that the operation needs, or none', () => {
    const headers = (credential: ExampleRequest['credential']) =>
      snippetsOf(request({ credential }), ADDRESS).curl.match(/-H '[^']+'/g);
    assert.deepEqual(headers('key'), ["-H 'Authorization: Bearer YOUR_KEY'"]);
    assert.deepEqual(headers('session'), ["-H 'X-SESSION_ID: YOUR_SESSION'"]);
    assert.equal(headers(undefined), null);
  });

  it('name the method unless it is obvious, and read streams without an end', () => {
    const start = (fields: Partial<ExampleRequest>) => snippetsOf(request(fields), ADDRESS).curl.split(" 'https")[0];
    assert.equal(start({ method: 'GET' }), 'curl');
    assert.equal(start({ body: {} }), 'curl');
    assert.equal(start({}), 'curl -X POST');
    assert.equal(start({ method: 'DELETE' }), 'curl -X DELETE');
    assert.equal(start({ method: 'GET', isStream: true }), 'curl -N');
  });
});

describe('JSON in examples', () => {
  it('is JSON, with short objects on one line', () => {
    assert.deepEqual(JSON.parse(compactJson(BODY)), BODY);
    assert.equal(compactJson({ a: [1, { b: null }] }), '{"a": [1, {"b": null}]}');
    assert.ok(compactJson(BODY).split('\n').length > 5);
  });
});
