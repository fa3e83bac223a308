// Causes one incident after another on the nodes of the clusters, and measures the effect of each on uploads.
import { setTimeout as sleep } from 'node:timers/promises';
import { counted, reasonsWithin } from './reasons.mjs';

const KINDS = ['MySQL node killed', 'MySQL node stopped', 'Redis master killed', 'worker killed', 'API killed'];
/** Before the other nodes have given it up. Galera then takes longer to agree, and may have no majority meanwhile. */
const BACK_AT_ONCE = 'MySQL node killed and back at once';
const WEIGHTED = [KINDS[0], KINDS[0], KINDS[1], KINDS[1], BACK_AT_ONCE, ...KINDS.slice(2)];
/** Maximum time without uploads, over all API processes, on a machine that is not overloaded. */
const STANDSTILL_MS = 6_000;
/** After this time the other nodes have given up a node; service managers restart a killed one after 5 s. */
const GIVEN_UP_MS = 4_000;
const BACK_WITHIN_MS = 60_000;
/** A node that was stopped is back within 15 s. */
const BY_ITSELF_MS = 30_000;
/**
 * How long all nodes must report the full cluster: a node that was away learns late that the others have dropped it.
 */
const WHOLE_MS = 1_500;
const REFUSALS = new Set([503, 201]);

export class Incidents {
  list = [];

  constructor({ platform, random, probe, stalls, log }) {
    Object.assign(this, { platform, random, probe, stalls, log });
  }

  /** Each kind that needs a cluster, once. */
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

  /** The faults of the run. Durations only count if the machine is not overloaded. */
  faults({ areTimed }) {
    const odd = this.probe.failures.filter(({ status }) => typeof status === 'number' && !REFUSALS.has(status));
    const refused = { 'uploads refused with another status than 503': odd.length };
    if (!areTimed) return refused;
    return {
      ...refused,
      [`incidents with no stored upload for more than ${STANDSTILL_MS / 1000} s`]: this.list.filter(
        ({ what, standstillMs, lateMs }) => what !== BACK_AT_ONCE && standstillMs > STANDSTILL_MS + lateMs,
      ).length,
      'uploads refused while only a Redis master was away': this.list
        .filter(({ what }) => what === KINDS[2])
        .reduce((sum, { failed }) => sum + failed, 0),
    };
  }

  table() {
    const lines = this.list.map(
      ({ what, fromMs, toMs, standstillMs, lateMs, failed }) =>
        `| ${what} | ${seconds(toMs - fromMs)} | ${seconds(standstillMs)} | ${seconds(lateMs)} | ${failed} |`,
    );
    return [
      '| incident | s until all was back | s without a stored upload | s that timers were late | uploads failed |',
      '|---|---|---|---|---|',
      ...lines,
    ].join('\n');
  }

  async #cause(what, downMs) {
    const incident = { what, fromMs: Date.now(), toMs: Number.POSITIVE_INFINITY };
    this.list.push(incident);
    await this.#act(what, downMs);
    incident.toMs = Date.now();
    await sleep(1_000);
    const { fromMs, toMs } = incident;
    incident.standstillMs = this.probe.longestGap(fromMs, Date.now());
    incident.lateMs = this.stalls.longest(fromMs);
    const failures = this.probe.failedWithin(fromMs, Date.now());
    incident.failed = failures.length;
    this.log(
      `${what}: back after ${seconds(toMs - fromMs)} s, no upload was stored for ${incident.standstillMs} ms, ${incident.failed} failed`,
    );
    if (failures.length === 0) return;
    this.log(`  failed by ${counted(failures).join('; ')}`);
    for (const reason of reasonsWithin(this.platform.logFile, fromMs, Date.now())) this.log(`  503: ${reason}`);
  }

  async #act(what, downMs) {
    const { galera, redis, processes } = this.platform;
    const one = (list) => list[this.random.between(0, list.length - 1)];
    if (what === KINDS[0] || what === BACK_AT_ONCE) {
      const node = one(galera);
      await kill(node.child);
      await Promise.all([node.recover(), sleep(what === BACK_AT_ONCE ? 0 : GIVEN_UP_MS + downMs)]);
      await node.start();
      await this.#untilWhole(node);
    } else if (what === 'MySQL node stopped') {
      const node = one(galera);
      node.child.kill('SIGSTOP');
      await sleep(GIVEN_UP_MS + downMs);
      node.child.kill('SIGCONT');
      await this.#untilWhole(node);
    } else if (what === 'Redis master killed') {
      const node = one(redis.nodes.filter((each) => each.isMaster()));
      await kill(node.child);
      await until('another node is master', () => redis.nodes.filter((each) => each.isMaster()).length === 3);
      node.restart();
      await until('the node is back', () => node.isUp());
    } else await one(processes.filter(({ kind }) => what.toLowerCase().startsWith(kind))).bounce(downMs);
  }

  /**
   * No other node may be disturbed before: two of three that are away leave no majority. A node that does not come back
   * by itself is started again, as operators do.
   */
  async #untilWhole(node) {
    try {
      await this.#untilTogether(BY_ITSELF_MS);
    } catch (error) {
      this.log(`${error.message}; the node is started again`);
      if (node.child.exitCode === null && node.child.signalCode === null) await kill(node.child);
      await node.recover();
      await node.start();
      await this.#untilTogether(BACK_WITHIN_MS);
    }
  }

  async #untilTogether(withinMs) {
    const { galera } = this.platform;
    let since = Number.POSITIVE_INFINITY;
    let views = [];
    const areTogether = async () => {
      views = await Promise.all(galera.map((node) => node.view()));
      const isSame = views.every((view) => view?.members === galera.length && view.id === views[0].id);
      since = isSame ? Math.min(since, Date.now()) : Number.POSITIVE_INFINITY;
      return Date.now() - since >= WHOLE_MS;
    };
    await until(() => `all MySQL nodes are back, which say ${JSON.stringify(views)}`, areTogether, withinMs);
  }
}

async function kill(child) {
  const ended = new Promise((resolve) => child.once('exit', resolve));
  child.kill('SIGKILL');
  await ended;
}

function seconds(ms) {
  return (ms / 1000).toFixed(1);
}

async function until(what, condition, withinMs = BACK_WITHIN_MS) {
  const end = Date.now() + withinMs;
  while (!(await condition())) {
    if (Date.now() > end) {
      throw new Error(`waited more than ${withinMs / 1000} s until ${typeof what === 'string' ? what : what()}`);
    }
    await sleep(100);
  }
}
