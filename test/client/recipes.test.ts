import assert from 'node:assert/strict';
import { join } from 'node:path';
import { transformSync } from '@swc/core';
import * as library from '../../client/src';
import { apiClient } from '../support/api-client';
import { buildSensor, upload } from '../support/factories';
import { compile } from '../support/generated-types';
import { usePlatform } from '../support/hooks';
import { codeBlocksIn, readPage } from '../support/markdown';

const PASSWORD = 'correct horse';
const IMPORT = /^import .* from 'sensor-data-client';\n/gm;

/** The recipes of the client's page. */
const recipes = codeBlocksIn(readPage('client/README.md')).filter(({ language }) => language === 'ts');

/** A recipe as a function of what recipes have: a client, and a sensor with data. */
function programOf(text: string): string {
  const imports = text.match(IMPORT)?.join('') ?? '';
  const withClient = /const client =/.test(text) ? '' : ', client: Client';
  return `import type { Client } from 'sensor-data-client';
${imports}export async function run(sensorId: string, console: { log(...of: unknown[]): void }${withClient}) {
${text.replace(IMPORT, '')}
}
`;
}

describe('the recipes of the client', () => {
  const platform = usePlatform();

  it('compile, with the types of the API as it is', async () => {
    assert.ok(recipes.length >= 10);
    const files = Object.fromEntries(recipes.map(({ text }, index) => [`recipe-${index}.ts`, programOf(text)]));
    const paths = { 'sensor-data-client': [join(__dirname, '../../client/src/index.ts')] };
    const { output } = await compile({ ...files }, { paths });
    assert.equal(output, '');
    const wrong = "await client.post('/sensors', { body: { sensor: { nam: 'x' } } });";
    const refused = await compile({ 'wrong.ts': programOf(wrong) }, { paths });
    assert.match(refused.output, /'nam' does not exist/);
  });

  it('run', async () => {
    await platform.startWorkers(['evaluation']);
    const client = library.createClient({ baseUrl: platform.url });
    const [first = assert.fail(), ...others] = recipes.map(({ heading, text }) => ({
      heading,
      hasOutput: text.includes('console.log'),
      run: runProgram(programOf(text.replaceAll('http://localhost:8080', platform.url))),
    }));
    const logged: unknown[][] = [];
    const log = (...of: unknown[]) => logged.push(of);
    await first.run('', { log }, client);
    assert.deepEqual(logged.splice(0), [['ada']], 'the first recipe registers its user');
    const ada = { api: apiClient(platform.url, { 'X-SESSION_ID': await client.login('ada', PASSWORD) }) };
    const sensorId = await buildSensor(ada, { data_type: 'float' });
    let value = 31;
    const feeding = setInterval(() => {
      value += 1;
      upload(ada, sensorId, { value }).catch(() => undefined);
    }, 200);
    try {
      for (const { heading, hasOutput, run } of others) {
        await run(sensorId, { log }, client).catch((error: unknown) => assert.fail(`${heading}: ${error}`));
        assert.equal(logged.splice(0).length > 0, hasOutput, heading);
      }
    } finally {
      clearInterval(feeding);
      await platform.stopWorkers();
    }
    const { body } = await ada.api.get('/sensors?per_page=1000');
    assert.deepEqual(
      body.sensors.map(({ name }: { name: string }) => name),
      ['a sensor', 'greenhouse', 'a copy'],
    );
  });

  it('come with a module of at most 15 KB', async () => {
    const { execFileSync } = await import('node:child_process');
    const said = execFileSync(process.execPath, ['scripts/client-package.mjs', '--size'], {
      cwd: join(__dirname, '../..'),
      encoding: 'utf8',
    });
    assert.ok(Number.parseInt(said, 10) <= 15 * 1024, said);
  });
});

type Run = (sensorId: string, console: { log(...of: unknown[]): void }, client: library.Client) => Promise<void>;

function runProgram(text: string): Run {
  const { code } = transformSync(text, {
    module: { type: 'commonjs' },
    jsc: { parser: { syntax: 'typescript' }, target: 'es2022' },
  });
  const exports: { run?: Run } = {};
  new Function('exports', 'require', code)(exports, () => library);
  return exports.run ?? assert.fail('the program has no function');
}
