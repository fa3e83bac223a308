import assert from 'node:assert/strict';
import { availableParallelism, loadavg } from 'node:os';
import { buildNotification, buildSensor, buildTrigger } from './factories';
import { type Receiver, startReceiver } from './receiver';
import type { StandingPlatform } from './standing-platform';
import { Stopwatch } from './stopwatch';

/** The limits that hold for other users during every attack. */
const BAR = { deliveryMs: 5_000, answerMs: 2_000, healthMs: 1_000, memoryMb: 700, apiMemoryMb: 700 };
const { ATTACK_SLACK } = process.env;
/** Other files run at the same time, and may begin after the load is measured. */
const SHARED = 2;
const MOST = 5;
const SENSORS = 90;
const BEAT_MS = 1_000;
const GRACE_MS = 10_000;

/**
 * How many times as long everything may take, by the load of the machine: to be asked before an attack begins, because the
 * attack is a part of the load. Files that run alone, and `npm run attacks`, allow no more than the limits.
 */
export function slack(loadPerCore = (loadavg()[0] ?? 0) / availableParallelism()): number {
  if (ATTACK_SLACK) return Number(ATTACK_SLACK);
  return Math.min(MOST, SHARED * Math.max(1, loadPerCore));
}

/** The longest that a bystander waited, in ms, and the most memory of a process and of the API, in MB. */
export interface Seen {
  deliveryMs: number;
  uploadMs: number;
  readMs: number;
  healthMs: number;
  memoryMb: number;
  apiMemoryMb: number;
  beats: number;
  /** How many times the limits were allowed. */
  slack: number;
}

const NOTHING_SEEN: Readonly<Seen> = {
  deliveryMs: 0,
  uploadMs: 0,
  readMs: 0,
  healthMs: 0,
  memoryMb: 0,
  apiMemoryMb: 0,
  beats: 0,
  slack: 1,
};

/**
 * A user who each second uploads a point that fires a trigger, reads, and gets the delivery, during an attack by others.
 * A trigger fires once a minute on a sensor, so each beat takes another sensor.
 */
export class Bystander {
  private readonly seen: Seen = { ...NOTHING_SEEN };
  private readonly refused: string[] = [];
  private beat = 0;

  private constructor(
    private readonly platform: StandingPlatform,
    private readonly receiver: Receiver,
    private readonly session: string,
    private readonly sensorIds: readonly string[],
  ) {}

  static async on(platform: StandingPlatform): Promise<Bystander> {
    const receiver = await startReceiver();
    const user = await platform.user();
    const triggerId = await buildTrigger(user, { expression: 'sensor_data_value > 0' });
    const text = '$sensor_id $sensor_data_value';
    const notificationId = await buildNotification(user, { destination: receiver.url, text });
    const sensorIds = await Promise.all(Array.from({ length: SENSORS }, () => buildSensor(user)));
    const action = { connect_trigger: { id: triggerId, notifications: [notificationId] } };
    const { body } = await user.api.post('/sensors/bulk', { sensors: sensorIds, action });
    assert.deepEqual(body, { done: SENSORS, failed: [] });
    const bystander = new Bystander(platform, receiver, user.session, sensorIds);
    await bystander.once(); // so that the first, slower time does not count
    bystander.reset();
    return bystander;
  }

  /** Continues during the attack and for a while after it; fails when a limit was exceeded. Returns its measurements. */
  async during(attack: () => Promise<unknown>, { graceMs = GRACE_MS } = {}): Promise<Seen> {
    this.reset();
    this.seen.slack = slack();
    let isOver = false;
    const ended = attack().finally(() => {
      isOver = true;
    });
    ended.catch(() => undefined); // reported below
    const beats: Promise<void>[] = [];
    for (let lastMs = Number.POSITIVE_INFINITY; Date.now() < lastMs; ) {
      if (isOver && lastMs === Number.POSITIVE_INFINITY) lastMs = Date.now() + Math.min(graceMs, 3 * BEAT_MS);
      beats.push(this.once());
      await new Promise((resolve) => setTimeout(resolve, BEAT_MS));
    }
    await ended;
    await Promise.all(beats);
    this.check();
    return { ...this.seen };
  }

  async close(): Promise<void> {
    await this.receiver.close();
  }

  private check(): void {
    const { deliveryMs, uploadMs, readMs, healthMs, memoryMb, apiMemoryMb, slack: allowed } = this.seen;
    const seen = `${JSON.stringify(this.seen)}: ${allowed} times the limits are allowed`;
    assert.deepEqual(this.refused, [], seen);
    assert.ok(deliveryMs < BAR.deliveryMs * allowed, `a delivery took too long: ${seen}`);
    assert.ok(Math.max(uploadMs, readMs) < BAR.answerMs * allowed, `an answer took too long: ${seen}`);
    assert.ok(healthMs < BAR.healthMs * allowed, `/healthz took too long: ${seen}`);
    assert.ok(memoryMb < BAR.memoryMb, `a process grew too large: ${seen}`);
    assert.ok(apiMemoryMb < BAR.apiMemoryMb, `the API grew too large: ${seen}`);
    for (const { name, hasEnded } of this.platform.processes) assert.equal(hasEnded(), false, `the ${name} has ended`);
  }

  private async once(): Promise<void> {
    const sensorId = this.sensorIds[this.beat % this.sensorIds.length];
    this.beat += 1;
    this.seen.beats += 1;
    const watch = new Stopwatch();
    const value = String(Date.now());
    const tasks = [
      this.time('GET', '/healthz').then((ms) => this.atLeast('healthMs', ms)),
      this.time('GET', '/sensors?per_page=10').then((ms) => this.atLeast('readMs', ms)),
      this.time('GET', `/sensors/${sensorId}/data?per_page=10`).then((ms) => this.atLeast('readMs', ms)),
      this.time('POST', `/sensors/${sensorId}/data`, { value }).then((ms) => this.atLeast('uploadMs', ms)),
    ];
    for (const { name, residentMb } of this.platform.processes) {
      this.atLeast('memoryMb', residentMb());
      if (name === 'api') this.atLeast('apiMemoryMb', residentMb());
    }
    await Promise.all(tasks);
    const isHere = () => this.receiver.received.some(({ form }) => form.text === `${sensorId} ${value}`);
    while (!isHere() && watch.read() < (this.seen.slack + 2) * BAR.deliveryMs)
      await new Promise((resolve) => setTimeout(resolve, 20));
    this.atLeast('deliveryMs', watch.stop());
  }

  private async time(method: string, path: string, body?: unknown): Promise<number> {
    const watch = new Stopwatch();
    try {
      const response = await fetch(this.platform.url + path, {
        method,
        headers: { 'X-SESSION_ID': this.session, 'Content-Type': 'application/json' },
        body: body === undefined ? undefined : JSON.stringify(body),
        signal: AbortSignal.timeout(120_000),
      });
      await response.arrayBuffer();
      if (response.status >= 300) this.refused.push(`${method} ${path}: ${response.status}`);
    } catch (error) {
      this.refused.push(`${method} ${path}: ${String(error)}`);
    }
    return watch.stop();
  }

  private atLeast(what: Exclude<keyof Seen, 'slack'>, value: number): void {
    this.seen[what] = Math.max(this.seen[what], value);
  }

  private reset(): void {
    Object.assign(this.seen, NOTHING_SEEN);
    this.refused.length = 0;
  }
}
