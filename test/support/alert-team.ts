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
  /** To the groups that they enter. */
  showsName: boolean;
  blocked: Set<Colleague>;
  /** By the place of the group. */
  memberships: Map<number, Membership>;
  alert: Alert | undefined;
}

export interface Alert {
  triggerId: string;
  sensorId: string;
  firingId: string;
  group: number | null;
  assigned: Colleague | undefined;
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
    const nothing = { blocked: new Set<Colleague>(), memberships: new Map<number, Membership>(), alert: undefined };
    colleagues.push({ user, isDisabled: false, showsName: at === 1, ...nothing });
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
    one.alert = { triggerId, sensorId, firingId: '', group: null, assigned: undefined };
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

/** True if they see the username elsewhere, or have accepted members of the group of the alert. */
export function knows({ founder }: AlertTeam, one: Colleague, other: Colleague, { group }: Alert): boolean {
  if (one === other || (one === founder && group !== null)) return true;
  const isMember = ({ memberships }: Colleague, at: number) => memberships.get(at)?.accepted === true;
  return other.showsName && [...other.memberships.keys()].some((at) => isMember(one, at) && isMember(other, at));
}

const RELATIONS = ['nothing', 'handles only', 'sees', 'sees and handles'] as const;

/** What the viewer may do with the alert of another one, or why nothing. */
export function relationOf(viewer: Colleague, owner: Colleague): string {
  const { group } = owner.alert ?? { group: null };
  if (group === null || owner.isDisabled || !owner.memberships.get(group)?.accepted) return 'shown to nobody';
  if (viewer.blocked.has(owner) || owner.blocked.has(viewer)) return 'blocked';
  const membership = viewer.memberships.get(group);
  if (!membership?.accepted) return membership ? 'waits' : 'no member';
  return RELATIONS[(membership.see ? 2 : 0) + (membership.handle ? 1 : 0)] ?? '';
}

export async function letIn(
  { founder, groupIds }: AlertTeam,
  one: Colleague,
  group: number,
  { accepted, see, handle }: Membership,
): Promise<void> {
  await join(one.user, groupIds[group] ?? '', { display_user_info: { show_username: one.showsName } });
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
