import type { Decoded, MqttDecoder } from '../protocols/mqtt';
import type { DeliveredMessage } from './broker-connection';
import { HeldMessages } from './held-messages';
import { KeptMessages } from './kept-messages';
import { MessageReader } from './message-reader';
import { MessageStore, type StoreParts } from './message-store';
import type { RecentMessage } from './recent-message';
import { hashOf, NO_HASH, type StoredPacket } from './stored-packets';
import type { WaitingMessage } from './waiting-message';
import type { GatedWork } from './work-gate';

/** No further message is read from the broker beyond this. */
const MAX_WAITING = 1_000;
const MAX_WAITING_BYTES = 524_288;
/** Approximate, in addition to the value. */
const POINT_BYTES = 400;
/** Messages of one commit. */
const MAX_BATCH = 500;
/** The server dates the points of a commit by its first message. */
const MAX_BATCH_MS = 1_000;
/** After so many acknowledgements the broker is asked to confirm them. */
const ASK_FROM = 64;
/** After so long without a repeated message, the broker repeats no more on this connection. */
const REPEATED_WITHIN_MS = 30_000;

export interface IntakeParts extends StoreParts {
  broker: { acknowledge(packetIds: readonly number[]): void; ping(): void };
  decoder: MqttDecoder;
  work: GatedWork;
  /** The decoder has named topics. */
  onNamed(): void;
}

/** Acknowledged in its order, without points. */
const NOTHING = { points: [], topic: '', bytes: 0, described: [], leads: [], isRepeated: false, isRetained: false };

/** What arrives during a commit is stored by the next one, and acknowledged in order after it. */
export class MessageIntake {
  private readonly store: MessageStore;
  private readonly reader: MessageReader;
  private readonly held: HeldMessages;
  private readonly kept = new KeptMessages(() => this.startStoring());
  private reportedKept = 0;
  private waiting: WaitingMessage[] = [];
  private waitingBytes = 0;
  private storing: Promise<void> | undefined;
  private isClosed = false;
  /** All arrived messages are decoded. */
  private decoding: Promise<void> = Promise.resolve();
  private next: (() => void) | undefined;
  /** The beginning of the connection, or the latest repeated message. */
  private repeatedMs: number;

  constructor(private readonly parts: IntakeParts) {
    this.store = new MessageStore(parts);
    this.reader = new MessageReader(parts);
    this.held = new HeldMessages(parts.decoder.describing(parts.source.topics));
    this.repeatedMs = parts.clock.now();
  }

  receive(message: DeliveredMessage, next: () => void): void {
    const fate = this.held.hold(message);
    if (fate === 'held') {
      next();
      return;
    }
    if (fate === 'full') this.begin();
    this.inOrder(async () => {
      if (fate === 'passes') await this.parts.work.run(() => this.read(message));
      this.next = next;
      this.askForNext();
    });
  }

  begin(): void {
    for (const message of this.held.release()) this.inOrder(() => this.parts.work.run(() => this.read(message)));
  }

  private read(message: DeliveredMessage): void {
    if (this.isClosed) return;
    const { packetId } = message;
    const packet = packetId === undefined ? undefined : { packetId, hash: hashOf(message) };
    if (!packet || !this.isKnown(packet, message)) this.take(message, packet);
  }

  private inOrder(work: () => void | Promise<void>): void {
    this.decoding = this.decoding
      .then(work)
      .catch((error) => this.parts.reports.onFault(error))
      .then(() => {
        if (!this.isClosed) this.startStoring();
      });
  }

  onConfirmed(acknowledged: number): void {
    const { packets, clock } = this.parts;
    packets.onConfirmed(acknowledged);
    const isWaiting = this.waiting.some(({ isRepeated }) => isRepeated);
    if (!isWaiting && clock.now() - this.repeatedMs > REPEATED_WITHIN_MS) packets.forgetEarlier();
    this.askForConfirmation();
  }

  onLarge(topic: string, packetId: number | undefined): void {
    const record = this.recordOf({ topic, payload: Buffer.alloc(0), isRetained: false });
    this.parts.reports.onUnreadable(record, 'is too large');
    if (packetId === undefined) return;
    this.inOrder(() => this.add({ ...NOTHING, packet: { packetId, hash: NO_HASH }, record }));
  }

