import { buildGroup, buildSensor, buildTrigger, connectTrigger, upload } from './factories';
import { accept, join } from './groups';
import type { Platform, TestUser } from './platform';

export interface Membership {
  accepted: boolean;
  see: boolean;
  handle: boolean;
}

/** What the contract says of one colleague. */
export interface Colleague {
  user: TestUser;
  isDisabled: boolean;
  blocked: Set<Colleague>;
  /** By the place of the group. */
  memberships: Map<number, Membership>;
  alert: { triggerId: string; sensorId: string; firingId: string; group: number | null } | undefined;
}

export interface AlertTeam {
  platform: Platform;
  /** The founder of the groups, who has all rights. */
  founder: Colleague;
  colleagues: Colleague[];
  groupIds: string[];
}

/** Colleagues of whom each has an open alert, and groups that only their founder is in. */
export async function buildAlertTeam(platform: Platform, people: number, groups: number): Promise<AlertTeam> {
  const colleagues: Colleague[] = [];
  for (let at = 0; at < people; at += 1) {
    const user = await platform.user();
    colleagues.push({ user, isDisabled: false, blocked: new Set(), memberships: new Map(), alert: undefined });
  }
  const [founder] = colleagues;
  if (!founder) throw new Error('a team has a founder');
  const groupIds: string[] = [];
  for (let at = 0; at < groups; at += 1) {
    groupIds.push(await buildGroup(founder.user, { name: `team ${at}` }));
    founder.memberships.set(at, { accepted: true, see: true, handle: true });
  }
  const team = { platform, founder, colleagues, groupIds };
  await fireMissing(team);
  return team;
}

/** Gives everybody an open alert again who has none. */
export async function fireMissing({ platform, colleagues }: AlertTeam): Promise<void> {
  const missing = colleagues.filter(({ alert, isDisabled }) => alert === undefined && !isDisabled);
  for (const one of missing) {
    const sensorId = await buildSensor(one.user);
    const triggerId = await buildTrigger(one.user, { repeat: 0 });
    await connectTrigger(one.user, sensorId, triggerId);
    await upload(one.user, sensorId, { value: 31 });
    one.alert = { triggerId, sensorId, firingId: '', group: null };
  }
  if (missing.length > 0) await platform.settle();
  for (const { user, alert } of missing) {
    const { body } = await user.api.get(`/firings?trigger_id=${alert?.triggerId}`);
    if (alert) alert.firingId = body.firings[0].id;
  }
}

/** By the contract alone. */
export function maySee(viewer: Colleague, owner: Colleague): Membership | 'own' | undefined {
  if (!owner.alert || viewer.isDisabled) return undefined;
  if (viewer === owner) return 'own';
  const { group } = owner.alert;
  if (group === null || owner.isDisabled || viewer.blocked.has(owner) || owner.blocked.has(viewer)) return undefined;
  const membership = viewer.memberships.get(group);
  if (!membership?.accepted || !owner.memberships.get(group)?.accepted) return undefined;
  return membership.see ? membership : undefined;
}

export function mayHandle(viewer: Colleague, owner: Colleague): boolean {
  const seen = maySee(viewer, owner);
  return seen === 'own' || seen?.handle === true;
}

export async function letIn(
  { founder, groupIds }: AlertTeam,
  one: Colleague,
  group: number,
  { accepted, see, handle }: Membership,
): Promise<void> {
  await join(one.user, groupIds[group] ?? '');
  if (accepted) {
    const group_permissions = { see_alerts: see, handle_alerts: handle };
    await accept(founder.user, groupIds[group] ?? '', one.user, { group_permissions });
  }
  one.memberships.set(group, { accepted, see, handle });
}

/** The member leaves, or somebody removes them; their alerts leave with them. */
export function leaves(one: Colleague, group: number): void {
  one.memberships.delete(group);
  if (one.alert?.group === group) one.alert.group = null;
}
