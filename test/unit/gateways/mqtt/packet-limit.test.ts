import assert from 'node:assert/strict';
import fc from 'fast-check';
import { type LargeMessage, PacketLimit } from '../../../../src/gateways/mqtt/packet-limit';

const LIMIT = 64;

function publish(topic: string, payload: Buffer, { qos = 1, id = 7 } = {}): Buffer {
  const name = Buffer.from(topic);
  const body = Buffer.concat([
    Buffer.of(name.length >> 8, name.length & 255),
    name,
    ...(qos > 0 ? [Buffer.of(id >> 8, id & 255)] : []),
    payload,
  ]);
  return packet(0x30 | (qos << 1), body);
}

function packet(first: number, body: Buffer): Buffer {
  const length: number[] = [];
  let left = body.length;
  do {
    const digit = left % 128;
    left = Math.floor(left / 128);
    length.push(left > 0 ? digit | 128 : digit);
  } while (left > 0);
  return Buffer.concat([Buffer.of(first, ...length), body]);
}

async function pass(chunks: readonly Buffer[]): Promise<{ passed: Buffer; large: LargeMessage[]; error?: string }> {
  const large: LargeMessage[] = [];
  const limit = new PacketLimit(LIMIT, (message) => large.push(message));
  const passed: Buffer[] = [];
  limit.on('data', (chunk: Buffer) => passed.push(chunk));
  const ended = new Promise<string | undefined>((resolve) => {
    limit.once('error', ({ message }) => resolve(message));
    limit.once('end', () => resolve(undefined));
  });
  for (const chunk of chunks) limit.write(chunk);
  limit.end();
  const error = await ended;
  return { passed: Buffer.concat(passed), large, ...(error !== undefined && { error }) };
}

describe('the limit of packets', () => {
  it('passes small packets and takes large messages out, however the stream is cut', async () => {
    const part = fc.record({
      isLarge: fc.boolean(),
      size: fc.integer({ min: 0, max: 20 }),
      qos: fc.constantFrom(0, 1),
    });
    const cuts = fc.array(fc.integer({ min: 1, max: 300 }), { maxLength: 20 });
    await fc.assert(
      fc.asyncProperty(fc.array(part, { maxLength: 8 }), cuts, async (parts, sizes) => {
        const packets = parts.map(({ isLarge, size, qos }, id) =>
          publish(`t/${id}`, Buffer.alloc(isLarge ? 200 * (size + 1) : size, 'x'), { qos, id }),
        );
        const all = Buffer.concat([packet(0xd0, Buffer.alloc(0)), ...packets]);
        const chunks: Buffer[] = [];
        for (let at = 0, index = 0; at < all.length; index += 1) {
          const size = sizes[index % Math.max(1, sizes.length)] ?? all.length;
          chunks.push(all.subarray(at, at + size));
          at += size;
        }
        const { passed, large, error } = await pass(chunks);
        assert.equal(error, undefined);
        const small = packets.filter((_, index) => !parts[index]?.isLarge);
        assert.deepEqual(passed, Buffer.concat([packet(0xd0, Buffer.alloc(0)), ...small]));
        const expected = parts.flatMap(({ isLarge, qos }, id) =>
          isLarge ? [{ topic: `t/${id}`, packetId: qos === 1 ? id : undefined }] : [],
        );
        assert.deepEqual(large, expected);
      }),
      { numRuns: 200 },
    );
  });

  it('ends a stream that is no MQTT, is too large otherwise, or has QoS 2', async () => {
    assert.match((await pass([Buffer.from([0x30, 255, 255, 255, 255, 1])])).error ?? '', /no MQTT/);
    assert.match((await pass([packet(0x20, Buffer.alloc(100))])).error ?? '', /too large/);
    assert.match((await pass([publish('t', Buffer.of(1), { qos: 2 })])).error ?? '', /QoS 2/);
    const broken = packet(0x32, Buffer.concat([Buffer.of(255, 255), Buffer.alloc(100)]));
    assert.match((await pass([broken])).error ?? '', /no MQTT/);
  });
});
