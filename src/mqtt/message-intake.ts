import type { Decoded, MqttDecoder } from '../protocols/mqtt';
import { UnreadableMessage } from '../protocols/unreadable';
import type { DeliveredMessage } from './broker-connection';
import { MessageStore, type StoreParts, type WaitingMessage } from './message-store';
import { hashOf, NO_HASH, type StoredPacket } from './stored-packets';
import type { GatedWork } from './work-gate';

/** Maximum number and memory of messages that wait to be stored. Beyond, no further message is read from the broker. */
const MAX_WAITING = 1_000;
const MAX_WAITING_BYTES = 524_288;
/** What a waiting point takes in addition to its value, roughly. */
const POINT_BYTES = 400;
/** Messages of one commit. */
const MAX_BATCH = 500;
/** The server dates the points of a commit by the time of its first message. */
const MAX_BATCH_MS = 1_000;
/** From this number of acknowledgements on, the broker is asked to confirm them. */
const ASK_FROM = 64;
/** A broker that has repeated no message for this time repeats no more of them on this connection. */
const REPEATED_WITHIN_MS = 30_000;

export interface IntakeParts extends StoreParts {
  broker: { acknowledge(packetIds: readonly number[]): void; ping(): void };
  decoder: MqttDecoder;
  work: GatedWork;
  /** The decoder has named topics. */
  onNamed(): void;
}

/**
 * The messages of one connection, from their arrival to their acknowledgement. Messages that arrive during a commit are
 * stored together by the next one, and acknowledged in their order after it. Nothing is acknowledged before the commit.
 */
export class MessageIntake {
  private readonly store: MessageStore;
  private waiting: WaitingMessage[] = [];
  private waitingBytes = 0;
  private storing: Promise<void> | undefined;
  private isClosed = false;
  /** Ends when all messages that have arrived are decoded. */
  private decoding: Promise<void> = Promise.resolve();
  /** Asks for the next message, once there is room for it. */
  private next: (() => void) | undefined;
  /** When the connection began, or the latest repeated message arrived or was acknowledged. */
  private repeatedMs: number;

  constructor(private readonly parts: IntakeParts) {
    this.store = new MessageStore(parts);
    this.repeatedMs = parts.clock.now();
  }

  /** Takes a message of the broker; calls `next` as soon as there is room for another one. */
  receive(message: DeliveredMessage, next: () => void): void {
    this.inOrder(async () => {
      await this.parts.work.run(() => this.read(message));
      this.next = next;
      this.askForNext();
    });
  }

  /** Identifies a message, and decodes it unless it is known. */
  private read(message: DeliveredMessage): void {
    if (this.isClosed) return;
    const { packetId } = message;
    const packet = packetId === undefined ? undefined : { packetId, hash: hashOf(message) };
    if (!packet || !this.isKnown(packet, message.isRepeated)) this.take(message, packet);
  }

  private inOrder(work: () => void | Promise<void>): void {
    this.decoding = this.decoding
      .then(work)
      .catch((error) => this.parts.reports.onFault(error))
      .then(() => {
        if (!this.isClosed) this.startStoring();
      });
  }

  /** The broker has this number of acknowledgements. */
  onConfirmed(acknowledged: number): void {
    const { packets, clock } = this.parts;
    packets.onConfirmed(acknowledged);
    const isWaiting = this.waiting.some(({ isRepeated }) => isRepeated);
    if (!isWaiting && clock.now() - this.repeatedMs > REPEATED_WITHIN_MS) packets.forgetEarlier();
    this.askForConfirmation();
  }

  /** A message that is too large to be read: it is reported, and acknowledged in its order. */
  onLarge(topic: string, packetId: number | undefined): void {
    this.parts.reports.onUnreadable(topic, 'is too large');
    if (packetId === undefined) return;
    const packet = { packetId, hash: NO_HASH };
    this.inOrder(() => this.add({ packet, points: [], topic: '', bytes: 0, described: [], isRepeated: false }));
  }

