import assert from 'node:assert/strict';
import { readConfig } from '../../../src/platform/config';
import { parseMapTiles } from '../../../src/platform/map-tiles';

const NEEDED = { MYSQL_URL: 'mysql://root@localhost/sensors', REDIS_URL: 'redis://localhost' };

describe('the addresses of the tiles of a map', () => {
  it('have an origin, and places for the numbers of a tile in their path', () => {
    const url = 'https://tile.example.org:8443/osm/{z}/{x}/{y}.png?key=1';
    assert.deepEqual(parseMapTiles(url), { url, origin: 'https://tile.example.org:8443' });
    assert.equal(parseMapTiles('http://[::1]:80/{z}/{y}/{x}')?.origin, 'http://[::1]');
  });

  for (const url of [
    'https://tile.example.org/{z}/{x}.png',
    'https://{x}.example.org/{z}/{x}/{y}.png',
    'https://*/{z}/{x}/{y}.png',
    "https://a;script-src'unsafe-inline'/{z}/{x}/{y}.png",
    'https://a b/{z}/{x}/{y}.png',
    'https://user:secret@example.org/{z}/{x}/{y}.png',
    'ftp://example.org/{z}/{x}/{y}.png',
    'data:image/png,{z}{x}{y}',
    '/{z}/{x}/{y}.png',
    '{z}{x}{y}',
  ])
    it(`are refused as ${url}`, () => assert.equal(parseMapTiles(url), undefined));

  it('are not set by default, and need the name of who made the map', () => {
    assert.equal(readConfig(NEEDED).mapTiles, undefined);
    const MAP_TILES_URL = 'https://tile.example.org/{z}/{x}/{y}.png';
    assert.throws(
      () => readConfig({ ...NEEDED, MAP_TILES_URL }),
      /MAP_TILES_ATTRIBUTION: is required with MAP_TILES_URL/,
    );
    const { mapTiles } = readConfig({ ...NEEDED, MAP_TILES_URL, MAP_TILES_ATTRIBUTION: '© us' });
    assert.deepEqual(mapTiles, { url: MAP_TILES_URL, origin: 'https://tile.example.org', attribution: '© us' });
  });
});
