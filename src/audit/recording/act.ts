import { AsyncLocalStorage } from 'node:async_hooks';
import type { Identity } from '../../platform/caller';
import type { ActorKind } from '../chain/record';

/** Who does what now. What it changes in audited tables is recorded under its name. */
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

/** For work that a request begins and that no one did: it may go on in the background. */
export function unrecorded<T>(work: () => T): T {
  return acts.run(undefined, work);
}

export function currentAct(): Act | undefined {
  return acts.getStore();
}

/** The actor of a request that carries a credential, or none. */
export function actorOf(caller: object & Partial<Identity>): Pick<Act, 'userId' | 'byKind' | 'byId'> {
  const { userId, credential } = caller;
  if (userId === undefined || !credential) return { userId: null, byKind: 'visitor', byId: null };
  const { kind, id } = credential;
  if (kind === 'session' || kind === 'key') return { userId, byKind: kind, byId: id };
  return { userId, byKind: 'application', byId: credential.applicationId ?? null };
}

/** Names the user of the act, once a sign-in or a page knows them. */
export function nameActor(caller: Partial<Identity> & { userId: number }): void {
  const act = currentAct();
  if (act) Object.assign(act, caller.credential ? actorOf(caller) : { userId: caller.userId });
}

export function nameRuleSet(name: string): void {
  const act = currentAct();
  if (act) act.ruleSet = name;
}

/** An operator acts, on a page or by a command. */
export function actAsOperator<T>(operator: string, action: string, dateMs: number, work: () => T): T {
  const address = currentAct()?.address ?? null;
  return actAs({ userId: null, byKind: 'operator', byId: null, byName: operator, address, action, dateMs }, work);
}
