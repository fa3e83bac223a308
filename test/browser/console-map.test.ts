import assert from 'node:assert/strict';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { useBrowser } from '../support/browser';
import { ensureConsole, inspectConsole, signIn, watchErrors } from '../support/console';
import { buildEnvironment } from '../support/factories';
import { usePlatform, useUser } from '../support/hooks';
import { until } from '../support/until';

/** A grey square of one pixel. */
const TILE = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGO4DAAA0gDRJ1+/BgAAAABJRU5ErkJggg==',
  'base64',
);
const HOUSE = { latitude: 52.37035, longitude: 4.89575 };
const OUTLINE = '52.3702 4.8952,52.3705 4.8958,52.3703 4.8963';

describe('the map behind an outline', function () {
  this.timeout(60_000);
  let tiles: Server;
  const asked: IncomingMessage[] = [];
  const origin = () => `http://localhost:${(tiles.address() as AddressInfo).port}`;
  before(async () => {
    ensureConsole();
    tiles = createServer((request, response) => {
      asked.push(request);
      const isMissing = request.url?.endsWith('1.png');
      response.writeHead(isMissing ? 404 : 200, { 'Content-Type': 'image/png' }).end(isMissing ? '' : TILE);
    });
    await new Promise<void>((resolve) => tiles.listen(0, '127.0.0.1', resolve));
  });
  after(() => tiles?.close());
  const platform = usePlatform(() => ({
    config: {
      MAP_TILES_URL: `${origin()}/{z}/{x}/{y}.png`,
      MAP_TILES_ATTRIBUTION: '© "Tile makers" <x> https://tiles.example/copyright',
    },
  }));
  const user = useUser(platform);
  const browser = useBrowser();

  it('comes from the host of the setting and from nowhere else, and can be put away', async () => {
    const id = await buildEnvironment(user, { name: 'Home', gps_outline: OUTLINE });
    const page = await browser.open({ javaScriptEnabled: true });
    const errors = watchErrors(page);
    const hosts = new Set<string>();
    page.on('request', (request) => hosts.add(new URL(request.url()).origin));
    await signIn(page, platform.url, user);
    const response = await page.goto(`${platform.url}/console/environments/${id}/outline`);
    const policy = response?.headers()['content-security-policy'] ?? '';
    assert.ok(policy.includes(`img-src 'self' ${origin()};`), policy);
    assert.doesNotMatch(policy, /unsafe|\*|data:/);
    await page.getByRole('group', { name: 'Outline with 3 corners' }).waitFor();
    await until('tiles are there', async () => (await page.locator('.tiles img').count()) > 0 && asked.length > 0);
    await until(
      'missing tiles are left out',
      async () => (await page.locator('.tiles img[src$="1.png"]').count()) === 0,
    );
    await page.getByText('© "Tile makers" <x>').waitFor();
    assert.equal(
      await page.getByRole('link', { name: 'tiles.example/copyright' }).getAttribute('href'),
      'https://tiles.example/copyright',
    );
    await inspectConsole(page, 'environment-map');
    assert.deepEqual([...hosts].sort(), [platform.url, origin()].sort());
    for (const { headers } of asked)
      assert.deepEqual([headers.cookie, headers.referer], [undefined, `${platform.url}/`]);
    assert.ok(
      asked.some(({ url = '' }) => url === tileOf(HOUSE, Number(url.split('/')[1]))),
      `the house is on a tile: ${asked.map(({ url }) => url)}`,
    );
    const before = asked.length;
    await page.getByRole('button', { name: 'Map', pressed: true }).click();
    await page.locator('.attribution').waitFor({ state: 'detached' });
    assert.equal(await page.locator('.tiles').count(), 0);
    assert.equal(asked.length, before);
    assert.deepEqual(
      errors.filter((text) => !text.includes('404')),
      [],
    );
  });
});

/** As makers of maps count their tiles. */
function tileOf({ latitude, longitude }: typeof HOUSE, z: number): string {
  const angle = (latitude * Math.PI) / 180;
  const x = Math.floor(((longitude + 180) / 360) * 2 ** z);
  const y = Math.floor(((1 - Math.log(Math.tan(angle) + 1 / Math.cos(angle)) / Math.PI) / 2) * 2 ** z);
  return `/${z}/${x}/${y}.png`;
}
