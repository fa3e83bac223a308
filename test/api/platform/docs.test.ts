import assert from 'node:assert/strict';
import { GUIDES } from '../../../src/api/docs/guide-table';
import { readDocument } from '../../support/api-document';
import { usePlatform } from '../../support/hooks';
import { rawRequest } from '../../support/raw-request';

const BROWSER = { Accept: 'text/html,application/xhtml+xml,*/*;q=0.8' };
const REFERENCE = '/docs/reference';
/** Of the slowest connection that counts as fast: a page of the reference, compressed. */
const MOST_KB = 40;

describe('the documentation in the product', () => {
  const platform = usePlatform();
  const pages = new Map<string, string>();

  /** Every page that links lead to, by its path. */
  before(async () => {
    const waiting = ['/docs'];
    for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
      if (pages.has(path)) continue;
      const page = await platform.anonymous.get(path, BROWSER);
      assert.equal(page.status, 200, path);
      pages.set(path, String(page.body));
      waiting.push(
        ...linksIn(path)
          .filter(({ isPage }) => isPage)
          .map(({ pathname }) => pathname),
      );
    }
  });

  const linksIn = (path: string) =>
    [...(pages.get(path) ?? '').matchAll(/ (?:href|src)="([^"]+)"/g)]
      .map(([, target = '']) => new URL(target.replaceAll('&amp;', '&'), platform.url + path))
      .map((url) => ({
        ...{ origin: url.origin, pathname: url.pathname, anchor: decodeURIComponent(url.hash.slice(1)) },
        isPage: url.origin === platform.url && /^\/docs(\/(?!images)[\w/-]+)?$/.test(url.pathname),
      }));

  it('has every guide, and links between them that lead to pages and headings that exist', async () => {
    for (const { name } of GUIDES) assert.ok(pages.has(`/docs/${name}`), name);
    const files = new Set<string>();
    for (const path of pages.keys()) {
      for (const { origin, pathname, anchor, isPage } of linksIn(path)) {
        if (origin !== platform.url) continue;
        if (!isPage) files.add(pathname);
        else if (anchor) assert.ok(pages.get(pathname)?.includes(` id="${anchor}"`), `${path}: ${pathname}#${anchor}`);
      }
    }
    assert.ok(files.has('/docs/images/sensor.png') && files.has('/docs/operate/alerts.yml'));
    assert.ok(files.has('/docs/operate/grafana.json'));
    files.delete('/console/'); // built for the tests in a browser only
    for (const file of files) assert.equal((await platform.anonymous.get(file)).status, 200, file);
  });

  it('has one title on each page, and unique anchors', () => {
    for (const [path, page] of pages) {
      assert.equal(page.match(/<h1/g)?.length, 1, path);
      assert.match(page, /<html lang="en"/);
      const ids = [...page.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id);
      assert.deepEqual(
        ids.filter((id, index) => ids.indexOf(id) !== index),
        [],
        path,
      );
    }
  });

  it('runs its own script only, cannot be framed, loads nothing from other hosts and has relative addresses', async () => {
    for (const [path, page] of pages) {
      const { headers } = await platform.anonymous.get(path, BROWSER);
      assert.match(
        headers.get('content-security-policy') ?? '',
        /default-src 'none'; script-src 'self'; style-src 'self';/,
      );
      assert.doesNotMatch(headers.get('content-security-policy') ?? '', /unsafe|\*|data:/);
      assert.match(headers.get('content-security-policy') ?? '', /frame-ancestors 'none'/);
      assert.doesNotMatch(page, /<script>|<style|\sstyle="|\son\w+="/, path);
      assert.doesNotMatch(page, /(?:src|<link[^>]*href)="(?:https?:|\/)/, path);
      assert.doesNotMatch(page, / href="\//, path);
    }
  });

  it('leads an address with a slash at its end to the page', async () => {
    for (const [path, target] of [
      ['/docs/', '/docs'],
      ['/docs/operate/deploy/', '/docs/operate/deploy'],
    ] as const) {
      const { status, headers } = await rawRequest(platform.url, path);
      assert.equal(status, 301);
      assert.equal(new URL(String(headers.location), platform.url + path).pathname, target);
    }
  });

  it('shows people a page where there is none, and sends programs the error in JSON', async () => {
    for (const path of ['/docs/nothing', '/docs/reference/nothing', '/docs/decisions/README', '/docs/style.md']) {
      const page = await platform.anonymous.get(path, BROWSER);
      assert.deepEqual([page.status, page.headers.get('content-type')], [404, 'text/html; charset=utf-8']);
      assert.match(page.body, /<h1>Page not found<\/h1>/);
      const { status, body } = await platform.anonymous.get(path);
      assert.deepEqual([status, body.code], [404, 'unknown_path'], path);
    }
    for (const path of ['/docs/../package.json', '/docs/images/..%2f..%2fpackage.json', '/docs/images/../../package']) {
      assert.equal((await rawRequest(platform.url, path)).status, 404, path);
    }
    const posted = await platform.anonymous.post('/docs/alerts', {});
    assert.deepEqual([posted.status, posted.body.code], [404, 'unknown_path']);
  });

  it('has every guide as Markdown, with links to other guides and to files that exist', async () => {
    const guides = GUIDES.map(({ name }) => `/docs/${name}.md`);
    let links = 0;
    for (const path of guides) {
      const { text, status, headers } = await rawRequest(platform.url, path);
      assert.deepEqual([status, headers['content-type']], [200, 'text/markdown; charset=utf-8'], path);
      assert.match(text, /^# \S/, path);
      for (const [, target = ''] of text.replace(/^```[\s\S]*?^```$/gm, '').matchAll(/\]\(([^)\s]+)\)/g)) {
        if (/^(https?:|#)/.test(target)) continue;
        const { pathname } = new URL(target, platform.url + path);
        assert.ok(
          guides.includes(pathname) || (await platform.anonymous.get(pathname)).status === 200,
          `${path}: ${target}`,
        );
        links += 1;
      }
    }
    assert.ok(links > 100, `${links} links`);
  });

  it('lists the guides for programs that read text', async () => {
    const { text, headers } = await rawRequest(platform.url, '/llms.txt');
    assert.equal(headers['content-type'], 'text/plain; charset=utf-8');
    assert.match(text, /^# Sensor data platform\n\n> A self-hosted backend [^\n]+\n\n## API\n/);
    const listed = [...text.matchAll(/^- \[[^\]]+\]\(([^)]+)\): \S/gm)].map(([, target = '']) => target);
    assert.deepEqual(listed, ['openapi.json', ...GUIDES.map(({ name }) => `docs/${name}.md`)]);
  });

  it('is small enough for a phone', async () => {
    for (const path of pages.keys()) {
      const { bytes } = await rawRequest(platform.url, path, { headers: { 'Accept-Encoding': 'br' } });
      assert.ok(bytes.length < MOST_KB * 1_000, `${path}: ${bytes.length} bytes`);
    }
  });

  it('describes every operation once, with an example in each language and the address of the page in it', async () => {
    const { operations } = await readDocument(platform);
    const reference = [...pages].filter(([path]) => path.startsWith(`${REFERENCE}/`)).map(([, page]) => page);
    for (const { operationId, path, summary = '' } of operations) {
      const found = reference.filter((page) => page.includes(`<h2 id="${operationId}">${summary}`));
      assert.equal(found.length, 1, operationId);
      const [, section = ''] = found[0]?.split(`<h2 id="${operationId}">`) ?? [];
      const own = section.split('<h2 id=')[0] ?? '';
      assert.ok(own.includes(`<code>${path}</code>`), operationId);
      for (const language of ['curl', 'python', 'javascript']) {
        assert.match(own, new RegExp(`class="sample ${language}"`), operationId);
      }
      assert.equal(own.match(/<span data-address>/g)?.length, 3, operationId);
    }
    assert.match(pages.get(`${REFERENCE}/data-points`) ?? '', /<article>\s*<section[^>]*>\s*<h2 id="uploadData">/);
  });

  it('finds guides, headings and operations, by whole words first', async () => {
    const found = async (query: string) => {
      const page = await platform.anonymous.get(`/docs/search?q=${encodeURIComponent(query)}`, BROWSER);
      assert.equal(page.status, 200);
      return [...String(page.body).matchAll(/<li><a href="\.\.\/(docs\/[^"]+)"><strong>/g)].map(([, target]) => target);
    };
    for (const query of ['escalation', 'escalate']) assert.equal((await found(query))[0], 'docs/alerts#escalation');
    assert.equal((await found('mute'))[0], 'docs/alerts#mutes');
    assert.equal((await found('login'))[0], 'docs/reference/sessions-and-account#login');
    assert.equal((await found('quiet hours'))[0], 'docs/recipes#quiet-hours');
    assert.equal((await found('uploadData'))[0], 'docs/reference/data-points#uploadData');
    assert.equal((await found('Create a trigger'))[0], 'docs/reference/triggers#createTrigger');
    assert.ok((await found('sensor')).length <= 20);
    assert.deepEqual(await found('no such thing anywhere'), []);
    assert.deepEqual(await found(''), []);
  });

  it('shows what was searched as text', async () => {
    for (const query of ['<script>alert(1)</script>', '"><img src=x>', '(((', '\\', '.*', 'x'.repeat(5_000)]) {
      const page = await platform.anonymous.get(`/docs/search?q=${encodeURIComponent(query)}`, BROWSER);
      assert.equal(page.status, 200);
      assert.doesNotMatch(page.body, /<script>|<img src=x|x{101}/, query);
    }
    for (const query of ['', '?q', '?q[]=a&q[]=b', '?q[a]=b']) {
      assert.equal((await platform.anonymous.get(`/docs/search${query}`, BROWSER)).status, 200, query);
    }
  });
});

describe('the documentation of an instance with a public address', () => {
  const platform = usePlatform({ config: { PUBLIC_URL: 'https://sensors.example.org/iot' } });

  it('has this address in all examples', async () => {
    const { body } = await platform.anonymous.get('/docs/reference/data-points', BROWSER);
    assert.match(body, /curl &#39;https:\/\/sensors\.example\.org\/iot\/sensors\/42\/data&#39;/);
    assert.doesNotMatch(body, /localhost|data-address/);
  });
});
