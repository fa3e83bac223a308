import type { Duplex } from 'node:stream';
import { type IPublishPacket, MqttClient } from 'mqtt';
import { MAX_PACKET_BYTES } from './broker-stream';

const KEEPALIVE_S = 60;
const CONNECT_MS = 15_000;
/** The broker decides how long it keeps a session without a client. */
const NEVER = 0xffffffff;
/** Maximum number of messages without an acknowledgement, in MQTT 5. */
export const RECEIVE_MAXIMUM = 1_000;
const FILTERS_PER_PACKET = 8;
/** Grants are a QoS up to 2; from here on they are refusals. */
const REFUSED_FROM = 128;
const PUBACK = 0x40;
/** MQTT.js continues with the next packet after an error, and sends no acknowledgement. */
const LATER = new Error('acknowledged later');

export interface DeliveredMessage {
  topic: string;
  payload: Buffer;
  /** Undefined for QoS 0, which is not acknowledged. */
  packetId: number | undefined;
  isRepeated: boolean;
  isRetained: boolean;
}

export interface BrokerLogin {
  clientId: string;
  username: string;
  password: string | null;
  protocolVersion: 4 | 5;
}

export interface ConnectionEvents {
  onConnected(isResumed: boolean): void;
  /** `next` asks for the next message. */
  onMessage(message: DeliveredMessage, next: () => void): void;
  onConfirmed(acknowledged: number): void;
  /** Called once, at the end. */
  onEnd(error: Error | undefined): void;
}

/** Acknowledges only when asked to: MQTT.js would do so one message at a time. */
export class BrokerConnection {
  private readonly client: MqttClient;
  private error: Error | undefined;
  private hasEnded = false;
  private acknowledged = 0;
  /** Number of acknowledgements before each ping without an answer. */
  private readonly pings: number[] = [];
  private awaited: { after: number; done: () => void }[] = [];

  constructor(
    stream: Duplex,
    login: BrokerLogin,
    private readonly events: ConnectionEvents,
  ) {
    // MQTT.js reports only errors with a code.
    stream.on('error', (error) => {
      this.error ??= error;
    });
    this.client = new MqttClient(() => stream, optionsFor(login));
    this.client.handleMessage = (packet, done) => {
      const next = packet.qos === 0 ? () => done() : () => done(LATER);
      if (!this.hasEnded) events.onMessage(messageOf(packet), next);
    };
    this.client.on('connect', ({ sessionPresent }) => events.onConnected(sessionPresent));
    this.client.on('error', (error) => {
      this.error ??= error;
      this.close();
    });
    this.client.on('disconnect', ({ reasonCode }) => {
      this.error ??= new Error(`the broker ended the connection with reason code ${reasonCode ?? 0}`);
    });
    this.client.on('close', () => this.end());
    this.followPings();
    this.client.connect();
  }

  /** Subscribes with QoS 1. Returns the filters that the broker refused. */
  async subscribe(filters: readonly string[]): Promise<string[]> {
    const refused: string[] = [];
    for (let at = 0; at < filters.length; at += FILTERS_PER_PACKET) {
      const some = filters.slice(at, at + FILTERS_PER_PACKET);
      const granted = await this.grantsOf(some);
      refused.push(...some.filter((_, index) => Number(granted[index]) >= REFUSED_FROM));
    }
    return refused;
  }

  async unsubscribe(filters: readonly string[]): Promise<void> {
    for (let at = 0; at < filters.length; at += FILTERS_PER_PACKET) {
      await this.client.unsubscribeAsync(filters.slice(at, at + FILTERS_PER_PACKET));
    }
  }

  acknowledge(packetIds: readonly number[]): void {
    if (this.hasEnded || packetIds.length === 0) return;
    this.client.stream.write(Buffer.concat(packetIds.map((id) => Buffer.of(PUBACK, 2, id >> 8, id & 0xff))));
    this.acknowledged += packetIds.length;
  }

  ping(): void {
    if (!this.hasEnded && this.pings.length === 0) this.client.sendPing();
  }

  /** Resolves when the broker has sent what it was asked for before. Never, if the connection ends. */
  answered(): Promise<void> {
    return new Promise((done) => {
      if (this.hasEnded) return;
      this.awaited.push({ after: this.pings.length, done });
      this.client.sendPing();
    });
  }

  /** Leaves the session at the broker. */
  close(): void {
    this.client.end(true);
    this.client.stream.destroy();
    this.end();
  }

  private grantsOf(filters: string[]): Promise<(number | object)[]> {
    return new Promise((resolve, reject) => {
      // MQTT.js reports a refusal as an error, with the packet that names the grants.
      this.client.subscribe(filters, { qos: 1 }, (error, _grants, packet) => {
        if (packet) resolve(packet.granted);
        else reject(error ?? new Error('the broker does not answer'));
      });
    });
  }

  private onAnswer(): void {
    const answered = this.awaited.filter(({ after }) => after === 0);
    this.awaited = this.awaited.filter(({ after }) => after > 0).map(({ after, done }) => ({ after: after - 1, done }));
    for (const { done } of answered) done();
  }

  private end(): void {
    if (this.hasEnded) return;
    this.hasEnded = true;
    this.events.onEnd(this.error);
  }

  /** A broker answers in order: the answer to a ping confirms all that was sent before it. */
  private followPings(): void {
    this.client.on('packetsend', ({ cmd }) => {
      if (cmd === 'pingreq') this.pings.push(this.acknowledged);
    });
    this.client.on('packetreceive', ({ cmd }) => {
      const confirmed = cmd === 'pingresp' ? this.pings.shift() : undefined;
      if (confirmed !== undefined) this.events.onConfirmed(confirmed);
      if (cmd === 'pingresp') this.onAnswer();
    });
  }
}

function optionsFor({ clientId, username, password, protocolVersion }: BrokerLogin) {
  const properties = {
    sessionExpiryInterval: NEVER,
    receiveMaximum: RECEIVE_MAXIMUM,
    maximumPacketSize: MAX_PACKET_BYTES,
  };
  return {
    ...{ clientId, protocolVersion, clean: false, keepalive: KEEPALIVE_S, connectTimeout: CONNECT_MS },
    ...{ reconnectPeriod: 0, resubscribe: false, manualConnect: true, timerVariant: 'native' as const },
    ...(username !== '' && { username }),
    ...(password !== null && { password }),
    ...(protocolVersion === 5 && { properties }),
  };
}

function messageOf({ topic, payload, qos, messageId, dup, retain }: IPublishPacket): DeliveredMessage {
  const bytes = typeof payload === 'string' ? Buffer.from(payload) : payload;
  const packetId = qos === 0 ? undefined : messageId;
  return { topic, payload: bytes, packetId, isRepeated: dup, isRetained: retain };
}
