import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { promisify } from 'node:util';
import { apiClient } from '../support/api-client';
import { usePlatform } from '../support/hooks';
import { codeBlocksIn, readPage } from '../support/markdown';

const ROOT = join(__dirname, '../..');
const PACKAGES = join(ROOT, 'node_modules');
const PASSWORD = 'correct horse';
/** What a clone has that the package is made of. */
const SOURCES = ['client', 'jobs', 'scripts', 'src', 'package-lock.json', 'package.json', 'tsconfig.json', 'tsoa.json'];
const run = promisify(execFile);

describe('the package of the client', () => {
  const platform = usePlatform();
  const folder = mkdtempSync(join(tmpdir(), 'client-package-'));
  after(() => rmSync(folder, { recursive: true, force: true }));
  let tarball = '';

  it('is built and packed by one command in a fresh clone, without what was built before', async () => {
    const clone = freshClone(join(folder, 'clone'));
    mkdirSync(join(clone, 'client/dist'));
    writeFileSync(join(clone, 'client/dist/retired.mjs'), 'left over from an earlier build');
    const { stdout } = await run('npm', ['pack', '--json', '--pack-destination', folder], {
      cwd: join(clone, 'client'),
      timeout: 240_000,
    });
    tarball = join(folder, 'sensor-data-client-0.1.0.tgz');
    const names = [...stdout.matchAll(/"path": "(.*?)"/g)].map(([, name]) => name);
    for (const name of [
      'dist/index.mjs',
      'dist/index.cjs',
      'dist/index.d.ts',
      'dist/generated/api.d.ts',
      'dist/cli.mjs',
      'README.md',
    ])
      assert.ok(names.includes(name), `${name} of ${names}`);
    assert.ok(!names.includes('dist/retired.mjs'));
    const { size } = statSync(tarball);
    assert.ok(size > 30_000 && size < 150_000, `${size} bytes`);
  });

  it('compiles in an empty project, in both ways of resolving modules, and runs', async () => {
    const project = await newProject(join(folder, 'project'), tarball);
    writeFileSync(join(project, 'program.ts'), programOf([1, 2], platform.url));
    for (const modules of ['NodeNext', 'ESNext']) await compileIn(project, modules);
    writeFileSync(join(project, 'wrong.ts'), "import { nothing } from 'sensor-data-client';\nconsole.log(nothing);\n");
    await assert.rejects(compileIn(project, 'NodeNext'), ({ stdout }) => /no exported member 'nothing'/.test(stdout));
    const { stdout } = await run(process.execPath, ['program.js'], { cwd: project, timeout: 30_000 });
    assert.equal(stdout, 'ada\n');
    const required = "console.log(typeof require('sensor-data-client').createClient)";
    const byRequire = await run(process.execPath, ['--eval', required], { cwd: project, timeout: 30_000 });
    assert.equal(byRequire.stdout, 'function\n');
    const command = await run(join(project, 'node_modules/.bin/sensors'), ['rules', '--help'], { timeout: 30_000 });
    assert.match(command.stdout, /^Usage: sensors rules export\|test\|plan\|apply FILE/);
    const password = createHash('md5').update(PASSWORD).digest('hex');
    const login = await platform.anonymous.post('/login', { username: 'ada', password });
    const api = apiClient(platform.url, { 'X-SESSION_ID': login.body.session_id });
    const { sensors } = (await api.get('/sensors')).body;
    assert.deepEqual([sensors.length, sensors[0].name], [1, 'greenhouse']);
    const { data } = (await api.get(`/sensors/${sensors[0].id}/data`)).body;
    assert.deepEqual(data.map(({ value }: { value: string }) => value).sort(), ['21.5', '21.7']);
  });
});

/** The sources alone, as after `git clone`: nothing that was generated or built. */
function freshClone(clone: string): string {
  const isSource = (path: string) => !/(^|\/)(generated|dist|node_modules)(\/|$)/.test(relative(ROOT, path));
  for (const name of SOURCES) cpSync(join(ROOT, name), join(clone, name), { recursive: true, filter: isSource });
  symlinkSync(PACKAGES, join(clone, 'node_modules'));
  return clone;
}

/** A project that has installed the package, without the registry: the packages that it depends on are those installed here. */
async function newProject(project: string, tarball: string): Promise<string> {
  mkdirSync(project);
  const local = (name: string) => [name, `file:${join(PACKAGES, name)}`];
  const dependencies = Object.fromEntries(['openapi-fetch', 'openapi-typescript-helpers'].map(local));
  const packages = { type: 'module', dependencies: { ...dependencies, 'sensor-data-client': `file:${tarball}` } };
  writeFileSync(join(project, 'package.json'), JSON.stringify(packages));
  await run('npm', ['install', '--offline', '--no-audit', '--no-fund'], { cwd: project, timeout: 60_000 });
  return project;
}

/** Recipes of the client's page, by their numbers, as one program. */
function programOf(numbers: readonly number[], url: string): string {
  const recipes = codeBlocksIn(readPage('client/README.md')).filter(({ language }) => language === 'ts');
  const texts = numbers.map((number) => {
    const recipe = recipes.find(({ heading }) => heading.startsWith(`${number}. `));
    return recipe?.text ?? assert.fail(`there is no recipe ${number}`);
  });
  return texts.join('').replaceAll('http://localhost:8080', url);
}

async function compileIn(project: string, modules: string): Promise<void> {
  const compiler = join(PACKAGES, 'typescript/bin/tsc');
  const resolution = ['--module', modules, '--moduleResolution', modules === 'ESNext' ? 'bundler' : modules];
  const options = ['--strict', '--target', 'es2022', '--lib', 'es2022,dom', '--types', '', '--ignoreConfig'];
  const programs = readdirSync(project).filter((name) => name.endsWith('.ts'));
  await run(process.execPath, [compiler, ...options, ...resolution, ...programs], { cwd: project, timeout: 60_000 });
}
