// Causes one incident after another until it is stopped, and records each with its times.
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Redis } from 'ioredis';
import { randomSource } from './random.mjs';

const KINDS = [
  ['worker', 8],
  ['API', 5],
  ['frozen worker', 2],
  ['all workers', 1],
  ['all APIs', 1],
  ['Redis', 2],
  ['Redis with its files', 2],
  ['FLUSHALL', 3],
  ['MySQL', 2],
];

/** Numbers of partitions, with their weights. */
const PARTITIONS = [
  [1, 1],
  [2, 2],
  [3, 1],
  [8, 2],
];

/**
 * A process that was just started takes several times as long for everything. With shorter pauses two cores were busy for the
 * whole run, and what came late was late because of the test.
 */
const PAUSE_MS = [8_000, 40_000];
/** Longer than the recovery: what is due at its end has no excuse. One of each QUIET_EVERY pauses, the third one first. */
const QUIET_MS = [16_000, 20_000];
const QUIET_EVERY = 4;

/** How long a further worker stays. Each start takes seconds of a core. */
const STAY_MS = [30_000, 120_000];

export class Chaos {
  /** Number of further workers that have joined and left. */
  guests = 0;
  /** `{ what, fromMs, toMs }`: the server that was down, from when, and when it was ready again. */
  incidents = [];
  #isOver = false;

  constructor(cluster, random, log) {
    this.cluster = cluster;
    this.random = random;
    this.log = log;
  }

  /** Continues until `end()`; anything that is down at that moment is started again first. */
  async run() {
    const guests = this.#welcomeGuests();
    for (let index = 0; !this.#isOver; index += 1) {
      await this.#watch(this.random.between(...Chaos.pauseBefore(index)));
      if (!this.#isOver) await this.#break(this.random.pick(KINDS));
    }
    await guests;
  }

  /** Workers join and leave all the time, each with a different number of partitions, which then applies to all. */
  async #welcomeGuests() {
    const random = randomSource(this.random.between(0, 2 ** 31 - 1));
    while (!this.#isOver) {
      const guest = this.cluster.guest({ SENSOR_PARTITIONS: String(random.pick(PARTITIONS)) });
      await guest.start();
      await this.#pause(random.between(...STAY_MS));
      const wasRunning = guest.isRunning; // a worker without MySQL or Redis has ended by itself
      if (!(await guest.stop())) throw new Error('a worker did not end after SIGTERM');
      if (wasRunning) this.guests += 1;
    }
  }

  /** How long the processes are left alone before the incident with this index, in ms: least and most. */
  static pauseBefore(index) {
    return index % QUIET_EVERY === 2 ? QUIET_MS : PAUSE_MS;
  }

  end() {
    this.#isOver = true;
  }

  async #break(what) {
    const { cluster, random } = this;
    const incident = { what, fromMs: Date.now(), toMs: Number.POSITIVE_INFINITY };
    this.incidents.push(incident);
    const one = (list) => [list[random.between(0, list.length - 1)]];
    const downMs = random.between(0, 4_000);
    if (what === 'FLUSHALL') await flush(cluster.redisUrl);
    else if (what === 'worker') await bounce(one(cluster.workers), downMs);
    else if (what === 'frozen worker') await freeze(one(cluster.workers)[0], 5 * downMs);
    else if (what === 'API') await bounce(one(cluster.apis), downMs);
    else if (what === 'all workers') await bounce(cluster.workers, downMs);
    else if (what === 'all APIs') await bounce(cluster.apis, downMs);
    else if (what === 'MySQL') await bounce([cluster.mysql], downMs);
    else if (what === 'Redis') await bounce([cluster.redis], downMs);
    else {
      const wipe = () => rmSync(join(cluster.folder, 'redis', 'appendonlydir'), { recursive: true, force: true });
      await bounce([cluster.redis], downMs, wipe);
    }
    await this.#restartEnded();
    incident.toMs = Date.now();
    this.log(`${what} down for ${((incident.toMs - incident.fromMs) / 1000).toFixed(1)} s`);
  }

  /** A process may have ended because a server it needs was down. It is started again, as any supervisor would do. */
  async #restartEnded() {
    const { apis, workers, mysql, redis } = this.cluster;
    await this.#restart(mysql, 'MySQL');
    await this.#restart(redis, 'Redis');
    for (const victim of [...apis, ...workers]) {
      if (victim.child.exitCode !== null || victim.child.signalCode !== null) await victim.start();
      else if (!(await victim.isReady())) await victim.start();
    }
  }

  async #pause(ms) {
    const until = Date.now() + ms;
    while (!this.#isOver && Date.now() < until) await sleep(100);
  }

  /** The same between two incidents. What ends by itself meanwhile is an incident, and is started again. */
  async #watch(ms) {
    const { mysql, redis, workers } = this.cluster;
    const until = Date.now() + ms;
    while (!this.#isOver && Date.now() < until) {
      await sleep(100);
      await this.#restart(mysql, 'MySQL');
      await this.#restart(redis, 'Redis');
      for (const worker of workers) await this.#restart(worker, 'worker');
    }
  }

  async #restart(victim, kind) {
    if (victim.isRunning) return;
    const incident = { what: `${kind} that ended by itself`, fromMs: Date.now() - 100, toMs: Number.POSITIVE_INFINITY };
    this.incidents.push(incident);
    if (kind === 'MySQL') this.log(`MySQL ended by itself: ${this.cluster.lastWordsOfMysql()}`);
    await victim.start();
    incident.toMs = Date.now();
  }
}

async function bounce(victims, downMs, whileDown = () => {}) {
  await Promise.all(victims.map((victim) => victim.kill()));
  await sleep(downMs);
  whileDown();
  await Promise.all(victims.map((victim) => victim.start()));
}

/** Stops a process, like on a paused machine; it keeps its locks. */
async function freeze({ child }, ms) {
  child.kill('SIGSTOP');
  await sleep(ms);
  child.kill('SIGCONT');
}

async function flush(url) {
  const redis = new Redis(url, { maxRetriesPerRequest: 3 });
  await redis.flushall();
  redis.disconnect();
}
