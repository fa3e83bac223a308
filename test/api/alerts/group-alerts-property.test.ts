import assert from 'node:assert/strict';
import fc from 'fast-check';
import {
  type AlertTeam,
  buildAlertTeam,
  type Colleague,
  fireMissing,
  knows,
  leaves,
  letIn,
  mayHandle,
  maySee,
  relationOf,
} from '../../support/alert-team';
import { usePlatform } from '../../support/hooks';

/** More by hand: GROUP_ALERT_RUNS=200. */
const RUNS = Number(process.env.GROUP_ALERT_RUNS ?? 6);
const [PEOPLE, GROUPS] = [4, 2];

const person = fc.nat(PEOPLE - 1);
const member = fc.integer({ min: 1, max: PEOPLE - 1 });
const group = fc.nat(GROUPS - 1);
/** Each run begins with another member for each of them. */
const RIGHTS = [
  { see: true, handle: false },
  { see: true, handle: true },
  { see: false, handle: true },
  { see: false, handle: false },
] as const;
const rights = fc.constantFrom(...RIGHTS);
const step = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({ kind: fc.constant('join' as const), who: member, group, rights, accepted: fc.boolean() }),
  },
  {
    weight: 4,
    arbitrary: fc.record({ kind: fc.constant('show' as const), who: person, group: fc.option(group, { freq: 4 }) }),
  },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('rights' as const), who: member, group, rights }) },
  {
    weight: 2,
    arbitrary: fc.record({ kind: fc.constant('leave' as const), who: member, group, isRemoved: fc.boolean() }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant('block' as const), who: person, other: person, ends: fc.boolean() }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('disable' as const), who: member }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('enable' as const), who: member }) },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('delete' as const),
      who: person,
      what: fc.constantFrom('trigger', 'sensor'),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('resolve' as const), who: person, other: person }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('mute' as const), who: person, other: person }) },
);
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

describe('groups and alerts: whatever happens to rights, nobody sees or changes more than the contract allows', () => {
  const platform = usePlatform();

  it('agrees with a model of the contract after every step', async function () {
    this.timeout(60_000 + RUNS * 30_000);
    const team = await buildAlertTeam(platform, PEOPLE, GROUPS);
    const counts: Counts = { steps: 0, reads: 0, acts: 0, pairs: {} };
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 3, maxLength: 14 }), fc.nat(), async (steps, seed) => {
        await begin(team, seed);
        for (const [at, one] of steps.entries()) {
          await take(team, one);
          counts.steps += 1;
          await compare(team, seed + at, counts);
        }
      }),
      { numRuns: RUNS, endOnFailure: true },
    );
    if (process.env.GROUP_ALERT_RUNS)
      console.log(JSON.stringify({ runs: RUNS, ...counts, shares: sharesOf(counts.pairs) }));
    for (const met of ['sees', 'sees and handles', 'handles only', 'nothing', 'no member', 'shown to nobody'])
      assert.ok(counts.pairs[met], `the property met pairs of which one ${met}`);
  });
});

/** Every run begins with colleagues of different rights in the first group, who show it their alerts. */
async function begin(team: AlertTeam, seed: number): Promise<void> {
  for (const one of team.colleagues) {
    if (one.isDisabled) await setDisabled(team, one, 'enable');
    for (const other of [...one.blocked]) await block(one, other, true);
  }
  await fireMissing(team);
  for (const [at, one] of team.colleagues.entries()) {
    const rights = RIGHTS[(seed + at) % RIGHTS.length] ?? RIGHTS[0];
    if (one !== team.founder) await grant(team, one, { kind: 'rights', who: 0, group: 0, rights });
    await joinGroup(team, one, { kind: 'join', who: 0, group: 0, rights, accepted: true });
    await show(team, one, 0);
  }
}

interface Counts {
  steps: number;
  reads: number;
  acts: number;
  /** Pairs of two users that were compared, by what the one may do with the alert of the other. */
  pairs: Record<string, number>;
}

function sharesOf(pairs: Counts['pairs']): object {
  const all = Object.values(pairs).reduce((sum, count) => sum + count, 0);
  return Object.fromEntries(
    Object.entries(pairs).map(([name, count]) => [name, `${Math.round((count * 100) / all)} %`]),
  );
}

