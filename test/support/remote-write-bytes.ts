import { pushTimeseries } from 'prometheus-remote-write';
import { compressSync } from 'snappy';
import { type RemoteWrite, readRemoteWrite as remoteWriteSteps } from '../../src/gateways/protocols/remote-write';

export { remoteWriteSteps };

type Timeseries = Exclude<Parameters<typeof pushTimeseries>[0], unknown[]>;

/** The body that the package `prometheus-remote-write`, an independent sender, makes of these series. */
export async function sentBody(series: Timeseries[]): Promise<Uint8Array> {
  let sent: ArrayBufferLike = new ArrayBuffer(0);
  await pushTimeseries(series, {
    url: 'https://sensors.example.com/api/v1/write',
    fetch: async (_url, request) => {
      sent = request?.body ?? sent;
      return { status: 204, statusText: 'No Content', text: async () => '' };
    },
  });
  return new Uint8Array(sent);
}

/** A snappy block of these messages, for bytes that no sender makes. */
export function block(...parts: Uint8Array[]): Uint8Array {
  return compressSync(Buffer.concat(parts));
}

/** A field of the wire type 2: a message, a text or bytes. */
export function field(number: number, ...parts: (Uint8Array | string)[]): Buffer {
  const content = Buffer.concat(parts.map((part) => Buffer.from(part)));
  return Buffer.concat([varint((number << 3) | 2), varint(content.length), content]);
}

export function varint(value: number | bigint): Buffer {
  const bytes: number[] = [];
  let left = BigInt.asUintN(64, BigInt(value));
  for (; left > 0x7fn; left >>= 7n) bytes.push(Number(left & 0x7fn) | 0x80);
  return Buffer.from([...bytes, Number(left)]);
}

export function label(name: string, value: string): Buffer {
  return field(1, field(1, name), field(2, value));
}

/** A sample; its value may be given as eight bytes. */
export function sample(value: number | Buffer, timestamp: number | bigint): Buffer {
  const double = Buffer.alloc(8);
  if (typeof value === 'number') double.writeDoubleLE(value);
  const bytes = typeof value === 'number' ? double : value;
  return field(2, Buffer.from([0x09]), bytes, Buffer.from([0x10]), varint(timestamp));
}

/** A field of `WriteRequest`. */
export function timeseries(...parts: Buffer[]): Buffer {
  return field(1, ...parts);
}

/** Reads a message in one go. */
export function readRemoteWrite(body: Uint8Array): RemoteWrite {
  for (const steps = remoteWriteSteps(body); ; ) {
    const { done, value } = steps.next();
    if (done) return value;
  }
}
