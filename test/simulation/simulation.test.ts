import assert from 'node:assert/strict';
import { PLANTED_FAULTS } from './planted-faults';
import { simulate } from './simulation';
import { judge } from './verdict';
import { written } from './verdict/commits';

/** `SIMULATION_SEED=123` lives that one life again; `SIMULATION_SEEDS` sets how many different ones are lived. */
const { CI, SIMULATION_SEED, SIMULATION_SEEDS = CI ? '2000' : '500' } = process.env;
const SEEDS = SIMULATION_SEED
  ? [Number(SIMULATION_SEED)]
  : Array.from({ length: Number(SIMULATION_SEEDS) }, (_, n) => n + 1);
/** Among so many seeds a planted fault must show itself. */
const SEEDS_TO_FIND = 300;

describe('the platform in simulated time', () => {
  it('keeps its promises whatever fails, for every seed', async function () {
    this.timeout(SEEDS.length * 2_000 + 20_000);
    const began = process.hrtime.bigint();
    let steps = 0;
    for (const seed of SEEDS) {
      const history = await simulate(seed);
      steps += history.steps;
      assert.deepEqual(judge(history), [], `SIMULATION_SEED=${seed} lives this life again`);
    }
    const seconds = Number(process.hrtime.bigint() - began) / 1e9;
    console.log(`      ${SEEDS.length} seeds, ${steps} steps, ${Math.round(SEEDS.length / seconds)} seeds a second`);
  });

  it('lives the same life for the same seed', async () => {
    const lives = [await tell(7), await tell(8)];
    assert.notDeepEqual(lives[0], lives[1]);
    assert.deepEqual([await tell(7), await tell(8)], lives);
  });

  it('sees what it is meant to see: firings, failures, crashes, repeats and outages', async () => {
    const seen = {
      firings: 0,
      inactivities: 0,
      failed: 0,
      delivered: 0,
      repeats: 0,
      outages: 0,
      incidents: 0,
      portions: 0,
    };
    for (let seed = 1; seed <= 60; seed += 1) {
      const { rows, requests, incidents, commits } = await simulate(seed);
      seen.firings += rows('firings').length;
      seen.inactivities += rows('firings').filter((row) => row.reason === 'inactivity').length;
      seen.failed += rows('deliveries').filter((row) => row.status === 'failed').length;
      seen.delivered += rows('deliveries').filter((row) => row.status === 'delivered').length;
      seen.repeats += requests.length - rows('delivery_attempts').length;
      seen.outages += rows('outages').length;
      seen.incidents += incidents.length;
      seen.portions += commits.filter((commit) =>
        written(commit, 'events').some((row) => row.done_user_id !== null),
      ).length;
    }
    for (const [what, count] of Object.entries(seen)) assert.ok(count >= 10, `${what}: ${count}`);
  });

  for (const [name, { fault, verdict }] of Object.entries(PLANTED_FAULTS)) {
    it(`finds a platform that ${name}`, async function () {
      this.timeout(120_000);
      for (let seed = 1; seed <= SEEDS_TO_FIND; seed += 1) {
        if (judge(await simulate(seed, fault)).some((why) => verdict.test(why))) return;
      }
      assert.fail(`not found in ${SEEDS_TO_FIND} seeds`);
    });
  }
});

/** What happened, without the ids that no seed decides. */
async function tell(seed: number): Promise<unknown> {
  const { commits, requests, steps } = await simulate(seed);
  const told = commits.map(({ owner, atMs, changes }) => `${owner} ${atMs} ${changes.map(({ table }) => table)}`);
  return { told, steps, requests: requests.map(({ deliveryId, atMs, answer }) => `${deliveryId} ${atMs} ${answer}`) };
}
