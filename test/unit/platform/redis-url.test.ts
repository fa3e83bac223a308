import assert from 'node:assert/strict';
import { parseRedisUrl } from '../../../src/platform/redis-url';

describe('the URL of Redis', () => {
  const nodesOf = (text: string) => parseRedisUrl(text)?.nodes.map(({ host, port }) => `${host} ${port}`);

  it('names one server, or several nodes of a cluster', () => {
    assert.deepEqual(nodesOf('redis://localhost'), ['localhost 6379']);
    assert.deepEqual(nodesOf('redis://:p%40ss@10.0.0.1:7000/2'), ['10.0.0.1 7000']);
    assert.equal(parseRedisUrl('redis://localhost:7000')?.isCluster, false);
    const cluster = parseRedisUrl('rediss://user:p%40s,s@one:7000,two,[::1]:7002') ?? assert.fail();
    assert.deepEqual(cluster, {
      nodes: [
        { host: 'one', port: 7000 },
        { host: 'two', port: 6379 },
        { host: '::1', port: 7002 },
      ],
      isCluster: true,
      masterName: undefined,
      isTls: true,
      username: 'user',
      password: 'p@s,s',
    });
  });

  it('names sentinels, one or several, and the master that they know', () => {
    const one = parseRedisUrl('redis://:secret@one?sentinel=main') ?? assert.fail();
    assert.deepEqual([one.nodes, one.masterName, one.isCluster], [[{ host: 'one', port: 26379 }], 'main', false]);
    const several = parseRedisUrl('redis://one:7000,two:7001/?sentinel=main') ?? assert.fail();
    assert.deepEqual([several.nodes.length, several.masterName, several.isCluster], [2, 'main', false]);
  });

  it('is refused when a node cannot be read, or a cluster is to have a numbered database', () => {
    for (const text of [
      '',
      'http://localhost',
      'redis://',
      'redis://one,,two',
      'redis://one:x,two',
      'redis://one:7000,two:7001/3',
      'redis://one:7000/3?sentinel=main',
    ]) {
      assert.equal(parseRedisUrl(text), undefined, text);
    }
  });
});
