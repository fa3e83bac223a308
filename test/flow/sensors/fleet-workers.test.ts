import assert from 'node:assert/strict';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import fc from 'fast-check';
import { create, upload } from '../../support/factories';
import { buildFleet, buildMember, recount, summariesOf, summaryOf, tag } from '../../support/fleets';
import { usePlatform, useUser } from '../../support/hooks';
import { ALL_WORK } from '../../support/platform';
import { until } from '../../support/until';
import { killWaitingWorker, useWorkersElsewhere } from '../../support/workers-elsewhere';

const MEMBERS = 12;

/** What happens to one member. */
type Act = { kind: 'send'; value: number; lateS: number } | { kind: 'leave' } | { kind: 'join' } | { kind: 'kill' };

const anAct: fc.Arbitrary<Act> = fc.oneof(
  {
    weight: 12,
    arbitrary: fc.record({
      ...{ kind: fc.constant('send' as const), value: fc.integer({ min: -1_000, max: 1_000 }) },
      lateS: fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 100 })),
    }),
  },
  { weight: 2, arbitrary: fc.constant({ kind: 'leave' as const }) },
  { weight: 3, arbitrary: fc.constant({ kind: 'join' as const }) },
  { weight: 1, arbitrary: fc.constant({ kind: 'kill' as const }) },
);

describe('fleets with real workers', () => {
  const platform = usePlatform();
  const user = useUser(platform);
  const start = useWorkersElsewhere(platform);
  let kinds = 0;

  const build = async (count = MEMBERS) => {
    kinds += 1;
    const kind = `pump ${kinds}`;
    const members: string[] = [];
    for (let index = 0; index < count; index += 1) members.push(await buildMember(user, kind));
    return { kind, members, fleet: await buildFleet(user, members[0] ?? '', { kind }) };
  };
  const isIdle = async (fleet: string) => {
    const [row] = await platform.query(
      `SELECT (SELECT COUNT(*) FROM inbox_batches) + (SELECT COUNT(*) FROM fleet_changes)
         + (SELECT COUNT(*) FROM fleets f JOIN selector_owners o ON o.owner_id = f.owner_id
            WHERE f.service_id = ? AND (f.next_due_ms = 0 OR COALESCE(f.followed_version, '') <> o.latest_version)) AS work`,
      [fleet],
    );
    return Number(row?.work) === 0;
  };
  const requireExact = async (fleet: string) => {
    await until('nothing waits', () => isIdle(fleet));
    assert.deepEqual(await summaryOf(user, fleet), { ...(await recount(platform, fleet)), silent: 0, firing: 0 });
  };
  const end = async (worker: ChildProcess) => {
    const ended = once(worker, 'exit');
    worker.kill('SIGKILL');
    await ended;
  };

  it('are exact, and write at most one point a second, however many workers run', async () => {
    const { members, fleet } = await build();
    await platform.startWorkers(ALL_WORK, 2);
    await start();
    for (let round = 0; round < 30; round += 1) {
      const data = members.map((sensor_id) => ({ sensor_id, data: [{ value: round }] }));
      await create(user, '/sensors/data', { sensors: data });
      const runs = Array.from({ length: 4 }, () => platform.container.services.fleetFolder.run());
      await Promise.all([...runs, sleep(100)]);
    }
    await requireExact(fleet);
    assert.equal((await summaryOf(user, fleet)).sum, 29 * MEMBERS);
    const rows = await platform.query('SELECT date_ms FROM data_points WHERE sensor_id = ? ORDER BY date_ms', [fleet]);
    assert.ok(rows.length > 2);
    for (const [at, row] of rows.entries()) {
      assert.ok(at === 0 || Number(row.date_ms) - Number(rows[at - 1]?.date_ms) >= 1_000);
    }
  });

  it('are exact although the worker that folds one is killed', async () => {
    const { members, fleet } = await build(3);
    await platform.settle();
    for (const id of members) await upload(user, id, { value: 5 });
    await killWaitingWorker(platform, start, { table: 'services', id: fleet, statement: '%fleets f ON%FOR UPDATE%' });
    const before = await summariesOf(user, fleet);
    assert.notEqual(before.at(-1)?.sum, 15);
    await platform.startWorkers(ALL_WORK);
    await requireExact(fleet);
    assert.equal((await summaryOf(user, fleet)).sum, 15);
  });

  it('come to a recount of the stored points after any points, joins, leaves and kills', async () => {
    const scene = fc.array(fc.tuple(fc.nat({ max: MEMBERS - 1 }), anAct), { minLength: 60, maxLength: 120 });
    await fc.assert(
      fc.asyncProperty(scene, async (acts) => {
        const { kind, members, fleet } = await build();
        let worker = await start();
        for (const [member, act] of acts) {
          const id = members[member] ?? '';
          if (act.kind === 'send') await upload(user, id, { value: act.value, date: Date.now() / 1_000 - act.lateS });
          else if (act.kind === 'leave') await tag(user, id, null);
          else if (act.kind === 'join') await tag(user, id, kind);
          else {
            await end(worker);
            worker = await start();
          }
        }
        await requireExact(fleet);
        await end(worker);
      }),
      { numRuns: 2, endOnFailure: true },
    );
  });
});
