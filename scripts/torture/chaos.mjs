// Breaks one thing after another until it is told to stop, and writes down what was away when.
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Redis } from 'ioredis';

const KINDS = [
  ['worker', 8],
  ['API', 5],
  ['worker that stands still', 2],
  ['all workers', 1],
  ['all APIs', 1],
  ['Redis', 2],
  ['Redis with its files', 2],
  ['FLUSHALL', 3],
  ['MySQL', 2],
];

export class Chaos {
  /** What was broken: `{ what, fromMs, toMs }`, `toMs` when it answered again. */
  incidents = [];
  #isOver = false;

  constructor(cluster, random, say) {
    this.cluster = cluster;
    this.random = random;
    this.say = say;
  }

  /** Goes on until `end()`; whatever is away then is brought back first. */
  async run() {
    while (!this.#isOver) {
      await this.#pause(this.random.between(1_500, 6_000));
      if (this.#isOver) return;
      await this.#break(this.random.pick(KINDS));
    }
  }

  end() {
    this.#isOver = true;
  }

  async #break(what) {
    const { cluster, random } = this;
    const incident = { what, fromMs: Date.now(), toMs: Number.POSITIVE_INFINITY };
    this.incidents.push(incident);
    const one = (list) => [list[random.between(0, list.length - 1)]];
    const awayMs = random.between(0, 4_000);
    if (what === 'FLUSHALL') await flush(cluster.redisUrl);
    else if (what === 'worker') await bounce(one(cluster.workers), awayMs);
    else if (what === 'worker that stands still') await standStill(one(cluster.workers)[0], 5 * awayMs);
    else if (what === 'API') await bounce(one(cluster.apis), awayMs);
    else if (what === 'all workers') await bounce(cluster.workers, awayMs);
    else if (what === 'all APIs') await bounce(cluster.apis, awayMs);
    else if (what === 'MySQL') await bounce([cluster.mysql], awayMs);
    else if (what === 'Redis') await bounce([cluster.redis], awayMs);
    else {
      const wipe = () => rmSync(join(cluster.folder, 'redis', 'appendonlydir'), { recursive: true, force: true });
      await bounce([cluster.redis], awayMs, wipe);
    }
    await this.#backInService();
    incident.toMs = Date.now();
    this.say(`${what} away for ${((incident.toMs - incident.fromMs) / 1000).toFixed(1)} s`);
  }

  /** A process may have ended because what it needs was away: it comes back as any supervisor would bring it back. */
  async #backInService() {
    const { apis, workers } = this.cluster;
    for (const victim of [...apis, ...workers]) {
      if (victim.child.exitCode !== null || victim.child.signalCode !== null) await victim.start();
      else if (!(await victim.isReady())) await victim.start();
    }
  }

  async #pause(ms) {
    const until = Date.now() + ms;
    while (!this.#isOver && Date.now() < until) await sleep(100);
  }
}

async function bounce(victims, awayMs, whileAway = () => {}) {
  await Promise.all(victims.map((victim) => victim.kill()));
  await sleep(awayMs);
  whileAway();
  await Promise.all(victims.map((victim) => victim.start()));
}

/** As a process does whose machine is paused, with whatever it has locked. */
async function standStill({ child }, ms) {
  child.kill('SIGSTOP');
  await sleep(ms);
  child.kill('SIGCONT');
}

async function flush(url) {
  const redis = new Redis(url, { maxRetriesPerRequest: 3 });
  await redis.flushall();
  redis.disconnect();
}
