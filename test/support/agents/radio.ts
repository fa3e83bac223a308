import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { createServer, type Socket } from 'node:net';

const SAMPLES_PER_SECOND = 250_000;
/** The middle of an unsigned byte, which stands for no signal, and a strong signal. */
const OFF = 127;
const ON = 240;
/** How often samples without a signal are sent: rtl_433 ends if it gets nothing for some seconds. */
const PAUSE_MS = 100;
/** Repetitions of a message, as its transmitter sends it. */
const REPETITIONS = 6;

/** What a thermometer of the type Nexus-TH transmits. */
export interface Transmission {
  /** 0 to 255. */
  id: number;
  /** 1 to 4. */
  channel: number;
  celsius: number;
  /** %, 0 to 100. */
  humidity: number;
}

/** A radio receiver with the protocol of rtl_tcp, which hears what a test transmits. */
export interface Radio {
  /** `127.0.0.1:port`. */
  address: string;
  transmit(transmission: Transmission): void;
  close(): Promise<void>;
}

export async function startRadio(): Promise<Radio> {
  const listeners = new Set<Socket>();
  const server = createServer((socket) => {
    const greeting = Buffer.alloc(12);
    greeting.write('RTL0');
    greeting.writeUInt32BE(5, 4); // the tuner R820T
    greeting.writeUInt32BE(29, 8); // its number of gains
    socket.write(greeting);
    socket.resume().on('error', () => socket.destroy());
    socket.once('close', () => listeners.delete(socket));
    listeners.add(socket);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo; // the address of a TCP server
  const send = (signal: Buffer) => {
    for (const socket of listeners) socket.write(signal);
  };
  const quiet = pause(PAUSE_MS * 1_000);
  const timer = setInterval(() => send(quiet), PAUSE_MS);
  return {
    address: `127.0.0.1:${port}`,
    transmit: (transmission) => send(modulate(transmission)),
    close: async () => {
      clearInterval(timer);
      for (const socket of listeners) socket.destroy();
      server.close();
    },
  };
}

/** The samples of a message: pulses of 500 µs, whose distance is the bit, then a pause. */
function modulate(transmission: Transmission): Buffer {
  const bits = bitsOf(transmission);
  const once = [...bits.flatMap((bit) => [pulse(), pause(bit ? 2_000 : 1_000)]), pulse(), pause(4_000)];
  const repeated = Array.from({ length: REPETITIONS }, () => once).flat();
  return Buffer.concat([...repeated, pause(300_000)]);
}

/** 36 bits: id, battery, 0, channel, tenths of a degree, 1111, humidity. */
function bitsOf({ id, channel, celsius, humidity }: Transmission): boolean[] {
  const tenths = Math.round(celsius * 10) & 0xfff;
  const fields: [number, number][] = [
    [id, 8],
    [2, 2],
    [channel - 1, 2],
    [tenths, 12],
    [15, 4],
    [humidity, 8],
  ];
  return fields.flatMap(([value, width]) =>
    Array.from({ length: width }, (_, index) => ((value >> (width - 1 - index)) & 1) === 1),
  );
}

function pulse(): Buffer {
  return samples(500, ON);
}

function pause(us: number): Buffer {
  return samples(us, OFF);
}

/** Pairs of bytes: the signal is in the first. */
function samples(us: number, level: number): Buffer {
  const pairs = Math.round((us * SAMPLES_PER_SECOND) / 1_000_000);
  return Buffer.from(Array.from({ length: pairs }, () => [level, OFF]).flat());
}
