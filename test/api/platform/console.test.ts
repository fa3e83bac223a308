import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, gunzipSync, gzipSync } from 'node:zlib';
import { ensureConsole } from '../../support/console';
import { usePlatform } from '../../support/hooks';
import { rawRequest } from '../../support/raw-request';
import { WAYS_IN } from '../../support/ways-in';

const ASSETS = join(__dirname, '../../../dist/web/assets');
const BROWSER = { Accept: 'text/html,application/xhtml+xml,*/*;q=0.8' };
/** Of all pages together, as browsers get them over HTTPS: with Brotli. */
const MOST_BYTES = 150_000;
const MOST_BYTES_OF_FIRST_PAGE = 45 * 1024;
/** What is loaded when it is chosen: its files, how many there are, and how many bytes all of them may have. */
const LATE = {
  /** When a large form opens: forms, the worker that reads files, and the library for workbooks. */
  forms: { files: /^(?:forms|worker|universal)-/, count: 5, bytes: 45_000 },
  /** When a saved rule is changed, or has a shadow: who only reads triggers, or makes one, does without it. */
  changes: { files: /^changes-/, count: 1, bytes: 5_500 },
  /** On platforms with an identity provider only. */
  identities: { files: /^identities-/, count: 1, bytes: 1_200 },
  /** Where passwords and second factors are set up, or asked for. */
  factors: { files: /^factors-/, count: 1, bytes: 3_300 },
  /** When the outline of an environment is drawn, or a report is opened. */
  outlines: { files: /^(?:outline|report)-/, count: 2, bytes: 8_000 },
  /** When the history of an account or a group is opened; the words for operations, and names for ids. */
  history: { files: /^history-/, count: 1, bytes: 2_400 },
  /** When everything is exported or imported. */
  archives: { files: /^archives-/, count: 1, bytes: 2_200 },
  /** With the first alert of a group. */
  team: { files: /^team-/, count: 1, bytes: 2_000 },
};

