import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { chmodSync, cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020';
import { parse } from 'yaml';
import { createKey } from '../support/factories';
import { usePlatform, useUser } from '../support/hooks';

const ROOT = join(__dirname, '../..');
const EXAMPLE = join(ROOT, 'docs/examples/rules');
const LIMIT_MS = 60_000;

interface Step {
  run?: string;
}

/** The programs of the workflow: the command from its sources, and a GitHub that keeps the comment. */
const PROGRAMS = {
  npx: `[ "$1" = sensors ] && shift && exec "${process.execPath}" -r "${ROOT}/scripts/swc-hook.cjs" "${ROOT}/client/src/cli/index.ts" "$@"`,
  npm: '[ "$*" = ci ]',
  gh: '[ "$1 $2" = "pr comment" ] && for file; do :; done && cp "$file" comment.md',
};

describe('the example of a repository with rules', () => {
  const platform = usePlatform();
  const user = useUser(platform);
  const folder = mkdtempSync(join(tmpdir(), 'rules-example-'));
  after(() => rmSync(folder, { recursive: true, force: true }));
  const repository = join(folder, 'repository');
  let env: Record<string, string>;

  before(async () => {
    cpSync(EXAMPLE, repository, { recursive: true });
    mkdirSync(join(folder, 'bin'));
    for (const [name, program] of Object.entries(PROGRAMS)) {
      writeFileSync(join(folder, 'bin', name), `#!/bin/bash\n${program}\n`);
      chmodSync(join(folder, 'bin', name), 0o755);
    }
    const PATH = [join(folder, 'bin'), process.env.PATH].join(delimiter);
    const { secret } = await createKey(user);
    env = { ...process.env, PATH, SENSORS_URL: platform.url, SENSORS_KEY: secret, PULL_REQUEST: '7' };
  });

  /** Runs the steps of a job as GitHub does. */
  const runJob = async (job: string): Promise<number> => {
    const { jobs } = parse(readFileSync(join(repository, '.github/workflows/rules.yml'), 'utf8'));
    const scripts = jobs[job].steps.flatMap(({ run }: Step) => run ?? []);
    return new Promise((resolve) => {
      const given = ['-e', '-c', scripts.join('\n')];
      execFile('bash', given, { cwd: repository, env, timeout: LIMIT_MS }, (error, stdout, stderr) => {
        if (error && error.code !== 1) console.log(stdout, stderr);
        resolve(Number(error?.code ?? 0));
      });
    });
  };
  const change = (from: string, to: string) => {
    const file = join(repository, 'rules.yaml');
    writeFileSync(file, readFileSync(file, 'utf8').replace(from, to));
  };
  const comment = () => readFileSync(join(repository, 'comment.md'), 'utf8');

  it('comments the plan of a pull request, applies it after the merge, and finds drift', async function () {
    this.timeout(LIMIT_MS);
    assert.equal(await runJob('plan'), 0);
    assert.match(comment(), /Plan: 5 to create\.[\s\S]*✓ 4 of 4 tests passed/);
    assert.deepEqual((await user.api.get('/triggers')).body.triggers, []);
    assert.equal(await runJob('apply'), 0);
    const { triggers } = (await user.api.get('/triggers')).body;
    assert.deepEqual(
      triggers.map(({ name }: { name: string }) => name),
      ['too warm', 'no data'],
    );
    assert.equal(await runJob('drift'), 0);
    await user.api.put(`/triggers/${triggers[0].id}`, { trigger: { hold: 60 } });
    assert.equal(await runJob('drift'), 1);
    change('hold: 300', 'hold: 240');
    assert.equal(await runJob('plan'), 1, 'a test fails');
    assert.match(comment(), /✗ 3 of 4 tests passed\n- ✗ an open door[\s\S]*<code>rules\.yaml:\d+<\/code>/);
    assert.match(comment(), /⚠ changed elsewhere: <code>hold<\/code>/);
    assert.equal(await runJob('apply'), 1);
    change('set: cold-store', 'set: [');
    rmSync(join(repository, 'comment.md'));
    assert.equal(await runJob('plan'), 1);
    assert.throws(comment, 'there is no plan to comment');
  });

  it('fits the schema that editors read', async () => {
    const { status, body, headers } = await platform.anonymous.get('/rules.schema.json');
    assert.deepEqual([status, headers.get('content-type')], [200, 'application/schema+json']);
    const validate = new Ajv2020({ strict: false, validateFormats: false }).compile(JSON.parse(body));
    const document: object = parse(readFileSync(join(EXAMPLE, 'rules.yaml'), 'utf8'));
    assert.ok(validate(document), JSON.stringify(validate.errors));
    for (const wrong of [
      {},
      { ...document, sett: 1 },
      { set: 'a', triggers: [{ name: 'x', hold: 'long' }] },
      { set: 'a b' },
    ]) {
      assert.ok(!validate(wrong), JSON.stringify(wrong));
    }
  });

  it('has a test for each rule of the recipes, which passes', async () => {
    const file = join(ROOT, 'docs/examples/recipes/rules.yaml');
    const { triggers, tests } = parse(readFileSync(file, 'utf8'));
    for (const [name, gps_outline] of [
      ['yard', '52.36 4.89,52.36 4.91,52.38 4.91,52.38 4.89'],
      ['port', '52.40 4.80,52.40 4.85,52.42 4.85,52.42 4.80'],
    ]) {
      assert.equal((await user.api.post('/environments', { environment: { name, gps_outline } })).status, 201);
    }
    const tested = new Set(tests.map(({ trigger }: { trigger: string }) => trigger));
    assert.deepEqual([...tested].sort(), triggers.map(({ name }: { name: string }) => name).sort());
    const command = `"${join(folder, 'bin', 'npx')}" sensors rules test "${file}"`;
    const printed = await new Promise<string>((resolve, reject) => {
      execFile('bash', ['-c', command], { env, timeout: LIMIT_MS }, (error, stdout) =>
        error ? reject(new Error(stdout)) : resolve(stdout),
      );
    });
    assert.match(printed, new RegExp(`${tests.length} of ${tests.length} tests passed`));
  });
});
