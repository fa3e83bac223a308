// Causes one incident after another on the nodes of the clusters, and measures what uploads notice of each.
import { setTimeout as sleep } from 'node:timers/promises';

const KINDS = ['MySQL node killed', 'MySQL node stopped', 'Redis master killed', 'worker killed', 'API killed'];
const WEIGHTED = [KINDS[0], KINDS[0], KINDS[1], KINDS[1], ...KINDS.slice(2)];
/** How long uploads may stand still, over all API processes. */
const STANDSTILL_MS = 6_000;
const BACK_WITHIN_MS = 60_000;
const NOTICED_MS = 1_500;
const REFUSALS = new Set([503, 201]);

export class Incidents {
  list = [];

  constructor({ platform, random, probe, log }) {
    Object.assign(this, { platform, random, probe, log });
  }

  /** The kinds of which all need a cluster, one time each. */
  async eachOnce() {
    await sleep(1_000);
    for (const kind of KINDS.slice(0, 3)) await this.#cause(kind, 1_000);
  }

  async runFor(ms) {
    const end = Date.now() + ms;
    while (Date.now() < end) {
      await sleep(this.random.between(1_000, 4_000));
      const kind = WEIGHTED[this.random.between(0, WEIGHTED.length - 1)];
      await this.#cause(kind, this.random.between(500, 8_000));
    }
  }

  /** What must not have happened; how long anything took only counts where the machine has nothing else to do. */
  faults({ areTimed }) {
    const odd = this.probe.failures.filter(({ status }) => typeof status === 'number' && !REFUSALS.has(status));
    const refused = { 'uploads refused with another status than 503': odd.length };
    if (!areTimed) return refused;
    return {
      ...refused,
      [`incidents with no stored upload for more than ${STANDSTILL_MS / 1000} s`]: this.list.filter(
        ({ standstillMs }) => standstillMs > STANDSTILL_MS,
      ).length,
      'uploads refused while only a Redis master was away': this.list
        .filter(({ what }) => what === KINDS[2])
        .reduce((sum, { failed }) => sum + failed, 0),
    };
  }

  table() {
    const lines = this.list.map(
      ({ what, fromMs, toMs, standstillMs, failed }) =>
        `| ${what} | ${((toMs - fromMs) / 1000).toFixed(1)} | ${(standstillMs / 1000).toFixed(1)} | ${failed} |`,
    );
    return [
      '| incident | s until all was back | s without a stored upload | uploads failed |',
      '|---|---|---|---|',
      ...lines,
    ].join('\n');
  }

  async #cause(what, downMs) {
    const incident = { what, fromMs: Date.now(), toMs: Number.POSITIVE_INFINITY };
    this.list.push(incident);
    await this.#act(what, downMs);
    incident.toMs = Date.now();
    await sleep(1_000);
    incident.standstillMs = this.probe.longestGap(incident.fromMs, Date.now());
    incident.failed = this.probe.failedWithin(incident.fromMs, Date.now());
    this.log(
      `${what}: back after ${((incident.toMs - incident.fromMs) / 1000).toFixed(1)} s, no upload was stored for ${incident.standstillMs} ms, ${incident.failed} failed`,
    );
  }

  async #act(what, downMs) {
    const { galera, redis, processes } = this.platform;
    const one = (list) => list[this.random.between(0, list.length - 1)];
    if (what === 'MySQL node killed') {
      const node = one(galera);
      await kill(node.child);
      await sleep(downMs);
      await node.start();
      await this.#untilWhole();
    } else if (what === 'MySQL node stopped') {
      const node = one(galera);
      node.child.kill('SIGSTOP');
      await sleep(downMs + 4_000);
      node.child.kill('SIGCONT');
      await sleep(NOTICED_MS); // until then it does not know that the others have left it
      await this.#untilWhole();
    } else if (what === 'Redis master killed') {
      const node = one(redis.nodes.filter((each) => each.isMaster()));
      await kill(node.child);
      await until('another node is master', () => redis.nodes.filter((each) => each.isMaster()).length === 3);
      node.restart();
      await until('the node is back', () => node.isUp());
    } else await bounce(one(processes.filter(({ kind }) => what.toLowerCase().startsWith(kind))), downMs);
  }

  /** Another node must not be disturbed before: two of three that are away leave no majority. */
  async #untilWhole() {
    const { galera } = this.platform;
    const areBack = async () => (await Promise.all(galera.map((node) => node.isSynced(galera.length)))).every(Boolean);
    await until('all MySQL nodes are back', areBack);
  }
}

async function bounce(process, downMs) {
  await kill(process.child);
  await sleep(downMs);
  process.child = process.launch();
}

async function kill(child) {
  const ended = new Promise((resolve) => child.once('exit', resolve));
  child.kill('SIGKILL');
  await ended;
}

async function until(what, condition) {
  const end = Date.now() + BACK_WITHIN_MS;
  while (!(await condition())) {
    if (Date.now() > end) throw new Error(`waited more than ${BACK_WITHIN_MS / 1000} s until ${what}`);
    await sleep(100);
  }
}