describe('the console, over HTTP', () => {
  before(() => {
    ensureConsole();
  });
  const platform = usePlatform();

  it('is where the root leads browsers, while programs find there where the reference is', async () => {
    const browser = await platform.anonymous.get('/', BROWSER);
    assert.deepEqual([browser.status, browser.headers.get('vary')?.includes('Accept')], [302, true]);
    assert.equal(browser.headers.get('location'), './console/');
    const program = await platform.anonymous.get('/', { Accept: 'application/json' });
    assert.deepEqual(
      [program.status, program.body],
      [
        200,
        { name: 'Sensor data platform', reference: `${platform.url}/docs`, openapi: `${platform.url}/openapi.json` },
      ],
    );
    assert.deepEqual((await platform.anonymous.get('/', { Accept: '*/*' })).body, program.body);
    const posted = await platform.anonymous.post('/', {});
    assert.deepEqual([posted.status, posted.body.code], [404, 'unknown_path']);
    const reference = await platform.anonymous.get(new URL(program.body.openapi).pathname);
    assert.equal(reference.status, 200);
  });

  it('has a page at every address below it, which may load its own files and nothing else', async () => {
    for (const [path, root] of [
      ['/console/', '../'],
      ['/console', './'],
      ['/console/sensors/42?span=3600', '../../'],
    ] as const) {
      const page = await platform.anonymous.get(path, BROWSER);
      assert.equal(page.status, 200, path);
      assert.match(page.headers.get('content-type') ?? '', /^text\/html/);
      const policy = page.headers.get('content-security-policy') ?? '';
      assert.match(policy, /default-src 'none'; script-src 'self'; style-src 'self'/);
      assert.doesNotMatch(policy, /unsafe|\*|data:/);
      assert.equal(page.headers.get('x-frame-options'), 'DENY');
      assert.equal(page.headers.get('cache-control'), 'no-cache');
      const files = [...page.body.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, file]) => String(file));
      assert.ok(files.length >= 3);
      for (const file of files) {
        assert.ok(file.startsWith(`${root}console/`), `${path}: ${file}`);
        const found = await platform.anonymous.get(new URL(file, `${platform.url}${path}`).pathname);
        assert.equal(found.status, 200, file);
      }
      assert.doesNotMatch(page.body, /<script>|<style|style=/);
    }
  });

  it('serves the texts of other languages, although paths may end in .json', async () => {
    const name = readdirSync(ASSETS).find((one) => /^de-.*\.json$/.test(one));
    const { status, body, headers } = await platform.anonymous.get(`/console/assets/${name}`);
    assert.deepEqual([status, body.Sensors], [200, 'Sensoren']);
    assert.match(headers.get('cache-control') ?? '', /immutable/);
  });

  it('sends files that browsers may keep permanently, compressed as they ask, and no others', async () => {
    const [name] = readdirSync(ASSETS).filter((file) => /^index-.*\.js$/.test(file));
    const path = `/console/assets/${name}`;
    const whole = readFileSync(join(ASSETS, name ?? ''));
    const plain = await platform.anonymous.get(path, { 'Accept-Encoding': 'identity' });
    assert.equal(plain.body, whole.toString('utf8'));
    assert.equal(plain.headers.get('cache-control'), 'public, max-age=31536000, immutable');
    assert.match(plain.headers.get('vary') ?? '', /Accept-Encoding/);
    const zipped = await rawRequest(platform.url, path, { headers: { 'Accept-Encoding': 'gzip' } });
    assert.equal(zipped.headers['content-encoding'], 'gzip');
    assert.deepEqual(gunzipSync(zipped.bytes), whole);
    for (const missing of ['nothing.js', '..%2Findex.html', '%2e%2e%2f%2e%2e%2fpackage.json']) {
      assert.equal((await platform.anonymous.get(`/console/assets/${missing}`)).status, 404, missing);
    }
  });

  it('sends what the build has compressed: the first user does not wait for it', async () => {
    let costMs = 0;
    let sendMs = 0;
    for (const name of readdirSync(ASSETS)) {
      const began = cpuMs();
      const expected = brotliCompressSync(readFileSync(join(ASSETS, name)));
      const compressed = cpuMs();
      const sent = await rawRequest(platform.url, `/console/assets/${name}`, { headers: { 'Accept-Encoding': 'br' } });
      sendMs += cpuMs() - compressed;
      costMs += compressed - began;
      assert.deepEqual([sent.headers['content-encoding'], sent.bytes], ['br', expected], name);
    }
    assert.ok(sendMs < costMs / 2, `${sendMs} ms to send them, ${costMs} ms to compress them`);
  }).retries(2);

  it('sends every file of the build, with its type', async () => {
    const types: Record<string, string> = { js: 'text/javascript', css: 'text/css', json: 'application/json' };
    for (const name of readdirSync(ASSETS)) {
      const sent = await fetch(`${platform.url}/console/assets/${name}`);
      assert.equal(sent.status, 200, name);
      assert.equal(sent.headers.get('content-type')?.split(';')[0], types[name.split('.').at(-1) ?? ''], name);
      assert.equal(await sent.text(), readFileSync(join(ASSETS, name), 'utf8'), name);
    }
  });

  it('sends the configurations of devices as they are, which browsers check each time', async () => {
    for (const file of ['ways.txt', 'influx.txt']) {
      const sent = await fetch(`${platform.url}/console/ways-in/${file}`);
      assert.equal(sent.status, 200, file);
      assert.match(sent.headers.get('content-type') ?? '', /^text\/plain; charset=utf-8/);
      assert.equal(sent.headers.get('cache-control'), 'no-cache');
      assert.equal(await sent.text(), readFileSync(join(WAYS_IN, file), 'utf8'));
    }
    assert.equal((await platform.anonymous.get('/console/ways-in/nothing.txt')).status, 404);
  });

  it('can be installed: its manifest, its icons and its service worker, which browsers check each time', async () => {
    const manifest = await platform.anonymous.get('/console/manifest.webmanifest');
    assert.equal(manifest.status, 200);
    assert.match(manifest.headers.get('content-type') ?? '', /^application\/manifest\+json/);
    assert.equal(manifest.headers.get('cache-control'), 'no-cache');
    const { start_url, scope, display, icons } =
      typeof manifest.body === 'string' ? JSON.parse(manifest.body) : manifest.body;
    assert.deepEqual([start_url, scope, display], ['./', './', 'standalone']);
    for (const { src, type } of icons) {
      const icon = await platform.anonymous.get(`/console/${src}`);
      assert.equal(icon.status, 200, src);
      assert.match(icon.headers.get('content-type') ?? '', new RegExp(`^${type.replace('+', '\\+')}`));
      assert.equal(icon.headers.get('cache-control'), 'public, max-age=86400');
    }
    const worker = await platform.anonymous.get('/console/sw.js');
    assert.match(worker.headers.get('content-type') ?? '', /^text\/javascript/);
    assert.equal(worker.headers.get('cache-control'), 'no-cache');
    assert.equal(worker.headers.get('content-security-policy'), "default-src 'none'; connect-src 'self'");
    const { files } = JSON.parse(/^const SHELL=(\{.*?\});/.exec(worker.body)?.[1] ?? '{}');
    for (const name of readdirSync(ASSETS)) assert.ok(files.includes(`assets/${name}`), name);
    for (const file of files) assert.equal((await platform.anonymous.get(`/console/${file}`)).status, 200, file);
  });

  it(`has at most ${MOST_BYTES} bytes of scripts for pages, and few for what is loaded later`, () => {
    const scripts = readdirSync(ASSETS).filter((file) => file.endsWith('.js'));
    const sizeOf = (files: Iterable<string>, compress: (bytes: Buffer) => Buffer) =>
      [...files].reduce((sum, file) => sum + compress(readFileSync(join(ASSETS, file))).length, 0);
    const brotli = (bytes: Buffer) => brotliCompressSync(bytes);
    const isLate = (file: string) => Object.values(LATE).some(({ files }) => files.test(file));
    const ofPages = [...scripts.filter((file) => !isLate(file)), '../sw.js'];
    const page = readFileSync(join(ASSETS, '../index.html'), 'utf8');
    const first = withImports([...page.matchAll(/assets\/([\w-]+\.js)/g)].map(([, file = '']) => file));
    const [start, pages] = [sizeOf(first, brotli), sizeOf(ofPages, brotli)];
    const zipped = sizeOf(ofPages, (bytes) => gzipSync(bytes));
    console.log(`    ${pages} bytes of scripts, compressed, ${start} for the first page; ${zipped} with gzip`);
    assert.deepEqual([...withImports(ofPages)].filter(isLate), [], 'no page needs what is loaded later');
    for (const [name, { files, count, bytes }] of Object.entries(LATE)) {
      const found = scripts.filter((file) => files.test(file));
      const size = sizeOf(found, brotli);
      console.log(`    ${size} bytes for ${name}`);
      assert.equal(found.length, count, `files for ${name}`);
      assert.ok(size <= bytes, `${size} bytes for ${name}`);
    }
    assert.ok(start <= MOST_BYTES_OF_FIRST_PAGE, `${start} bytes for the first page`);
    assert.ok(pages <= MOST_BYTES, `${pages} bytes for pages`);
  });
});

/** The scripts, and all that they import as they start. */
function withImports(scripts: readonly string[]): Set<string> {
  const found = new Set(scripts);
  for (const script of found) {
    const text = readFileSync(join(ASSETS, script), 'utf8');
    for (const [, file = ''] of text.matchAll(/(?:from|import)\s*"\.\/([\w-]+\.js)"/g)) found.add(file);
  }
  return found;
}

/** Of all threads. */
function cpuMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
}
