import assert from 'node:assert/strict';
import { execFile, spawnSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import {
  readEspHome,
  readRestCommand,
  readWebQuery,
  runNodeRed,
  runShelly,
  type SentRequest,
} from '../support/agents/device-programs';
import { type DeviceRequest, deviceRequestsIn, filled } from '../support/agents/device-requests';
import { startFront } from '../support/agents/front';
import { storedSeries } from '../support/agents/stored-series';
import { buildSensor, createKey } from '../support/factories';
import { usePlatform, useUserPerTest } from '../support/hooks';
import { codeBlocksIn, readPage } from '../support/markdown';
import { rawRequest } from '../support/raw-request';

const PAGE = readPage('docs/ways-in.md');
const REQUESTS = deviceRequestsIn(PAGE);
const SERVER = /^https?:\/\/sensors\.example\.com/;

const requestOf = (heading: string) => REQUESTS.find((one) => one.heading === heading) ?? assert.fail(heading);
const codeOf = (heading: string, language: string) =>
  codeBlocksIn(PAGE).find((block) => block.heading === heading && block.language === language)?.text ??
  assert.fail(`${heading} has no ${language}`);
const lower = (headers: object) =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));

/** Compares what a device is configured to send with the request that the page shows. */
function assertSends({ url, method, headers, body }: SentRequest, shown: DeviceRequest): void {
  assert.match(url, SERVER);
  assert.deepEqual([method, url.replace(SERVER, ''), body], [shown.method, shown.path, shown.body]);
  assert.deepEqual(lower(headers), lower(shown.headers));
}

describe('docs/ways-in.md', () => {
  const platform = usePlatform();
  const user = useUserPerTest(platform);
  let key: string;
  let sensorId: string;

  beforeEach(async () => {
    key = (await createKey(user, { scopes: ['data:write', 'sensors:create'] })).secret;
    sensorId = await buildSensor(user);
  });

  const assertStored = async ({ stored }: DeviceRequest) => {
    const found = new Map(
      (await storedSeries(user)).map(({ name, points }) => [name, points.map(({ value }) => value)]),
    );
    const { data } = (await user.api.get(`/sensors/${sensorId}/data`)).body;
    found.set(
      'sensor 42',
      data.map(({ value }: { value: string }) => value),
    );
    assert.ok(stored.length > 0);
    for (const { name, value } of stored) assert.deepEqual(found.get(name), [value], name);
  };

  for (const shown of REQUESTS) {
    it(`shows a request that is answered and stored as shown, under ${shown.heading}`, async () => {
      const { method, path, headers, body } = filled(shown, key, sensorId);
      const answer = await rawRequest(platform.url, path, { method, headers, ...(body !== '' && { body }) });
      assert.equal(answer.status, shown.status, answer.text);
      await assertStored(shown);
    });
  }

  it('shows the requests that the scripts and rules send', () => {
    const shelly = requestOf('Shelly');
    const [, device = '', apower, voltage] = /device=(\S+) apower=(.*),voltage=(.*)$/.exec(shelly.body) ?? [];
    assertSends(runShelly(codeOf('Shelly', 'js'), device, { apower, voltage }), shelly);
    assertSends(readWebQuery(codeOf('Tasmota WebQuery', '').replace('%value%', '22.6')), requestOf('Tasmota WebQuery'));
    assertSends(readEspHome(codeOf('ESPHome', 'yaml'), 22.6), requestOf('ESPHome'));
    const command = 'Home Assistant rest_command';
    assertSends(readRestCommand(codeOf(command, 'yaml'), '22.6'), requestOf(command));
    const nodeRed = 'Node-RED http request';
    const [, url = ''] = /with the method POST and the URL\s+`(\S+)`/.exec(PAGE) ?? [];
    assertSends({ method: 'POST', url, ...runNodeRed(codeOf(nodeRed, 'js'), 22.6) }, requestOf(nodeRed));
  });

  describe('programs', () => {
    let folder: string;
    before(async () => {
      folder = await mkdtemp(join(tmpdir(), 'sensors-recipes-'));
    });
    after(() => rm(folder, { recursive: true }));

    const run = async (heading: string, command: string, args: string[]) => {
      const front = await startFront(platform.url);
      try {
        const env = { ...process.env, API: front.url, KEY: key };
        const replaced = (text: string) =>
          text.replace(/https:\/\/sensors\.example\.com/, front.url).replace('key_…', key);
        await promisify(execFile)(command, args.map(replaced), { env, timeout: 20_000 });
        const shown = filled(requestOf(heading), key, sensorId);
        const [sent] = front.requests;
        assert.deepEqual([sent?.method, sent?.path, sent?.status], [shown.method, shown.path, shown.status]);
        assert.equal(sent?.headers['content-type'], shown.headers['Content-Type']);
        await assertStored(shown);
      } finally {
        await front.close();
      }
    };

    it('write with curl', () => run('curl', 'bash', ['-c', codeOf('curl', 'sh')]));

    it('write with Python', async function () {
      if (spawnSync('python3', ['--version']).error) this.skip();
      await run('Python', 'python3', ['-c', codeOf('Python', 'python')]);
    });

    it('send the GET of an ESP32', async function () {
      if (spawnSync('g++', ['--version']).error) this.skip();
      const [source, program] = [join(folder, 'sketch.cpp'), join(folder, 'sketch')];
      await writeFile(source, codeOf('ESP32 with GET', 'cpp'));
      const headers = join(__dirname, '../support/arduino');
      await promisify(execFile)('g++', ['-Wall', '-Werror', '-I', headers, source, '-o', program]);
      const { stdout } = await promisify(execFile)(program);
      const url = /^url (\S+)$/m.exec(stdout)?.[1] ?? '';
      assert.equal(url.replace(SERVER, ''), requestOf('ESP32 with GET').path.replace('22.6', '2048'));
      assert.match(stdout, /^get$/m);
    });
  });
});