  /** Drops what waits, which the broker delivers again. Ends when the commit that is running has ended. */
  async close(): Promise<void> {
    this.isClosed = true;
    this.store.close();
    await this.storing;
  }

  /** True for a message that is stored already, or that waits. */
  private isKnown(packet: StoredPacket, isRepeated: boolean): boolean {
    const { packets, reports, clock } = this.parts;
    const { packetId, hash } = packet;
    if (isRepeated) this.repeatedMs = clock.now();
    const isStored = packets.includes(packet, isRepeated);
    if (!isRepeated) return false;
    if (this.waiting.some(({ packet: one }) => one?.packetId === packetId && one.hash === hash)) return true;
    if (!isStored) return false;
    reports.count('repeated');
    this.add({ packet, points: [], topic: '', bytes: 0, described: [], isRepeated });
    return true;
  }

  private take(message: DeliveredMessage, packet: StoredPacket | undefined): void {
    const { points, described = [], note } = this.decode(message);
    const { topic, isRepeated } = message;
    if (note !== undefined) this.parts.reports.onNote(topic, note);
    if (points.length === 0 && described.length === 0 && !packet) return;
    const bytes =
      topic.length + sizeOf(points) + described.reduce((sum, { content }) => sum + (content ?? '').length, 0);
    this.add({ packet, points, topic, bytes, described, isRepeated });
    if (described.length > 0) this.parts.onNamed();
  }

  private decode(message: DeliveredMessage): Decoded {
    const { decoder, reports } = this.parts;
    try {
      const decoded = decoder.decode(message);
      if (decoded.points.length === 0) reports.count(decoded.described ? 'described' : 'ignored');
      return decoded;
    } catch (error) {
      if (!(error instanceof UnreadableMessage)) reports.onFault(error);
      reports.onUnreadable(message.topic, error instanceof UnreadableMessage ? error.message : 'cannot be read');
      return { points: [] };
    }
  }

  private add(waiting: Omit<WaitingMessage, 'receivedMs'>): void {
    this.waiting.push({ ...waiting, receivedMs: this.parts.clock.now() });
    this.waitingBytes += waiting.bytes;
  }

  /** Asks for the next message if there is room. */
  private askForNext(): void {
    const isFull = this.waiting.length >= MAX_WAITING || this.waitingBytes >= MAX_WAITING_BYTES;
    if (isFull || this.isClosed) return;
    const { next } = this;
    this.next = undefined;
    next?.();
  }

  private startStoring(): void {
    this.storing ??= this.storeAll().finally(() => {
      this.storing = undefined;
    });
  }

  private async storeAll(): Promise<void> {
    while (this.waiting.length > 0 && !this.isClosed) {
      const stored = await this.store.store(this.nextBatch());
      if (stored === 0) return;
      this.acknowledge(stored);
    }
  }

  private nextBatch(): WaitingMessage[] {
    const untilMs = (this.waiting[0]?.receivedMs ?? 0) + MAX_BATCH_MS;
    const end = this.waiting.findIndex(({ receivedMs }, index) => index >= MAX_BATCH || receivedMs > untilMs);
    return this.waiting.slice(0, end < 0 ? this.waiting.length : end);
  }

  /** Acknowledges the first messages, which are stored. */
  private acknowledge(count: number): void {
    if (this.isClosed) return;
    const batch = this.waiting.splice(0, count);
    this.waitingBytes -= batch.reduce((sum, { bytes }) => sum + bytes, 0);
    if (batch.some(({ isRepeated }) => isRepeated)) this.repeatedMs = this.parts.clock.now();
    const acknowledged = batch.flatMap(({ packet }) => packet ?? []);
    this.parts.broker.acknowledge(acknowledged.map(({ packetId }) => packetId));
    this.parts.packets.onAcknowledged(acknowledged);
    this.askForConfirmation();
    this.askForNext();
  }

  private askForConfirmation(): void {
    if (this.parts.packets.open >= ASK_FROM) this.parts.broker.ping();
  }
}

function sizeOf(points: Decoded['points']): number {
  return points.reduce((sum, { value }) => sum + value.length + POINT_BYTES, 0);
}
