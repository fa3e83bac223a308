import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { Redis } from 'ioredis';
import pino from 'pino';
import { StreamSignal } from '../../src/points/streams/stream-signal';
import { openRedis, RedisClient } from '../../src/queue';
import { startCuttable } from '../support/cuttable';
import { required } from '../support/platform';
import { until } from '../support/until';

describe('the signal of streams', () => {
  it('is heard again after the connection was lost', async () => {
    const cuttable = await startCuttable(required('REDIS_URL'));
    const { signal, close } = await open(cuttable.url);
    let heard = 0;
    signal.listen(() => {
      heard += 1;
    });
    await until('it is connected', () => heard > 0);
    await cuttable.cut();
    await cuttable.restore();
    await until('it is connected again', () => heard > 1);
    // Not its own signals, which need no Redis.
    const other = await open(required('REDIS_URL'));
    const before = heard;
    await until('a signal of another process is heard', () => {
      other.signal.notify();
      return heard > before;
    });
    signal.ignore();
    other.close();
    close();
    await cuttable.close();
  });

  it('may be ignored at the moment at which its connection comes back', async () => {
    const { signal, redis, close } = await open(required('REDIS_URL'));
    const unhandled: unknown[] = [];
    const note = (reason: unknown) => void unhandled.push(reason);
    process.on('unhandledRejection', note);
    let heard = 0;
    let connected = 0;
    const duplicate = redis.duplicate.bind(redis);
    redis.duplicate = (options) => {
      const connection = duplicate(options);
      const info = connection.info.bind(connection);
      // The last thing that a connection asks before it is ready.
      const infoThenIgnore = (...given: unknown[]) => {
        const answer = Reflect.apply(info, connection, given);
        connected += 1;
        if (connected > 1) signal.ignore();
        return answer;
      };
      return Object.assign(connection, { info: infoThenIgnore });
    };
    signal.listen(() => {
      heard += 1;
    });
    await until('it is connected', () => heard > 0);
    await redis.call('CLIENT', 'KILL', 'TYPE', 'pubsub');
    await until('it is connecting again', () => connected > 1);
    await sleep(200);
    process.off('unhandledRejection', note);
    assert.deepEqual(unhandled, []);
    close();
  });
});

async function open(url: string) {
  const redis = openRedis(url, pino({ level: 'silent' }));
  assert.ok(redis instanceof Redis);
  const signal = new StreamSignal(redis, new RedisClient(redis), 'signal');
  return { signal, redis, close: () => redis.disconnect() };
}
