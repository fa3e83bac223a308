// npm run torture: runs the platform with several processes of each kind, kills them at random while known data is sent,
// and counts everything at the end. Exits with code 1 on any fault.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { build } from './build.mjs';
import { whenAskedToEnd } from './support/ending.mjs';
import { Guard } from './support/guard.mjs';
import { Chaos } from './torture/chaos.mjs';
import { connect } from './torture/client.mjs';
import { startCluster } from './torture/cluster.mjs';
import { compareAll } from './torture/cold.mjs';
import { prepareFleets } from './torture/fleets.mjs';
import { judgeLabels } from './torture/labels.mjs';
import { prepareLoad, runLoad } from './torture/load.mjs';
import { PACKED_AT_ONCE, packDuring, unpackAll } from './torture/packing.mjs';
import { POISONED, poisonIncidents } from './torture/poison.mjs';
import { randomSource } from './torture/random.mjs';
import { startReceivers } from './torture/receiver.mjs';
import { report } from './torture/report.mjs';
import { prepareShadows, switchShadows } from './torture/shadows.mjs';
import { Stalls, slowMsOfMachine } from './torture/stalls.mjs';
import { judge, pointsOf, waitUntilQuiet } from './torture/verdict.mjs';
import { verifyTables } from './torture/verified.mjs';
import { judgeLocated } from './torture/zones.mjs';

/** The third attempt is made 35 seconds after the first, and a receiver that hangs takes ten seconds each time. */
const SETTLE_MS = 150_000;
/** If the machine is too busy for that, one of the next attempts, which are up to half an hour apart, succeeds. */
const PATIENCE_MS = 45 * 60_000;
const SETTINGS = { CHECK_MEMORY: 'on', ...PACKED_AT_ONCE };
/** After a minute or more, there are several times as many. */
const LEAST_CHUNKS = 20;

const { values } = parseArgs({
  options: { minutes: { type: 'string', default: '3' }, seed: { type: 'string' } },
});
const minutes = Number(values.minutes);
const seed = values.seed === undefined ? Math.floor(Math.random() * 2 ** 31) : Number(values.seed);
if (!(minutes > 0) || !Number.isInteger(seed)) {
  console.error('usage: npm run torture -- [--minutes 3] [--seed 1]');
  process.exit(2);
}

const guard = new Guard();
const slowMs = slowMsOfMachine();
const started = Date.now();
const log = (text) => console.log(`${((Date.now() - started) / 1000).toFixed(0).padStart(5)} s  ${text}`);
whenAskedToEnd('scripts/torture.mjs', () => guard.close().then(() => process.exit(130)));

const succeeded = await torture().catch((error) => {
  console.error(error);
  return false;
});
await guard.close();
process.exit(succeeded ? 0 : 1);

async function torture() {
  const random = randomSource(seed);
  const folder = mkdtempSync(join(tmpdir(), 'torture-'));
  guard.removeAtEnd(folder);
  await build({ log });
  const logFile = join(tmpdir(), `torture-${seed}.log`);
  const cluster = await startCluster({ folder, guard, logFile, settings: SETTINGS, ofWorkers: POISONED });
  const receivers = await startReceivers(randomSource(seed + 1));
  const client = await connect(cluster.apiPorts);
  const load = await prepare(client, receivers, { seed, poisonedPorts: cluster.apiPorts });
  log(`2 API and 3 worker processes are running; seed ${seed}, ${minutes} minutes`);

  const stalls = new Stalls(slowMs);
  const chaos = new Chaos(cluster, random, log);
  const progress = setInterval(
    () => log(`${pointsOf(load)} points, ${receivers.received.length} requests received`),
    30_000,
  );
  let packing;
  try {
    packing = await sendDuring(chaos, client, load);
    log(
      `the incidents are over, ${chaos.guests} workers have joined and left, ${client.repeated.count} requests had to be repeated; waiting for unfinished work`,
    );
    await waitUntilQuiet(cluster.mysqlUrl, SETTLE_MS, PATIENCE_MS);
    await sleep(1_000);
  } finally {
    stalls.end();
    clearInterval(progress);
  }
  const packed = await checkChunks(cluster, client, load);
  const incidents = [...chaos.incidents, ...poisonIncidents(load.poison)];
  const { received, urls } = receivers;
  const verdict = await judge({ mysqlUrl: cluster.mysqlUrl, load, received, incidents, stalls, urls });
  addChecks(verdict, { packing, ...packed, unpacked: await verifyTables(cluster) });
  // In a torture of a minute or more, several have stayed for some seconds each.
  verdict.faults['no further worker has joined'] = minutes >= 1 && chaos.guests === 0 ? 1 : 0;
  await receivers.close();
  const isFaultless = report(verdict, { incidents, stalls, seed });
  if (isFaultless) rmSync(logFile, { force: true });
  else console.log(`the log of the processes is ${logFile}`);
  return isFaultless;
}

/** Makes what is sent to, before the first incident. */
async function prepare(client, { urls }, setting) {
  const load = await prepareFleets(client, await prepareLoad(client, urls, setting));
  await prepareShadows(client, load);
  return load;
}

/** Sends data and breaks things for the given time. */
async function sendDuring(chaos, client, load) {
  const end = Date.now() + minutes * 60_000;
  const timer = setTimeout(() => chaos.end(), minutes * 60_000);
  try {
    const isOver = () => Date.now() > end;
    const packing = packDuring(chaos.cluster, randomSource(seed + 2), isOver);
    await Promise.all([runLoad(client, load, isOver), switchShadows(client, load, isOver), chaos.run()]);
    return await packing;
  } finally {
    chaos.end();
    clearTimeout(timer);
  }
}

/** Judges what needs the API, reads and verifies what is packed, ends the workers, and makes rows of it. */
async function checkChunks(cluster, client, load) {
  const labels = await judgeLabels(client, load.labelled);
  const zones = await judgeLocated(client, load.located);
  const packed = await verifyTables(cluster);
  await compareAll(load.cold);
  for (const worker of cluster.workers) await worker.stop();
  return { labels, zones, packed, ...(await unpackAll(cluster, log)) };
}

/** Adds the checks of the tables by the command line for operators, and of the chunks, to the verdict. */
function addChecks(verdict, { packing, packed, stored, left, unpacked, labels, zones }) {
  Object.assign(verdict.figures, {
    'checks of the tables': packed.checks + unpacked.checks,
    'packings by the command': packing.packed,
    'packings by the command that were killed': packing.killed,
    'chunks that the command has written': packing.written,
    'chunks at the end': stored.chunks,
    'points in them': stored.points,
    'decisions by labels that were compared': labels.compared,
    'decisions by zones that were compared': zones.compared,
  });
  Object.assign(verdict.faults, {
    'violated invariants of the tables': packed.violations + unpacked.violations,
    'chunks that are missing': minutes >= 1 ? Math.max(0, LEAST_CHUNKS - stored.chunks) : 0,
    'chunks that were not unpacked': left.chunks,
    'decisions by another label than that of their time': labels.wrong,
    'no decision by a label was compared': minutes >= 1 && labels.compared === 0 ? 1 : 0,
    'decisions by other zones than those of their time': zones.wrong,
    'no decision by a zone was compared': minutes >= 1 && zones.compared === 0 ? 1 : 0,
  });
  verdict.remarks.push(...labels.remarks, ...zones.remarks, ...packed.lines, ...unpacked.lines);
}
