import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { runCommand } from '../../client/src/cli/command';
import { buildSensor, createKey, upload } from '../support/factories';
import { usePlatform, useUserPerTest } from '../support/hooks';

const RULES = `set: store
triggers:
  - name: too | <b>warm</b>
    expression: sensor_data_value > -15
    hold: 0
    repeat: 0
    sensors: [freezer]
tests:
  - name: it waits
    trigger: too | <b>warm</b>
    points: [{ at: "21:00", value: -10 }]
    expect:
      - { at: "21:00", fires: true }
`;

describe('the command sensors rules', () => {
  const platform = usePlatform();
  const user = useUserPerTest(platform);
  const folder = mkdtempSync(join(tmpdir(), 'rules-command-'));
  after(() => rmSync(folder, { recursive: true, force: true }));
  let key = '';
  let file = '';

  beforeEach(async () => {
    key = (await createKey(user)).secret;
    file = join(folder, `${Math.random()}.yaml`);
    writeFileSync(file, RULES);
    const sensor = await buildSensor(user, { name: 'freezer', data_type: 'float' });
    await upload(user, sensor, [{ value: -10 }]);
    await platform.settle();
  });

  const run = async (args: string, more: { isTTY?: boolean; stdin?: string; env?: Record<string, string> } = {}) => {
    let [out, err] = ['', ''];
    const status = await runCommand(args.split(' '), {
      env: { SENSORS_URL: `${platform.url}/`, SENSORS_KEY: key, ...more.env },
      stdin: Readable.from([more.stdin ?? '']),
      stdout: { write: (text) => (out += text), isTTY: more.isTTY },
      stderr: { write: (text) => (err += text), isTTY: more.isTTY },
    });
    return { status, out, err };
  };

  it('plans, applies and exports a file, with a status for scripts', async () => {
    const planned = await run(`rules plan ${file}`);
    assert.deepEqual([planned.status, planned.err], [2, '']);
    assert.match(planned.out, /^\+ trigger too \| <b>warm<\/b>\n {4}name: "too/);
    assert.match(planned.out, /\nPlan: 1 to create\.\n\n1 of 1 tests passed\n/);
    assert.match(
      planned.out,
      /\nEffect on stored data +alerts +deliveries +at night\ntoo \| <b>warm<\/b> +– → 1 +– → 0/,
    );
    assert.equal((await run(`rules plan ${file} --fail-on-change`)).status, 1);
    const applied = await run(`rules apply ${file}`);
    assert.deepEqual([applied.status, /Applied: 1 created\./.test(applied.out)], [0, true], applied.err);
    const again = await run(`rules plan ${file}`);
    assert.deepEqual([again.status, /^Nothing to do\.\n/.test(again.out)], [0, true], again.out);
    const exported = join(folder, 'exported.yaml');
    assert.equal((await run(`rules export ${exported} --set store`)).status, 0);
    assert.match(readFileSync(exported, 'utf8'), /\nset: store\ntriggers:\n {2}- name: /);
    assert.equal((await run(`rules plan ${exported}`)).status, 0);
    assert.match((await run('rules export -')).out, /^# yaml-language-server/);
    writeFileSync(file, RULES.replace('hold: 0', 'hold: 60'));
    const { plan } = JSON.parse((await run(`rules plan ${file} --json --days 0`)).out);
    assert.deepEqual([plan.changes[0].fields, plan.tests[0].passed], [{ hold: [0, 60] }, false]);
  });

  it('says in which line of the file a test fails, and applies nothing then', async () => {
    writeFileSync(file, RULES.replace('hold: 0', 'hold: 60'));
    const tested = await run(`rules test ${file}`);
    assert.equal(tested.status, 1);
    assert.equal(
      tested.out,
      `✗ it waits\n    ${file}:13:24  tests[0].expect[0].fires it does not fire then: it did not until then\n0 of 1 tests passed\n`,
    );
    const refused = await run(`rules apply ${file}`);
    assert.deepEqual([refused.status, refused.out], [1, '']);
    assert.match(refused.err, /^1 of 1 tests fail, so nothing was applied/);
    const digest = JSON.parse((await run(`rules plan ${file} --json`)).out).plan.digest;
    assert.equal((await run(`rules apply ${file} --ignore-tests --digest ${digest}`)).status, 0);
    assert.match(
      (await run(`rules apply ${file} --ignore-tests --digest ${digest}`)).err,
      /has changed since the plan/,
    );
  });

  it('prints a comment for a pull request, and colours on a terminal only', async () => {
    const { out, status } = await run(`rules plan ${file} --markdown`);
    assert.equal(status, 2);
    assert.match(out, /^### Rules: <code>.*\.yaml<\/code>\n\nPlan: 1 to create\.\n\n/);
    assert.ok(
      out.includes(
        '| create | trigger | too \\| &lt;b>warm&lt;/b> | <code>name: "too &#124; &lt;b>warm&lt;/b>"</code><br>',
      ),
      out,
    );
    writeFileSync(file, RULES.replaceAll('too | <b>warm</b>', 'too_*warm*'));
    const marked = (await run(`rules plan ${file} --markdown`)).out;
    assert.ok(marked.includes('<code>name: "too&#95;&#42;warm&#42;"</code>'), marked);
    assert.ok(marked.includes('<summary><code>too&#95;&#42;warm&#42;</code>: 1 alerts are new</summary>'), marked);
    const parent = await run('rules apply -', { stdin: 'set: other\ntriggers: [{name: gateway, expression: "1"}]' });
    assert.equal(parent.status, 0, parent.err);
    writeFileSync(file, RULES.replace('hold: 0', 'hold: 0\n    depends_on: { trigger: gateway }'));
    const held = (await run(`rules plan ${file} --markdown`)).out;
    assert.match(held, /\n\n⚠ dependencies are left out, [^\n]* → "gateway"\n\n<sub>/);
    writeFileSync(file, RULES);
    assert.ok(out.includes('| on stored data | alerts | deliveries | at night |'), out);
    const mark = String.fromCharCode(27);
    assert.ok(!(await run(`rules plan ${file}`)).out.includes(mark));
    assert.ok((await run(`rules plan ${file}`, { isTTY: true })).out.includes(`${mark}[32m`));
    assert.ok(!(await run(`rules plan ${file}`, { isTTY: true, env: { NO_COLOR: '1' } })).out.includes(mark));
  });

  it('reads the standard input, and explains its use', async () => {
    assert.equal((await run('rules test -', { stdin: RULES })).status, 0);
    const wrong = await run('rules plan -', { stdin: 'set: a\ntriggers: [{name: x}]' });
    assert.deepEqual(
      [wrong.status, wrong.err],
      [1, 'line 2, column 12: triggers[0].expression is required, unless an inactivity is given\n'],
    );
    for (const args of [
      'rules',
      'rules plan',
      'rules nothing x',
      'other plan x',
      'rules plan a b',
      'rules constructor x',
    ]) {
      const { status, err } = await run(args);
      assert.deepEqual([status, err.startsWith('Usage: sensors rules')], [1, true], args);
    }
    assert.match((await run(`rules plan ${file} --unknown`)).err, /Unknown option '--unknown'/);
    assert.match((await run('rules --help')).out, /^Usage: /);
    assert.match((await run(`rules plan ${join(folder, 'missing.yaml')}`)).err, /ENOENT/);
    assert.match((await run(`rules plan ${file} --url http://127.0.0.1:9`)).err, /fetch failed|ECONNREFUSED/);
    assert.match(
      (await run(`rules plan ${file}`, { env: { SENSORS_KEY: 'key_wrong' } })).err,
      /the key or token is unknown/,
    );
  });
});