async function take(team: AlertTeam, one: Step): Promise<void> {
  const who = team.colleagues[one.who] as Colleague; // `person` and `member` are places
  const other = 'other' in one ? (team.colleagues[one.other] as Colleague) : who;
  if (one.kind === 'join') await joinGroup(team, who, one);
  else if (one.kind === 'show') await show(team, who, one.group);
  else if (one.kind === 'rights') await grant(team, who, one);
  else if (one.kind === 'leave') await leave(team, who, one);
  else if (one.kind === 'block') await block(who, other, one.ends);
  else if (one.kind === 'disable' || one.kind === 'enable') await setDisabled(team, who, one.kind);
  else if (one.kind === 'delete') await remove(who, one.what);
  else if (one.kind === 'resolve') await resolve(team, who, other);
  else await mute(who, other);
}

async function joinGroup(team: AlertTeam, who: Colleague, one: Extract<Step, { kind: 'join' }>): Promise<void> {
  if (who.isDisabled || who.memberships.get(one.group)?.accepted) return;
  await letIn(team, who, one.group, { accepted: one.accepted, ...one.rights });
}

async function show({ groupIds }: AlertTeam, who: Colleague, to: number | null): Promise<void> {
  if (!who.alert) return;
  const trigger = { group_id: to === null ? null : groupIds[to] };
  const { status } = await who.user.api.put(`/triggers/${who.alert.triggerId}`, { trigger });
  const isAllowed = !who.isDisabled && (to === null || who.memberships.get(to)?.accepted === true);
  assert.equal(status === 200, isAllowed, `shown to ${to}: ${status}`);
  if (isAllowed) who.alert.group = to;
}

async function grant(team: AlertTeam, who: Colleague, one: Extract<Step, { kind: 'rights' }>): Promise<void> {
  const membership = who.memberships.get(one.group);
  if (!membership?.accepted) return;
  const group_permissions = { see_alerts: one.rights.see, handle_alerts: one.rights.handle };
  const path = `/groups/${team.groupIds[one.group]}/users/${who.user.id}`;
  assert.equal((await team.founder.user.api.put(path, { group_permissions })).status, 200);
  Object.assign(membership, one.rights);
}

async function leave(team: AlertTeam, who: Colleague, one: Extract<Step, { kind: 'leave' }>): Promise<void> {
  if (!who.memberships.has(one.group) || (who.isDisabled && !one.isRemoved)) return;
  const { api } = one.isRemoved ? team.founder.user : who.user;
  assert.equal((await api.delete(`/groups/${team.groupIds[one.group]}/users/${who.user.id}`)).status, 200);
  leaves(who, one.group);
}

async function block(who: Colleague, other: Colleague, ends: boolean): Promise<void> {
  if (who === other || who.isDisabled || who.blocked.has(other) !== ends) return;
  const { api } = who.user;
  const { status } = ends
    ? await api.delete(`/users/blocked/${other.user.id}`)
    : await api.post('/users/blocked', { user: { id: other.user.id } });
  assert.equal(status, 200);
  if (ends) who.blocked.delete(other);
  else who.blocked.add(other);
}

async function setDisabled({ platform }: AlertTeam, who: Colleague, kind: 'disable' | 'enable'): Promise<void> {
  const { id, username } = who.user;
  const control = platform.container.services.operations.userControl;
  await control[kind]({ userId: Number(id), username, operator: 'test' });
  who.isDisabled = kind === 'disable';
}

async function remove(who: Colleague, what: string): Promise<void> {
  if (who.isDisabled || !who.alert) return;
  const path = what === 'trigger' ? `/triggers/${who.alert.triggerId}` : `/sensors/${who.alert.sensorId}`;
  assert.equal((await who.user.api.delete(path)).status, 200);
  who.alert = undefined;
}

/** It fires again, unless its owner cannot upload. */
async function resolve(team: AlertTeam, who: Colleague, other: Colleague): Promise<void> {
  if (!other.alert || other.isDisabled) return;
  const { status } = await who.user.api.post(`/firings/${other.alert.firingId}/resolve`, {});
  assert.equal(status, expected(who, other), 'resolve');
  if (status !== 200) return;
  await remove(other, 'trigger');
  await fireMissing(team);
}

async function mute(who: Colleague, other: Colleague): Promise<void> {
  if (!other.alert) return;
  const end = Math.floor(Date.now() / 1000) + 3_600;
  const request = { firings: [other.alert.firingId], action: { mute: { end } } };
  const { status, body } = await who.user.api.post('/firings/bulk', request);
  if (who.isDisabled) assert.equal(status, 403);
  else assert.equal(body.done, mayHandle(who, other) ? 1 : 0, 'mute');
}

