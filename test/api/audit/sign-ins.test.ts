import assert from 'node:assert/strict';
import { hashSecret } from '../../../src/platform/secrets';
import { adminOf } from '../../support/admin';
import { BegunLogin, startForgingProvider } from '../../support/forging-provider';
import { useForAll, usePlatform, useUserPerTest } from '../../support/hooks';
import { LoginBrowser } from '../../support/login-browser';
import { setUpTotp, totpCode } from '../../support/second-factor';

const STEP_MS = 30_000;
const FORM = { 'Content-Type': 'application/x-www-form-urlencoded' };
const OPERATOR = { Authorization: `Basic ${Buffer.from('operator:board-password').toString('base64')}` };

/** Parts of a record that tests compare. */
interface Found {
  action: string;
  refused: number | null;
  who: { id: string } | null;
  by: { kind: string; name: string | null };
  subject: { kind: string; id: string | null; name: string | null } | null;
  changed: Record<string, unknown[]>;
}

describe('the history of signing in', () => {
  const clock = { offset: 0, now: () => Date.now() + clock.offset };
  const provider = useForAll(
    () => startForgingProvider(),
    (started) => started.close(),
  );
  const platform = usePlatform(() => ({ clock, config: provider.settings() }));
  const ada = useUserPerTest(platform);
  beforeEach(() => {
    clock.offset = 0;
    provider.forge({ said: { sub: ada.id, preferred_username: 'ada-there' } });
  });

  const history = async (query: string): Promise<Found[]> => {
    await platform.container.refusedAttempts.flush();
    const { status, body } = await ada.api.get(`/audit?sort=ASC&${query}`);
    assert.equal(status, 200, JSON.stringify(body));
    return body.records;
  };
  const link = async () => {
    const browser = new LoginBrowser();
    browser.setCookie(platform.url, 'session_id', ada.session);
    const { body } = await ada.api.post('/login/oidc/link', { current_password: ada.password });
    const query = String(body.location).replace('/login/oidc', '');
    const login = await BegunLogin.at(platform.url, provider, { browser, query });
    return login.finish();
  };
  const logIn = async () => (await BegunLogin.at(platform.url, provider)).finish();

  it('has links, sign-ins by the provider, refused ones, and the end of links', async () => {
    assert.equal((await link()).status, 303);
    const [linked] = await history('subject_kind=identity');
    assert.ok(linked);
    assert.deepEqual([linked.action, linked.by.kind, linked.who?.id], ['login/oidc/callback', 'session', ada.id]);
    assert.deepEqual(linked.changed, { issuer: [null, provider.issuer], subject: [null, ada.id] });
    assert.equal((await logIn()).status, 303);
    const [entered] = await history('action=login/oidc/callback&subject_kind=session');
    assert.deepEqual([entered?.who?.id, entered?.refused], [ada.id, null]);
    assert.deepEqual(entered?.changed.identity_id, [null, linked.subject?.id]);
    const { disabledAccounts } = platform.container.services;
    await disabledAccounts.disable(Number(ada.id));
    assert.equal((await logIn()).status, 403);
    await disabledAccounts.enable(Number(ada.id));
    const [refused] = await history('refused=true');
    assert.deepEqual([refused?.action, refused?.refused], ['login/oidc/callback', 403]);
    assert.equal((await ada.api.delete(`/identities/${linked.subject?.id}`)).status, 200);
    const [unlinked] = await history('action=unlinkIdentity&subject_kind=identity');
    assert.deepEqual(unlinked?.changed.subject, [ada.id, null]);
  });

  it('has a link that the provider refused, and one to an identity of another account', async () => {
    const stranger = await platform.user();
    await platform.query('INSERT INTO identities (user_id, issuer, subject, name, created_ms) VALUES (?, ?, ?, ?, 1)', [
      stranger.id,
      provider.issuer,
      ada.id,
      'taken',
    ]);
    assert.equal((await link()).status, 409);
    provider.forge({ isOtherKey: true });
    assert.equal((await link()).status, 400);
    const found = await history('refused=true');
    assert.deepEqual(
      found.map(({ action, refused }) => [action, refused]),
      [
        ['login/oidc/callback', 409],
        ['login/oidc/callback', 400],
      ],
    );
  });

  it('has apps that are added and removed, and each recovery code that is used', async () => {
    const { secret, recoveryCodes } = await setUpTotp(ada, clock);
    const [added] = await history('action=beginTotp');
    assert.equal(Array.isArray(added?.changed.authenticator?.[1]), true, JSON.stringify(added));
    const [confirmed] = await history('action=confirmTotp');
    assert.ok(Object.keys(confirmed?.changed ?? {}).some((name) => name.endsWith('/confirmed')));
    assert.deepEqual(confirmed?.changed.recovery_codes, [null, 'secret']);
    const { username, password } = ada;
    const login = (otp: string) => platform.anonymous.post('/login', { username, password, otp });
    assert.equal((await login(recoveryCodes[0] ?? '')).status, 200);
    assert.equal((await login(recoveryCodes[0] ?? '')).status, 401);
    const [used] = await history('action=login&subject_kind=user');
    assert.deepEqual([used?.who?.id, used?.changed], [ada.id, { recovery_codes: [10, 9] }]);
    assert.deepEqual(
      (await history('action=login&refused=true')).map(({ refused }) => refused),
      [401],
    );
    clock.offset += STEP_MS;
    await ada.api.post('/second_factors/recovery_codes', { otp: totpCode(secret, clock.now()) });
    const [renewed] = await history('action=makeRecoveryCodes');
    assert.deepEqual(renewed?.changed, { recovery_codes: ['secret', 'secret'] });
    await ada.api.post('/second_factors/totp/remove', { current_password: password });
    const [removed] = await history('action=removeTotp');
    assert.equal(Array.isArray(removed?.changed.authenticator?.[0]), true, JSON.stringify(removed));
    const rows = JSON.stringify(await platform.query('SELECT * FROM audit_records'));
    for (const hidden of [secret, ...recoveryCodes]) assert.ok(!rows.includes(hidden));
  });

  it('has a right password that was asked for its second factor, which is no refusal', async () => {
    const { secret } = await setUpTotp(ada, clock);
    const { username, password } = ada;
    const before = (await history('action=login')).length;
    const login = (otp?: string) => platform.anonymous.post('/login', { username, password, ...(otp && { otp }) });
    assert.equal((await login()).status, 401);
    await platform.container.refusedAttempts.flush();
    clock.offset += STEP_MS;
    assert.equal((await login('000000')).status, 401);
    await platform.container.refusedAttempts.flush();
    assert.equal((await login(totpCode(secret, clock.now()))).status, 200);
    const found = (await history('action=login')).slice(before);
    assert.deepEqual(
      found.map(({ refused, subject, changed }) => [refused, subject?.kind, changed.second_factor]),
      [
        [null, undefined, [null, 'asked for']],
        [401, undefined, undefined],
        [null, 'session', undefined],
      ],
    );
    assert.equal((await history('refused=true')).length, 1);
  });

  it('has what operators remove', async () => {
    await setUpTotp(ada, clock);
    const path = `/admin/users/${ada.id}/remove-second-factors`;
    const form = await platform.anonymous.get(path, OPERATOR);
    const token = /name="form_token" value="([^"]+)"/.exec(form.body)?.[1];
    assert.equal((await platform.anonymous.post(path, `form_token=${token}`, { ...OPERATOR, ...FORM })).status, 303);
    await setUpTotp(ada, clock);
    await adminOf(platform).json('remove-second-factors', ada.username);
    const found = (await history('')).filter(({ by, changed }) => by.kind === 'operator' && changed.authenticator);
    assert.deepEqual(
      found.map(({ action, by }) => [action, by.name]),
      [
        ['remove-second-factors', 'operator'],
        ['remove-second-factors', 'command line'],
      ],
    );
  });

  it('has refused passkeys', async () => {
    await platform.query(
      `INSERT INTO passkeys (user_id, name, credential_hash, credential_id, public_key, transports, counter, created_ms)
       VALUES (?, 'Phone', ?, 'known', 'AA', '', 0, 1)`,
      [ada.id, hashSecret(`known ${ada.id}`)],
    );
    const credential = { id: `known ${ada.id}` };
    assert.equal((await platform.anonymous.post('/login/passkey', { credential })).status, 401);
    assert.equal((await platform.anonymous.post('/login/passkey', { credential: { id: 'unknown' } })).status, 401);
    const found = await history('refused=true');
    assert.deepEqual(
      found.map(({ action, refused, by }) => [action, refused, by.kind]),
      [['loginByPasskey', 401, 'visitor']],
    );
  });
});
