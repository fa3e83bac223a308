import assert from 'node:assert/strict';
import { execFile, spawnSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { buildSensor } from '../../support/factories';
import { usePlatform, useUser } from '../../support/hooks';
import { codeBlocksIn, readPage } from '../../support/markdown';
import { rawRequest } from '../../support/raw-request';
import { fillText } from '../../support/ways-in';

const BLOCKS = codeBlocksIn(readPage('docs/devices.md'));
const STORED = /"accepted":\d/;

/** The functions of the tour, which the page follows. */
const FUNCTIONS = codeBlocksIn(readPage('docs/tour.md'))
  .map(({ text }) => text)
  .join('')
  .split('\n')
  .filter((line) => /^(post|pick)\(\)/.test(line))
  .join('\n');

const run = promisify(execFile);

describe('the page on devices', () => {
  const platform = usePlatform();
  const user = useUser(platform);
  let folder: string;
  let sensor: string;
  let key: string;

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'device-'));
    sensor = await buildSensor(user);
  });

  after(() => rm(folder, { recursive: true }));

  const code = (language: string) => BLOCKS.find((block) => block.language === language)?.text ?? '';
  const environment = () => ({ ...process.env, API: platform.url, SENSOR: sensor, KEY: key, SESSION: user.session });
  const runCode = async (command: string, args: string[]) =>
    (await run(command, args, { env: environment(), timeout: 20_000 })).stdout;
  const stored = async () => (await user.api.get(`/sensors/${sensor}/data`)).body.data.length;

  it('makes a key and uploads with it, in a shell', async () => {
    const output = await runCode('bash', ['-c', `${FUNCTIONS}\n${code('sh')}\necho; echo "$KEY"`]);
    assert.match(output, STORED);
    key = output.trim().split('\n').at(-1) ?? '';
    assert.match(key, /^key_/);
    const [shown] = (await user.api.get('/keys')).body.keys;
    assert.deepEqual([shown.scopes, shown.sensors, shown.hint], [['data:write'], [sensor], key.slice(-4)]);
  });

  for (const [language, command, file] of [
    ['python', 'python3', 'device.py'],
    ['js', process.execPath, 'device.mjs'],
  ] as const) {
    it(`uploads in ${language}`, async function () {
      if (spawnSync(command, ['--version']).error) this.skip();
      const before = await stored();
      await writeFile(join(folder, file), code(language));
      const output = await runCode(command, [join(folder, file)]);
      assert.match(output, /^201 /);
      assert.ok((await stored()) > before);
    });
  }

  it('is what the console shows, with the address, the id and the key in place', () => {
    const line = (text: string, wanted: string) => `${text.split('\n').find((one) => one.startsWith(wanted))}\n`;
    const curl = fillText('curl', { api: '$API', sensor: '$SENSOR', key: '$KEY' });
    assert.equal(curl, line(code('sh'), 'curl'));
    const access = { api: 'http://192.168.1.10:8080', sensor: '1', key: 'key_...' };
    assert.equal(fillText('esp32', access), code('cpp'));
    const python = code('python')
      .replace('import json, os', 'import json')
      .replace(/^api, sensor, key = .*$/m, `api, sensor, key = "${access.api}", "1", "key_..."`);
    assert.equal(fillText('python', access), python);
    const inProgram = `const [API, SENSOR, KEY] = ['${access.api}', '1', 'key_...'];`;
    assert.equal(fillText('node', access), code('js').replace(/^const \{ API.*$/m, inProgram));
  });

  it('uploads by the address that the console shows for devices that only know GET', async () => {
    const address = fillText('get', { api: platform.url, sensor, key }).trim();
    const before = await stored();
    assert.equal((await fetch(address)).status, 200);
    assert.equal(await stored(), before + 1);
  });

  it('uploads from an Arduino sketch', async function () {
    if (spawnSync('g++', ['--version']).error) this.skip();
    const [source, program] = [join(folder, 'sketch.cpp'), join(folder, 'sketch')];
    await writeFile(source, code('cpp'));
    await run('g++', ['-Wall', '-Werror', '-I', join(__dirname, '../../support/arduino'), source, '-o', program]);
    const { stdout } = await run(program, []);
    const lines = stdout.trim().split('\n');
    const lineAfter = (start: string) => lines.find((line) => line.startsWith(start))?.slice(start.length) ?? '';
    assert.equal(lineAfter('url '), 'http://192.168.1.10:8080/sensors/1/data');
    assert.equal(lineAfter('header Authorization '), 'Bearer key_...');
    const headers = { 'Content-Type': lineAfter('header Content-Type '), Authorization: `Bearer ${key}` };
    const request = { method: 'POST', headers, body: lineAfter('body ') };
    assert.equal((await rawRequest(platform.url, `/sensors/${sensor}/data`, request)).status, 201);
  });
});
