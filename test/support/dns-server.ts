import { createSocket } from 'node:dgram';
import { type AddressInfo, isIPv6 } from 'node:net';

/** The addresses of a name of one family; undefined means no response at all. */
export type DnsAnswers = (name: string, family: 4 | 6) => string[] | undefined;

/** A name server over UDP (RFC 1035). `asked` has the name of every question. */
export async function startDnsServer(answers: DnsAnswers) {
  const asked: string[] = [];
  const socket = createSocket('udp4');
  socket.on('message', (question, { port, address }) => {
    const { name, end } = readName(question);
    const type = question.readUInt16BE(end);
    asked.push(name);
    const found = answers(name, type === 28 ? 6 : 4);
    if (!found) return;
    const header = Buffer.from(question.subarray(0, end + 4));
    header.writeUInt16BE(0x8180, 2);
    header.writeUInt16BE(found.length, 6);
    header.writeUInt32BE(0, 8);
    socket.send(Buffer.concat([header, ...found.map((text) => record(type, toBytes(text)))]), port, address);
  });
  await new Promise<void>((resolve) => socket.bind(0, '127.0.0.1', resolve));
  const { port }: AddressInfo = socket.address();
  return {
    address: `127.0.0.1:${port}`,
    asked,
    close: () => new Promise<void>((resolve) => socket.close(() => resolve())),
  };
}

function readName(message: Buffer): { name: string; end: number } {
  const labels: string[] = [];
  let at = 12;
  for (let length = message.readUInt8(at); length > 0; length = message.readUInt8(at)) {
    labels.push(message.toString('latin1', at + 1, at + 1 + length));
    at += 1 + length;
  }
  return { name: labels.join('.').toLowerCase(), end: at + 1 };
}

/** A record for the name of the question with a TTL of 0. */
function record(type: number, data: Buffer): Buffer {
  const head = Buffer.from([0xc0, 12, 0, type, 0, 1, 0, 0, 0, 0, 0, data.length]);
  return Buffer.concat([head, data]);
}

/** The bytes of an IPv4 address, or of an IPv6 address with all its eight groups. */
function toBytes(address: string): Buffer {
  if (!isIPv6(address)) return Buffer.from(address.split('.').map(Number));
  return Buffer.from(
    address
      .split(':')
      .map((group) => group.padStart(4, '0'))
      .join(''),
    'hex',
  );
}
