import assert from 'node:assert/strict';
import type { LoneEnd, LoneTask } from '../../../../src/fairness/quarantine/work-kind';
import { type Suspect, SuspectSources } from '../../../../src/gateways/mqtt/suspect-sources';
import { until } from '../../../support/until';

const MANY = 100;
const OF_ONE_OWNER = 20;

/** Tries suspects in a lone process that each group with a bad source ends, and each of `ends` before. */
class Rehearsal {
  readonly tried: number[][] = [];
  readonly setAside: number[] = [];
  /** The number of rounds after which each source was connected again. */
  readonly freedAfter = new Map<number, number>();
  private readonly sources: SuspectSources;

  constructor(
    isBad: (id: number) => boolean,
    private readonly ends: LoneEnd['end'][] = [],
  ) {
    const now = () => 0;
    this.sources = new SuspectSources({
      careful: {
        begun: { begin: async () => 3, end: (_, ids) => this.free(ids) },
        runOnce: async (task) => ({ ...this.tryOut(task, isBad), hasMore: false, reason: 'a test' }),
        setAside: async (_, id) => `set aside ${this.setAside.push(id)}`,
      },
      leases: { planTry: async () => undefined, endLeases: async () => undefined, fail: async () => undefined },
      clock: { now },
      logger: { warn: (_: unknown, text?: string) => assert.fail(text) },
    });
  }

  /** Adds the suspects, and waits for their end. */
  async of(suspects: readonly Suspect[]): Promise<this> {
    for (const suspect of suspects) this.sources.add(suspect);
    await until('all are tried', () => this.freedAfter.size + this.setAside.length === suspects.length);
    return this;
  }

  private tryOut(task: LoneTask, isBad: (id: number) => boolean): { end: 'done' } | { end: 'died' } {
    assert.ok(task.kind === 'source');
    this.tried.push([...task.ids]);
    const planned = this.ends.shift();
    return { end: planned === 'died' || task.ids.some(isBad) ? 'died' : 'done' };
  }

  private free(ids: readonly (number | string)[]): void {
    for (const id of ids) this.freedAfter.set(Number(id), this.tried.length);
  }
}

/** So many sources, as many of each owner as `ofEach` says. */
const suspects = (count: number, ofEach = 1): Suspect[] =>
  Array.from({ length: count }, (_, id) => ({ id, ownerId: Math.floor(id / ofEach) }));

describe('suspect MQTT sources', () => {
  it('are tried together, and freed together, if none is bad', async () => {
    const { tried, freedAfter } = await new Rehearsal(() => false).of(suspects(MANY));
    assert.deepEqual([tried.length, freedAfter.size], [1, MANY]);
  });

  it('are halved: one bad source of 100 is found in 16 rounds, and half of the others are freed after three', async () => {
    const { tried, setAside, freedAfter } = await new Rehearsal((id) => id === 37).of(suspects(MANY));
    assert.deepEqual(setAside, [37]);
    assert.equal(freedAfter.size, MANY - 1);
    assert.ok(tried.length <= 16, `${tried.length} rounds`);
    assert.ok([...freedAfter.values()].filter((round) => round <= 3).length >= MANY / 2);
  });

  it('are halved by owners first: 20 bad sources of one delay the others by few rounds', async () => {
    const isBad = (id: number) => id < OF_ONE_OWNER;
    const { setAside, freedAfter } = await new Rehearsal(isBad).of(suspects(MANY, OF_ONE_OWNER));
    assert.equal(setAside.length, OF_ONE_OWNER);
    const rounds = [...freedAfter.values()];
    assert.equal(rounds.length, MANY - OF_ONE_OWNER);
    assert.ok(Math.max(...rounds) <= 7, `the last was freed after ${Math.max(...rounds)} rounds`);
  });

  it('are not set aside for one death of the lone process, which may be a kill from outside', async () => {
    const { tried, setAside } = await new Rehearsal(() => false, ['died']).of(suspects(1));
    assert.deepEqual([tried, setAside], [[[0], [0]], []]);
  });
});
