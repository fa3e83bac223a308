import assert from 'node:assert/strict';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { readPage } from '../../support/markdown';

interface Job {
  if?: string;
  'timeout-minutes'?: number;
  container?: string;
  strategy?: { matrix?: Record<string, string[]> };
  steps: { uses?: string; run?: string; with?: Record<string, string> }[];
}

interface Workflow {
  permissions?: Record<string, string>;
  jobs: Record<string, Job>;
}

const ROOT = join(__dirname, '../../..');
const FOLDER = '.github/workflows';
const workflows = readdirSync(join(ROOT, FOLDER)).map((file): [string, Workflow] => [
  file,
  parse(readPage(`${FOLDER}/${file}`)),
]);
const jobs = workflows.flatMap(([file, { jobs }]) =>
  Object.entries(jobs).map(([name, job]): [string, Job] => [`${file}: ${name}`, job]),
);
const { scripts, engines } = JSON.parse(readPage('package.json'));

describe('the workflows of GitHub', () => {
  it('run commands that exist', () => {
    for (const [name, { steps }] of jobs) {
      const commands = steps.flatMap(({ run }) => run?.trim().split('\n') ?? []);
      assert.ok(commands.length > 0, name);
      for (const command of commands) {
        const [, script] = /^npm (?:run )?([\w:]+)/.exec(command) ?? [];
        assert.ok(script === 'ci' || script === 'audit' || scripts[script ?? ''], `${name}: ${command}`);
      }
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

  it('may only read, and end after a limited time', () => {
    for (const [file, { permissions }] of workflows) assert.deepEqual(permissions, { contents: 'read' }, file);
    for (const [name, job] of jobs) {
      const isAtNight = job.if === "github.event_name == 'schedule'";
      assert.ok((job['timeout-minutes'] ?? Number.POSITIVE_INFINITY) <= (isAtNight ? 240 : 60), name);
    }
  });
});

describe('the updates of dependencies', () => {
  it('watch the packages, the images and the actions', () => {
    const { updates } = parse(readPage('.github/dependabot.yml'));
    const watched = updates.map((each: { 'package-ecosystem': string }) => each['package-ecosystem']).sort();
    assert.deepEqual(watched, ['docker', 'docker-compose', 'github-actions', 'npm']);
  });
});
