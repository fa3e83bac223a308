// npm run test:cluster: runs the platform on three Galera nodes that all accept writes, and on a Redis Cluster, kills
// and stops nodes of both while known data is sent, and counts everything at the end. Exits with 1 on any fault.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { build } from './build.mjs';
import { Incidents } from './cluster/incidents.mjs';
import { startPlatform } from './cluster/platform.mjs';
import { Probe } from './cluster/probe.mjs';
import { countTorn } from './cluster/wholeness.mjs';
import { whenAskedToEnd } from './support/ending.mjs';
import { findGalera } from './support/galera.mjs';
import { Guard } from './support/guard.mjs';
import { connect } from './torture/client.mjs';
import { compareAll } from './torture/cold.mjs';
import { prepareLoad, runLoad } from './torture/load.mjs';
import { unpackAll } from './torture/packing.mjs';
import { randomSource } from './torture/random.mjs';
import { startReceivers } from './torture/receiver.mjs';
import { report } from './torture/report.mjs';
import { Stalls, slowMsOfMachine } from './torture/stalls.mjs';
import { judge, pointsOf, waitUntilQuiet } from './torture/verdict.mjs';

/** The third attempt is made 35 seconds after the first, and a receiver that hangs takes ten seconds each time. */
const SETTLE_MS = 150_000;

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '3' },
    seed: { type: 'string', default: String(Date.now() % 2 ** 31) },
    keep: { type: 'boolean', default: false },
    short: { type: 'boolean', default: false },
  },
});
const minutes = Number(values.minutes);
const seed = Number(values.seed);
if (!(minutes > 0) || !Number.isInteger(seed)) {
  console.error('usage: npm run test:cluster -- [--minutes 3 | --short] [--seed 1] [--keep]');
  process.exit(2);
}
if (!findGalera()) {
  console.error('Galera is missing. Debian and Ubuntu: sudo apt-get install galera-4');
  process.exit(2);
}

const guard = new Guard();
const slowMs = slowMsOfMachine();
const started = Date.now();
const log = (text) => console.log(`${((Date.now() - started) / 1000).toFixed(0).padStart(5)} s  ${text}`);
whenAskedToEnd('scripts/cluster.mjs', () => guard.close().then(() => process.exit(130)));

const succeeded = await run().catch((error) => {
  console.error(error);
  return false;
});
await guard.close();
process.exit(succeeded ? 0 : 1);

async function run() {
  const folder = mkdtempSync(join(tmpdir(), 'cluster-'));
  if (!values.keep) guard.removeAtEnd(folder);
  const logFile = join(tmpdir(), `cluster-${seed}.log`);
  const size = values.short ? { apis: 2, workers: 2 } : { apis: 3, workers: 4 };
  const platform = await startPlatform({ folder, guard, logFile, log, built: build({ log }), ...size });
  const receivers = await startReceivers(randomSource(seed + 1));
  const client = await connect(platform.apiPorts);
  // Only the steady receiver in the short form: at the others the last attempt takes a minute.
  const small = { counters: 6, storms: 2, inactive: 0, moods: ['steady'] };
  const { steady } = receivers.urls;
  const urls = values.short ? { steady, moody: steady, hanging: steady } : receivers.urls;
  const load = await prepareLoad(client, urls, values.short ? small : {});
  log(`${size.apis} API processes and ${size.workers} workers are running, each on another node; seed ${seed}`);

  const { transactions, conflicts, torn } = await countTorn(platform.galera);
  log(`${transactions} transactions were committed and ${conflicts} lost to another node, ${torn} in part`);
  const stalls = new Stalls(slowMs);
  const probe = await Probe.start(client, platform.apiPorts);
  const incidents = new Incidents({ platform, random: randomSource(seed), probe, stalls, log });
  try {
    await sendDuring(incidents, client, load);
    await probe.end();
    log(`${pointsOf(load)} points, ${client.repeated.count} requests had to be repeated; waiting for unfinished work`);
    await waitUntilQuiet(platform.mysqlUrl, SETTLE_MS);
    await sleep(1_000);
  } finally {
    stalls.end();
  }
  const incidentsOf = incidents.list.map(({ what, fromMs, toMs }) => ({ what, fromMs, toMs }));
  const { received } = receivers;
  const verdict = await judgeUnpacked(platform, { load, received, incidents: incidentsOf, stalls, urls });
  verdict.faults['transactions committed in part'] = torn;
  Object.assign(verdict.faults, incidents.faults({ areTimed: !values.short }), await platform.stop('api'));
  await receivers.close();
  // All at once, because each would wait for the others.
  for (const { child } of platform.galera) child.kill('SIGKILL');
  console.log(`\n${incidents.table()}`);
  const isFaultless = report(verdict, { incidents: incidentsOf, stalls, seed });
  if (isFaultless) rmSync(logFile, { force: true });
  else console.log(`the log of the processes is ${logFile}`);
  return isFaultless;
}

/** Compares what is packed, ends the workers, makes rows of the chunks, and judges. */
async function judgeUnpacked(platform, { load, ...rest }) {
  await compareAll(load.cold);
  const faults = await platform.stop('worker');
  const { stored, left } = await unpackAll(platform, log);
  const verdict = await judge({ mysqlUrl: platform.mysqlUrl, load, ...rest });
  Object.assign(verdict.figures, { 'chunks at the end': stored.chunks, 'points in them': stored.points });
  faults['chunks that were not unpacked'] = left.chunks;
  // The short form ends before points are old enough.
  faults['no point was packed'] = !values.short && stored.chunks === 0 ? 1 : 0;
  Object.assign(verdict.faults, faults);
  return verdict;
}

/** Sends data until the incidents are over. */
async function sendDuring(incidents, client, load) {
  let isOver = false;
  const sending = runLoad(client, load, () => isOver);
  const breaking = values.short ? incidents.eachOnce() : incidents.runFor(minutes * 60_000);
  await breaking.finally(() => {
    isOver = true;
  });
  await sending;
}
