import type { MqttDecoder } from '../protocols/mqtt';
import type { BrokerConnection } from './broker-connection';
import type { LeasedSource } from './source-leases';
import { withoutCovered } from './topic-filter';
import type { GatedWork } from './work-gate';

const MAX_NAMED = 500;
const MAX_NAMED_LENGTH = 65_536;
/** Descriptions come in great numbers, so their topics are collected. */
const COLLECT_MS = 500;

interface SubscriptionParts {
  source: LeasedSource;
  decoder: MqttDecoder;
  work: GatedWork;
  connection: BrokerConnection;
  save(filters: string[]): Promise<void>;
  report(problem: { lastError: string }): void;
  onError(error: unknown): void;
}

/**
 * A resumed session keeps its filters: subscribing again would bring all retained messages. Only filters that describe
 * others are subscribed each time.
 */
export class Subscriptions {
  private current: string[] = [];
  private timer: NodeJS.Timeout | undefined;
  private adjusting: Promise<void> = Promise.resolve();
  private isOpen = false;

  constructor(private readonly parts: SubscriptionParts) {}

  /** Ends when the broker has answered. */
  begin(isResumed: boolean): Promise<void> {
    const { source, decoder } = this.parts;
    this.current = isResumed ? (source.subscribed ?? []) : [];
    this.isOpen = true;
    return this.afterwards(() => this.adjust(decoder.describing(source.topics)));
  }

  /** The decoder has named further topics. */
  onNamed(): void {
    this.timer ??= setTimeout(() => {
      this.timer = undefined;
      if (this.isOpen) this.afterwards(() => this.adjust([])).catch(this.parts.onError);
    }, COLLECT_MS);
  }

  close(): void {
    this.isOpen = false;
    clearTimeout(this.timer);
  }

  private afterwards(work: () => Promise<void>): Promise<void> {
    this.adjusting = this.adjusting.then(work);
    return this.adjusting;
  }

  private async adjust(again: readonly string[]): Promise<void> {
    const { source, connection, work } = this.parts;
    const wanted = await work.run(() => this.wanted());
    const [had, isWanted] = [new Set(this.current), new Set(wanted)];
    const unwanted = this.current.filter((filter) => !isWanted.has(filter));
    await connection.unsubscribe(unwanted);
    // What describes others comes first.
    const asked = [...new Set([...again, ...wanted.filter((filter) => !had.has(filter))])];
    const refused = new Set(await connection.subscribe(asked));
    const granted = wanted.filter((filter) => !refused.has(filter));
    const denied = asked.filter((filter) => refused.has(filter));
    if (denied.length > 0) this.parts.report({ lastError: whyDenied(denied) });
    const isChanged = JSON.stringify(granted) !== JSON.stringify(source.subscribed ?? null);
    this.current = granted;
    source.subscribed = granted;
    if (isChanged) await this.parts.save(granted);
  }

  private wanted(): string[] {
    const { source, decoder } = this.parts;
    const all = decoder.named();
    const named = firstOf(all);
    if (named.length < all.length) {
      const lastError = `only ${named.length} of the ${all.length} topics that descriptions name are subscribed to: more are too many or too long`;
      this.parts.report({ lastError });
    }
    return withoutCovered([...source.topics, ...decoder.describing(source.topics), ...named]);
  }
}

function whyDenied(filters: readonly string[]): string {
  const others = filters.length > 1 ? ` and ${filters.length - 1} others` : '';
  return `the broker refuses the subscription to ${filters[0]}${others}: nothing arrives from there. Allow it in the access list of the broker`;
}

function firstOf(topics: readonly string[]): string[] {
  let length = 0;
  const end = topics.findIndex((topic, index) => {
    length += topic.length;
    return index >= MAX_NAMED || length > MAX_NAMED_LENGTH;
  });
  return topics.slice(0, end < 0 ? topics.length : end);
}
