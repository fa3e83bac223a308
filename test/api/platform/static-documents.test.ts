import assert from 'node:assert/strict';
import { brotliDecompressSync, gunzipSync, gzipSync, inflateSync } from 'node:zlib';
import { usePlatform } from '../../support/hooks';
import { rawRequest } from '../../support/raw-request';

const PAGES = ['/docs', '/docs/alerts', '/docs/reference/triggers'];
const KEPT = ['/docs/page.css', '/docs/page.js'];
const LARGEST = '/openapi.json';
const FILES = [LARGEST, ...PAGES, ...KEPT];
const UNPACK = { br: brotliDecompressSync, gzip: gunzipSync, deflate: inflateSync };
/** Of each file, in the test of what they cost. */
const TIMES = 30;

describe('the OpenAPI document, and the pages of the documentation', () => {
  const platform = usePlatform();

  const get = (path: string, encoding?: string, headers: Record<string, string> = {}) =>
    rawRequest(platform.url, path, { headers: { ...(encoding && { 'Accept-Encoding': encoding }), ...headers } });

  const head = (path: string, encoding: string) =>
    rawRequest(platform.url, path, { method: 'HEAD', headers: { 'Accept-Encoding': encoding } });

  it('are the same in every encoding', async () => {
    for (const path of FILES) {
      const plain = await get(path);
      assert.deepEqual([plain.status, plain.headers['content-encoding']], [200, undefined], path);
      assert.equal(plain.headers['content-length'], String(plain.bytes.length));
      for (const [encoding, unpack] of Object.entries(UNPACK)) {
        const packed = await get(path, encoding);
        assert.equal(packed.headers['content-encoding'], encoding, path);
        assert.match(packed.headers.vary ?? '', /Accept-Encoding/);
        assert.equal(packed.headers['content-type'], plain.headers['content-type']);
        assert.ok(unpack(packed.bytes).equals(plain.bytes), `${path} ${encoding}`);
      }
    }
    const { text, bytes } = await get('/openapi.json');
    assert.equal(JSON.parse(text).openapi, '3.1.0');
    assert.ok((await get('/openapi.json', 'gzip, deflate, br')).bytes.length < bytes.length / 10);
    const image = await get('/docs/images/sensor.png');
    assert.deepEqual([image.status, image.headers['content-type']], [200, 'image/png']);
  });

  it('are not sent again to a client that has them', async () => {
    for (const path of FILES) {
      const { headers } = await get(path, 'gzip');
      const again = await get(path, 'br', { 'If-None-Match': String(headers.etag) });
      assert.deepEqual([again.status, again.bytes.length, again.headers.etag], [304, 0, headers.etag], path);
      assert.equal((await get(path, 'gzip', { 'If-None-Match': 'W/"another"' })).status, 200);
    }
  });

  it('are compressed once, not for each client', async () => {
    const { bytes } = await get(LARGEST);
    const once = cpuMsOf(() => gzipSync(bytes));
    for (const encoding of ['br', 'gzip', 'deflate']) {
      await get(LARGEST, encoding);
      const began = process.cpuUsage();
      for (let time = 0; time < TIMES; time += 1) await head(LARGEST, encoding);
      const ms = cpuMsSince(began);
      assert.ok(ms < (TIMES * once) / 2, `${TIMES} times ${encoding} took ${ms} ms; one compression ${once} ms`);
    }
  });

  it('say how long they may be kept', async () => {
    for (const [path, kept] of [
      ...[LARGEST, ...PAGES].map((path) => [path, 'no-cache'] as const),
      ...[...KEPT, '/pages/style.css'].map((path) => [path, 'public, max-age=31536000, immutable'] as const),
    ]) {
      assert.equal((await get(path)).headers['cache-control'], kept, path);
    }
  });
});

function cpuMsOf(work: () => unknown): number {
  const began = process.cpuUsage();
  work();
  return cpuMsSince(began);
}

/** Of all threads. */
function cpuMsSince(began: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(began);
  return Math.round((user + system) / 1_000);
}
