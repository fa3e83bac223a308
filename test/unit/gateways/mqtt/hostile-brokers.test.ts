import assert from 'node:assert/strict';
import { Duplex } from 'node:stream';
import fc from 'fast-check';
import { BrokerConnection } from '../../../../src/gateways/mqtt/broker-connection';
import { PacketLimit } from '../../../../src/gateways/mqtt/packet-limit';

const CONNACK = { 4: [0x20, 2, 0, 0], 5: [0x20, 3, 0, 0, 0] };

/** Connects to a broker that sends these bytes and then closes. Returns why the connection ended. */
async function talk(protocolVersion: 4 | 5, chunks: readonly Buffer[]): Promise<Error | undefined> {
  const written: Buffer[] = [];
  const socket = new Duplex({
    read: () => undefined,
    write: (chunk: Buffer, _, done) => {
      written.push(chunk);
      done();
    },
  });
  const limit = socket.pipe(new PacketLimit(1_000, () => undefined));
  const stream = Duplex.from({ readable: limit, writable: socket });
  const ended = new Promise<Error | undefined>((resolve) => {
    new BrokerConnection(
      stream,
      { clientId: 'a', username: '', password: null, protocolVersion },
      {
        onConnected: () => undefined,
        onMessage: (_, next) => next(),
        onConfirmed: () => undefined,
        onEnd: resolve,
      },
    );
  });
  for (const chunk of chunks) socket.push(chunk);
  setImmediate(() => setImmediate(() => stream.destroy()));
  return ended;
}

describe('hostile brokers', () => {
  it('only end their own connection, whatever they send', async () => {
    const errors: unknown[] = [];
    const onError = (error: unknown) => errors.push(error);
    const listeners = process.listeners('uncaughtException');
    process.removeAllListeners('uncaughtException').on('uncaughtException', onError);
    try {
      const packet = fc
        .tuple(fc.integer({ min: 0, max: 255 }), fc.uint8Array({ maxLength: 40 }), fc.integer({ min: -2, max: 2 }))
        .map(([first, body, lie]) => Buffer.from([first, Math.max(0, body.length + lie), ...body]));
      const noise = fc.uint8Array({ maxLength: 60 }).map((bytes) => Buffer.from(bytes));
      const chunks = fc.array(fc.oneof({ weight: 4, arbitrary: packet }, noise), { maxLength: 6 });
      await fc.assert(
        fc.asyncProperty(
          fc.constantFrom(4 as const, 5 as const),
          fc.boolean(),
          chunks,
          async (version, greets, sent) => {
            await talk(version, greets ? [Buffer.from(CONNACK[version]), ...sent] : sent);
            await new Promise((resolve) => setImmediate(resolve));
            assert.deepEqual(errors, []);
          },
        ),
        { numRuns: 1_000 },
      );
    } finally {
      process.removeAllListeners('uncaughtException');
      for (const listener of listeners) process.on('uncaughtException', listener);
    }
  });
});
