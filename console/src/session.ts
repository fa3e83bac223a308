import { useEffect, useState } from 'preact/hooks';
import { passwordDigest } from '../../client/src';
import { ApiError, api, ask, isSignedOut, type Records, sessionBegan, whenSignedOut } from './api';
import { TIME_ZONE } from './format';
import { leaveTo } from './identity-provider';
import { LANGUAGE, type PlainText, t } from './language';

export type User = Pick<Records['UserView'], (typeof SHOWN)[number]>;
const SHOWN = [
  'id',
  'username',
  'email',
  'name',
  'surname',
  'mobile',
  'address',
  'zipcode',
  'country',
  'timezone',
  'language',
  'weekly_report',
] as const;

/** The user of this browser: not known yet, signed out, a user, or the error. */
export type Session =
  | { state: 'unknown' }
  | { state: 'nobody'; hasEnded?: boolean }
  | { state: 'user'; user: User }
  | { state: 'unreachable'; error: unknown };

let session: Session = { state: 'unknown' };
const listeners = new Set<() => void>();

function set(next: Session): void {
  session = next;
  for (const listener of listeners) listener();
}

whenSignedOut(() => session.state === 'user' && set({ state: 'nobody', hasEnded: true }));

/** Called when a user signs out, and not when a session just ends. */
const onLeave: (() => void)[] = [];

export function whenUserLeaves(act: () => void): void {
  onLeave.push(act);
}

/** Asks the platform for the user of the cookie. */
export async function findSession(): Promise<void> {
  try {
    const { user } = await ask(api.get('/users/current'));
    set({ state: 'user', user });
  } catch (error) {
    set(error instanceof ApiError && isSignedOut(error) ? { state: 'nobody' } : { state: 'unreachable', error });
  }
}

/** Signs in: the answer sets a cookie, and its body is not read. A user without a time zone or language gets this one. */
export async function signIn(username: string, password: string, otp?: string): Promise<void> {
  await ask(api.post('/login', { body: { username, password: passwordDigest(password), ...(otp && { otp }) } }));
  await sessionStarted();
}

/** After a sign-in. */
export async function sessionStarted(): Promise<void> {
  sessionBegan();
  await findSession();
  if (session.state === 'user') await takeSettings(session.user);
}

/** Saves for the user's mails what they have not chosen. A time zone that the platform does not know stays unset. */
async function takeSettings({ id, timezone, language }: User): Promise<void> {
  const save = async (user: Records['UserChanges']) => {
    const saved = await ask(api.put('/users/{id}', { params: { path: { id } }, body: { user } })).catch(
      () => undefined,
    );
    if (saved) set({ state: 'user', user: saved.user });
  };
  if (timezone === null) await save({ timezone: TIME_ZONE });
  if (language === null) await save({ language: LANGUAGE });
}

export async function register(
  account: { username: string; email: string; password: string },
  invitation: string,
): Promise<void> {
  const user = { ...account, password: newDigestOf(account.password), language: LANGUAGE };
  await ask(api.post('/users', { body: { user, ...(invitation && { invitation }) } }));
  await signIn(account.username, account.password);
}

export async function signOut(): Promise<void> {
  const left = await ask(api.post('/logout')).catch(() => undefined);
  for (const act of onLeave) act();
  set({ state: 'nobody' });
  if (left?.provider_logout) leaveTo(left.provider_logout);
}

/** Minimum length of a new password, in characters. The platform gets its digest and cannot count them. */
const SHORTEST_PASSWORD = 8;
export const PASSWORD_RULE = 'At least 8 characters.' satisfies PlainText;

/** The digest of a new password; refuses one that is too short. */
export function newDigestOf(password: string): string {
  if ([...password].length < SHORTEST_PASSWORD) {
    throw new Error(t('The password needs at least {n} characters.', { n: SHORTEST_PASSWORD }));
  }
  return passwordDigest(password);
}

/** The form of a password in the API. */
export function digestOf(password: string): string {
  return passwordDigest(password);
}

/** True if a session has ended without the user's action. */
export function hasSessionEnded(): boolean {
  return session.state === 'nobody' && session.hasEnded === true;
}

export function useSession(): Session {
  const [state, setState] = useState(session);
  useEffect(() => {
    const update = () => setState(session);
    listeners.add(update);
    update();
    return () => {
      listeners.delete(update);
    };
  }, []);
  return state;
}

/** The signed-in user. Pages are shown only with one. */
export function useUser(): User {
  const current = useSession();
  if (current.state !== 'user') throw new Error('nobody is signed in');
  return current.user;
}
