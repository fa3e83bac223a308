import { AsyncLocalStorage } from 'node:async_hooks';
import type { Identity } from '../../platform/caller';
import type { ActorKind } from '../chain/record';

/** What changes during an act is recorded under its name. */
export interface Act {
  userId: number | null;
  byKind: ActorKind;
  byId: number | null;
  byName?: string;
  ruleSet?: string;
  address: string | null;
  /** The name of the operation, or the path of the page. */
  action: string;
  dateMs: number;
}

const acts = new AsyncLocalStorage<Act | undefined>();

export function actAs<T>(act: Act, work: () => T): T {
  return acts.run(act, work);
}

/** For work that goes on after its request. */
export function unrecorded<T>(work: () => T): T {
  return acts.run(undefined, work);
}

export function currentAct(): Act | undefined {
  return acts.getStore();
}

export function actorOf(caller: object & Partial<Identity>): Pick<Act, 'userId' | 'byKind' | 'byId'> {
  const { userId, credential } = caller;
  if (userId === undefined || !credential) return { userId: null, byKind: 'visitor', byId: null };
  const { kind, id } = credential;
  if (kind === 'session' || kind === 'key') return { userId, byKind: kind, byId: id };
  return { userId, byKind: 'application', byId: credential.applicationId ?? null };
}

/** Once a sign-in or a page knows the user. */
export function nameActor(caller: Partial<Identity> & { userId: number }): void {
  const act = currentAct();
  if (act) Object.assign(act, caller.credential ? actorOf(caller) : { userId: caller.userId });
}

export function nameRuleSet(name: string): void {
  const act = currentAct();
  if (act) act.ruleSet = name;
}

export function actAsOperator<T>(operator: string, action: string, dateMs: number, work: () => T): T {
  const address = currentAct()?.address ?? null;
  return actAs({ userId: null, byKind: 'operator', byId: null, byName: operator, address, action, dateMs }, work);
}

/** The removal goes on after its request: groups record what they lose. */
export function actAsClosedAccount<T>(userId: number, dateMs: number, work: () => T): T {
  return actAs({ userId, byKind: 'platform', byId: null, address: null, action: 'deleteUser', dateMs }, work);
}
