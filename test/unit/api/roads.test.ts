import assert from 'node:assert/strict';
import { Operations } from '../../../src/api/operations';
import { Roads } from '../../../src/api/roads';

describe('the road of a request', () => {
  const operations = new Operations();
  let searches: string[];
  let roads: Roads;

  beforeEach(() => {
    searches = [];
    roads = new Roads({
      findProbe: (_method, path) => (path === '/healthz' ? () => undefined : undefined),
      findFile: (_method, path) => void searches.push(path),
      operations,
    });
  });

  it('follows from method and path alone, in all spellings of old clients', () => {
    const spellings = ['/sensors/7/data', '//sensors//7/data/', '/sensors/7/data.json', 'http://host/sensors/7/data'];
    for (const url of spellings) {
      const { path, matched, isInternal, isPage } = roads.of('GET', `${url}?page=2`);
      assert.deepEqual([path, matched?.operation.action], ['/sensors/7/data', 'readData'], url);
      assert.deepEqual([matched?.params, isInternal, isPage], [{ id: '7' }, false, false]);
    }
    assert.equal(roads.of('POST', '/sensors/7/data').matched?.operation.action, 'uploadData');
    assert.deepEqual(
      ['/sensors/7/data.csv', '/sensors/7/data.ndjson?x', '/sensors/7/data'].map((url) => roads.of('GET', url).format),
      ['csv', 'ndjson', undefined],
    );
    assert.equal(roads.of('POST', '/sensors/7/data.json').jsonSuffix, true);
  });

  it('is decided once for an operation, and each time for what is none', () => {
    for (let count = 0; count < 3; count += 1) {
      roads.of('POST', `/sensors/7/data?count=${count}`);
      roads.of('GET', '/nothing');
    }
    assert.deepEqual(searches, ['/sensors/7/data', '/nothing', '/nothing', '/nothing']);
  });

  it('is that of a probe, the board or a page', () => {
    assert.ok(roads.of('GET', '/healthz').isInternal);
    assert.ok(roads.of('GET', '/admin/queues?x').isInternal);
    assert.ok(!roads.of('GET', '/healthz/').isInternal);
    const isPage = (url: string) => roads.of('GET', url).isPage;
    assert.deepEqual(['/', '/docs/start', '/console?x', '/sensors', '/documents'].map(isPage), [
      ...[true, true, true],
      ...[false, false],
    ]);
  });

  it('is kept for 10,000 short paths at most, and fewer long ones', () => {
    const kept: object = Reflect.get(roads, 'kept');
    const keys = () =>
      ['newer', 'older'].flatMap((half) => [...(Reflect.get(kept, half) as Map<string, unknown>).keys()]);
    for (let id = 0; id < 25_000; id += 1) roads.of('POST', `/sensors/${id}/data`);
    assert.ok(keys().length > 1_000 && keys().length <= 10_000, `${keys().length} are kept`);
    for (let id = 0; id < 1_000; id += 1) roads.of('POST', `/sensors/${id}${'7'.repeat(8_000)}/data`);
    assert.ok(keys().join('').length <= 4_000_000);
  });
});
