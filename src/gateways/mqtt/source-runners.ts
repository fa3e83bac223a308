import { isAway } from '../../storage/mysql-errors';
import type { MqttParts } from './mqtt-parts';
import { planPlaces } from './place-plan';
import { type HeldSource, LEASE_MS } from './source-leases';
import { SourceRunner } from './source-runner';
import { SuspectSources } from './suspect-sources';

const EVERY_MS = 1_000;
/** How long suspects are connected, and how much longer for each further one, because they share a processor. */
const TRIED_MS = 7_000;
const TRIED_LONGER_MS = 50;
/** Other processes take the rest. */
const MAX_PLACES = 100;

/** Connects to the brokers of leased sources, as long as the worker runs. */
export class SourceRunners {
  private readonly runners = new Map<number, SourceRunner>();
  private readonly leaving = new Set<number>();
  private timer: NodeJS.Timeout | undefined;
  private work: Promise<void> | undefined;
  private isClosing = false;
  private leasedUntilMs = 0;

  private readonly suspects: SuspectSources | undefined;

  constructor(private readonly parts: MqttParts) {
    const { careful, leases, clock, logger } = parts;
    this.suspects = careful && new SuspectSources({ careful, leases, clock, logger });
  }

  open(): void {
    this.isClosing = false;
    this.suspects?.open();
    this.timer = setInterval(() => this.poll(), EVERY_MS);
    this.poll();
  }

  /** Gives the leases back. */
  async close(): Promise<void> {
    this.isClosing = true;
    this.suspects?.close();
    clearInterval(this.timer);
    await this.work;
    const ids = [...this.runners.keys()];
    await Promise.all([...this.runners.values()].map((runner) => runner.stop()));
    await this.parts.leases.release(ids, this.parts.clock.now()).catch(() => undefined); // they expire soon
  }

  /** Long enough for messages that the broker repeats; in the lone process. */
  async tryTogether(ids: readonly number[]): Promise<void> {
    const { leases, clock } = this.parts;
    await leases.take(ids, clock.now(), Number.MAX_SAFE_INTEGER);
    const held = (await leases.held(clock.now())).filter(({ id }) => ids.includes(id));
    const renewing = setInterval(() => leases.renew(ids, clock.now()).catch(() => undefined), EVERY_MS);
    const triedMs = TRIED_MS + held.length * TRIED_LONGER_MS;
    try {
      await Promise.all(held.map((source) => this.tryOne(source, triedMs)));
    } finally {
      clearInterval(renewing);
    }
    await leases.release(ids, clock.now());
  }

  private async tryOne({ id, revision }: HeldSource, triedMs: number): Promise<void> {
    const runner = new SourceRunner(this.parts, id, revision);
    await new Promise<void>((resolve) => {
      runner.start(resolve);
      setTimeout(resolve, triedMs);
    });
    await runner.stop();
  }

  describe(): string {
    return `${this.runners.size} connections to MQTT brokers`;
  }

  /** Runs once at a time. Ends connections whose leases were not renewed. */
  private poll(): void {
    if (this.parts.clock.now() > this.leasedUntilMs) for (const runner of this.runners.values()) void runner.stop();
    this.work ??= this.follow().finally(() => {
      this.work = undefined;
    });
  }

  private async follow(): Promise<void> {
    try {
      const nowMs = this.parts.clock.now();
      await this.parts.leases.renew([...this.runners.keys()], nowMs);
      await this.shareOut(nowMs);
      const held = await this.parts.leases.held(nowMs);
      this.leasedUntilMs = nowMs + LEASE_MS;
      const revisions = new Map(held.map(({ id, revision }) => [id, revision]));
      for (const runner of this.runners.values()) if (revisions.get(runner.id) !== runner.revision) void runner.stop();
      for (const source of held) this.start(source);
    } catch (error) {
      if (!isAway(error)) this.parts.logger.warn({ err: error }, 'the MQTT sources could not be read');
    }
  }

  /** Where places are short, owners with the most give some away. */
  private async shareOut(nowMs: number): Promise<void> {
    const { leases, waiting } = this.parts;
    const next = await waiting.next(MAX_PLACES, nowMs);
    if (next.length === 0) return;
    const all = await leases.held(nowMs);
    const ofOwners = await waiting.places(nowMs);
    for (const { id, ownerId } of all) {
      if (this.leaving.has(id)) ofOwners.set(ownerId, (ofOwners.get(ownerId) ?? 1) - 1);
    }
    const held = all.filter(({ id }) => !this.leaving.has(id));
    const { take, leave } = planPlaces({ limit: MAX_PLACES, held, ofOwners, waiting: next });
    for (const id of leave) this.yieldPlace(id);
    await leases.take(take.slice(0, Math.max(0, MAX_PLACES - all.length)), nowMs);
    if (take.length < next.length) await waiting.report(nowMs);
  }

  private yieldPlace(id: number): void {
    const { leases, clock, logger } = this.parts;
    const runner = this.runners.get(id);
    this.leaving.add(id);
    const left = Promise.resolve(runner?.stop()).then(() => leases.yieldPlace(id, clock.now()));
    left
      .catch((error) => {
        if (!isAway(error)) logger.warn({ mqttSourceId: id, err: error }, 'an MQTT source could not leave its place');
      })
      .finally(() => this.leaving.delete(id));
  }

  private start({ id, revision }: HeldSource): void {
    if (this.isClosing || this.runners.has(id) || this.leaving.has(id)) return;
    const runner = new SourceRunner(this.parts, id, revision, this.suspects);
    this.runners.set(id, runner);
    // Another runner starts next time, if the lease is still there.
    runner.start(() => this.runners.delete(id));
  }
}