function expected(viewer: Colleague, owner: Colleague): number {
  if (viewer.isDisabled) return 403;
  if (mayHandle(viewer, owner)) return 200;
  return maySee(viewer, owner) ? 403 : 404;
}

/** Everybody reads a list or a report, and reads, acknowledges, assigns or asks about every alert. */
async function compare(team: AlertTeam, seed: number, counts: Counts): Promise<void> {
  for (const [from, viewer] of team.colleagues.entries()) {
    await compareLists(team, viewer, seed + from, counts);
    if ((seed + from) % 4 === 0) await compareReport(team, viewer, counts);
    for (const [at, owner] of team.colleagues.entries()) {
      if (!owner.alert) continue;
      const assignee = team.colleagues[(Math.floor(seed / 4) + at) % PEOPLE] as Colleague;
      await compareAlert(team, viewer, owner, { what: (seed + from + at) % 4, assignee });
      counts.acts += 1;
      if (viewer === owner || viewer.isDisabled) continue;
      const relation = relationOf(viewer, owner);
      counts.pairs[relation] = (counts.pairs[relation] ?? 0) + 1;
    }
  }
}

async function compareAlert(
  team: AlertTeam,
  viewer: Colleague,
  owner: Colleague,
  { what, assignee }: { what: number; assignee: Colleague },
): Promise<void> {
  const { api } = viewer.user;
  const { alert } = owner;
  if (!alert) return;
  const path = `/firings/${alert.firingId}`;
  const mayRead = maySee(viewer, owner) !== undefined;
  if (what === 0) {
    assert.equal((await api.get(path)).status, viewer.isDisabled ? 403 : mayRead ? 200 : 404, 'read');
  } else if (what === 1) {
    assert.equal((await api.post(`${path}/acknowledge`, {})).status, expected(viewer, owner), 'acknowledgement');
  } else if (what === 2) {
    const why = `/sensors/${alert.sensorId}/triggers/${alert.triggerId}/decisions`;
    const status = viewer.isDisabled ? 403 : viewer === owner ? 200 : 404;
    assert.equal((await api.get(why)).status, status, 'decisions of a sensor that is not shared');
  } else {
    const { status } = await api.post(`${path}/assign`, { user_id: assignee.user.id });
    const isFit = maySee(assignee, owner) && (assignee === owner || knows(team, viewer, assignee, alert));
    const isRefused = expected(viewer, owner) === 200 && alert.assigned !== assignee && !isFit;
    assert.equal(status, isRefused ? 400 : expected(viewer, owner), 'assignment');
    if (status === 200) alert.assigned = assignee;
  }
}

async function compareReport(team: AlertTeam, viewer: Colleague, counts: Counts): Promise<void> {
  const now = Math.floor(Date.now() / 1000);
  const { status, body } = await viewer.user.api.get(
    `/reports/alerts?by=trigger&per_page=1000&start_date=${now - 86_400}&end_date=${now + 60}`,
  );
  counts.reads += 1;
  if (viewer.isDisabled) return assert.equal(status, 403);
  const wanted = team.colleagues.flatMap((owner) => (maySee(viewer, owner) ? (owner.alert?.triggerId ?? []) : []));
  assert.deepEqual(body.rows.map(({ id }: { id: string }) => id).sort(), wanted.sort(), 'report');
}

async function compareLists(team: AlertTeam, viewer: Colleague, seed: number, counts: Counts): Promise<void> {
  const group = Math.floor(seed / 3) % GROUPS;
  const seen = team.colleagues.filter((owner) => maySee(viewer, owner));
  const lists = [
    ['state=firing', seen],
    ['sort=DESC&total=1', seen],
    [`state=firing&group_id=${team.groupIds[group]}`, seen.filter(({ alert }) => alert?.group === group)],
  ] as const;
  for (const [query, shown] of lists.slice(seed % 3, (seed % 3) + 1)) {
    const { status, body } = await viewer.user.api.get(`/firings?per_page=1000&${query}`);
    counts.reads += 1;
    if (viewer.isDisabled) {
      assert.equal(status, 403);
      continue;
    }
    const owners = new Set(body.firings.map(({ owner_id }: { owner_id: string }) => owner_id));
    const wanted = new Set(shown.map(({ user }) => user.id));
    assert.deepEqual([...owners].sort(), [...wanted].sort(), query);
    if (body.total !== undefined) assert.equal(body.total, body.firings.length, query);
  }
}