  /** Drops what waits: the broker delivers it again. Ends after a running commit. */
  async close(): Promise<void> {
    this.isClosed = true;
    this.store.close();
    this.kept.close();
    await this.storing;
  }

  /** Stored already, or waiting. */
  private isKnown(packet: StoredPacket, message: DeliveredMessage): boolean {
    const { packets, reports, clock } = this.parts;
    const { packetId, hash } = packet;
    const { isRepeated } = message;
    if (isRepeated) this.repeatedMs = clock.now();
    const isStored = packets.includes(packet, isRepeated);
    if (!isRepeated) return false;
    if (this.kept.includes(packetId)) return true;
    if (this.waiting.some(({ packet: one }) => one?.packetId === packetId && one.hash === hash)) return true;
    if (!isStored) return false;
    const record = this.recordOf(message);
    reports.onNothing(record, 'repeated', 'delivered again by the broker, and stored before');
    this.add({ ...NOTHING, packet, record, isRepeated });
    return true;
  }

  private take(message: DeliveredMessage, packet: StoredPacket | undefined): void {
    const record = this.recordOf(message);
    const { points, described = [], leads = [] } = this.reader.read(message, record);
    const { topic, isRepeated, isRetained } = message;
    if (points.length === 0 && described.length === 0 && !packet) return;
    const bytes =
      topic.length + sizeOf(points) + described.reduce((sum, { content }) => sum + (content ?? '').length, 0);
    this.add({ packet, points, topic, bytes, described, leads, isRepeated, isRetained, record });
    if (described.length > 0) this.parts.onNamed();
  }

  private recordOf(message: Pick<DeliveredMessage, 'topic' | 'payload' | 'isRetained'>): RecentMessage {
    return this.parts.reports.onArrival(message, this.parts.clock.now());
  }

  private add(waiting: Omit<WaitingMessage, 'receivedMs'>): void {
    this.waiting.push({ ...waiting, receivedMs: waiting.record.receivedMs });
    this.waitingBytes += waiting.bytes;
  }

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
    while (!this.isClosed) {
      this.tryKept();
      if (this.waiting.length === 0) return;
      const stored = await this.store.store(this.nextBatch());
      if (stored === 0) return;
      this.acknowledge(stored);
    }
  }

  private nextBatch(): WaitingMessage[] {
    const [first] = this.waiting;
    const untilMs = (first?.receivedMs ?? 0) + MAX_BATCH_MS;
    // Points of a topic are stored before the topic gets another device.
    const end = this.waiting.findIndex(
      ({ receivedMs, leads }, index) =>
        index >= MAX_BATCH || receivedMs > untilMs || (index > 0 && leads.length + (first?.leads.length ?? 0) > 0),
    );
    return this.waiting.slice(0, end < 0 ? this.waiting.length : end);
  }

  private tryKept(): void {
    const due = this.kept.takeDue();
    this.waiting.unshift(...due);
    this.waitingBytes += due.reduce((sum, { bytes }) => sum + bytes, 0);
  }

  private acknowledge(count: number): void {
    if (this.isClosed) return;
    const batch = this.waiting.splice(0, count);
    this.waitingBytes -= batch.reduce((sum, { bytes }) => sum + bytes, 0);
    if (batch.some(({ isRepeated }) => isRepeated)) this.repeatedMs = this.parts.clock.now();
    const acknowledged = batch.filter((message) => !this.keep(message)).flatMap(({ packet }) => packet ?? []);
    this.reportKept();
    this.parts.broker.acknowledge(acknowledged.map(({ packetId }) => packetId));
    this.parts.packets.onAcknowledged(acknowledged);
    this.askForConfirmation();
    this.askForNext();
  }

  private reportKept(): void {
    const { length } = this.kept;
    if (length !== this.reportedKept) this.parts.reports.onKeptChange(length);
    this.reportedKept = length;
  }

  private keep(message: WaitingMessage): boolean {
    const { reports } = this.parts;
    const { refusal, record } = message;
    if (!refusal) return false;
    const isKept = this.kept.keep(message);
    if (isKept) reports.onKept(record, refusal);
    else reports.onRefused(record, refusal);
    return isKept;
  }

  private askForConfirmation(): void {
    if (this.parts.packets.open >= ASK_FROM) this.parts.broker.ping();
  }
}

function sizeOf(points: Decoded['points']): number {
  return points.reduce((sum, { value }) => sum + value.length + POINT_BYTES, 0);
}
