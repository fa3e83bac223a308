import assert from 'node:assert/strict';
import { type AddressInfo, connect, createServer } from 'node:net';
import type { Page } from 'playwright-core';
import { digestOf } from '../../src/api/pages/password';
import { useBrowser } from '../support/browser';
import { ensureConsole, inspectConsole, saidInGerman, watchErrors } from '../support/console';
import { usePlatform } from '../support/hooks';
import type { TestUser } from '../support/platform';
import { setUpTotp, totpCode } from '../support/second-factor';

const PASSWORD = 'a long password';
const STEP_MS = 30_000;
/** Keeps what the browser signs in with. */
const KEEPS_SIGNATURE = `const send = fetch;
  window.fetch = async (...given) => {
    const request = new Request(...given);
    if (request.url.endsWith('/login/passkey')) window.sentSignature = await request.clone().text();
    return send(request);
  };`;

interface Recorded {
  action: string;
  refused: number | null;
  subject: { kind: string } | null;
  changed: Record<string, unknown>;
}

describe('second factors in the console', function () {
  this.timeout(120_000);
  // Passkeys are bound to the address of the platform, which must be known before it starts.
  const door = createServer((client) => {
    const server = connect(Number(new URL(platform.url).port), '127.0.0.1');
    for (const socket of [client, server]) socket.on('error', () => socket.destroy());
    client.pipe(server).pipe(client);
  });
  let root = '';
  before(async () => {
    ensureConsole();
    await new Promise<void>((resolve) => door.listen(0, '127.0.0.1', resolve));
    root = `http://localhost:${(door.address() as AddressInfo).port}`; // a TCP server's address is an AddressInfo
  });
  after(() => door.close());
  const clock = { offset: 0, now: () => Date.now() + clock.offset };
  const platform = usePlatform(() => ({ clock, config: { PUBLIC_URL: root } }));
  const browser = useBrowser();

  const member = () => platform.user({ password: digestOf(PASSWORD) });
  const open = (locale = 'en-GB') => browser.open({ javaScriptEnabled: true, locale });
  const enter = async (page: Page, { username }: TestUser) => {
    await page.getByLabel('Username').fill(username);
    await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
    await page.getByRole('button', { name: 'Sign in', exact: true }).press('Enter');
  };
  const prove = (page: Page) => page.getByLabel('Current password').last().fill(PASSWORD);
  /** An authenticator that verifies its user; returns what it counts signatures with. */
  const addAuthenticator = async (page: Page) => {
    const session = await page.context().newCDPSession(page);
    await session.send('WebAuthn.enable');
    const options = {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
    } as const;
    const added = await session.send('WebAuthn.addVirtualAuthenticator', {
      options: { ...options, isUserVerified: true, automaticPresenceSimulation: true },
    });
    return { session, ...added };
  };

  it('set up an app by its picture, and are asked for at the next sign-in', async () => {
    const user = await member();
    const page = await open();
    const errors = watchErrors(page);
    await page.goto(`${root}/console/account/security`);
    await enter(page, user);
    await page.getByRole('button', { name: 'Set up an authenticator app' }).press('Enter');
    await page.getByRole('dialog').getByLabel('Current password').fill(PASSWORD);
    await page.getByRole('button', { name: 'Continue' }).press('Enter');
    await page.getByRole('img', { name: 'QR code' }).waitFor();
    await inspectConsole(page, 'second-factor-app');
    const secret = (await page.locator('code.secret').textContent()) ?? '';
    await page.getByRole('textbox', { name: 'Code' }).fill(totpCode(secret, clock.now()));
    await page.getByRole('button', { name: 'Confirm' }).press('Enter');
    const codes = (await page.locator('dialog pre').textContent())?.split('\n') ?? [];
    assert.equal(codes.length, 10);
    await inspectConsole(page, 'second-factor-codes');
    await page.getByRole('button', { name: 'Done' }).press('Enter');
    await page.getByText('10 recovery codes are left').waitFor();
    await inspectConsole(page, 'second-factor');
    await page.context().clearCookies();
    await page.reload();
    await enter(page, user);
    await page.getByLabel('Code, or a recovery code').fill('000000');
    await page.getByRole('button', { name: 'Sign in', exact: true }).press('Enter');
    await page.getByText('The code is wrong, too old or was used before.').waitFor();
    await inspectConsole(page, 'second-step');
    clock.offset += STEP_MS;
    await page.getByLabel('Code, or a recovery code').fill(totpCode(secret, clock.now()));
    await page.getByRole('button', { name: 'Sign in', exact: true }).press('Enter');
    await page.getByText('10 recovery codes are left').waitFor();
    await page.getByRole('button', { name: 'Remove Authenticator app' }).press('Enter');
    await page.getByRole('button', { name: 'Use a code instead' }).press('Enter');
    await page.getByLabel('Code, or a recovery code').fill(codes[0] ?? '');
    await page.getByRole('dialog').getByRole('button', { name: 'Remove', exact: true }).press('Enter');
    await page.getByRole('button', { name: 'Set up an authenticator app' }).waitFor();
    assert.deepEqual(
      errors.filter((error) => !/40[13]/.test(error)),
      [],
    );
  });

  it('add a passkey, which then signs in alone, and whose signature is good once', async () => {
    const user = await member();
    const page = await open();
    await page.goto(`${root}/console/account/security`);
    await enter(page, user);
    await page.getByRole('button', { name: 'Add a passkey' }).waitFor();
    const { session, authenticatorId } = await addAuthenticator(page);
    await page.getByRole('button', { name: 'Add a passkey' }).press('Enter');
    await page.getByLabel('Name').fill('Phone');
    await prove(page);
    await inspectConsole(page, 'second-factor-passkey');
    await page.getByRole('dialog').getByRole('button', { name: 'Add a passkey' }).press('Enter');
    await page.locator('dialog pre').waitFor();
    await page.getByRole('button', { name: 'Done' }).press('Enter');
    await page.getByRole('table', { name: 'Passkeys' }).getByText('Phone').waitFor();
    await inspectConsole(page, 'second-factor-passkeys');
    assert.equal((await session.send('WebAuthn.getCredentials', { authenticatorId })).credentials.length, 1);
    const refused = await platform.anonymous.post('/login', user);
    assert.deepEqual([refused.status, refused.body.second_factor], [401, ['passkey']]);
    await page.context().clearCookies();
    await page.addInitScript(KEEPS_SIGNATURE);
    await page.reload();
    await page.getByRole('button', { name: 'Use a passkey' }).press('Enter');
    await page.getByRole('heading', { name: 'Sign in with a passkey' }).waitFor();
    await page.getByRole('button', { name: 'Continue' }).press('Enter');
    await page.getByRole('table', { name: 'Passkeys' }).getByText('Phone').waitFor();
    const signature = await page.evaluate<string>('sentSignature');
    const replayed = await platform.anonymous.post('/login/passkey', signature);
    assert.deepEqual([replayed.status, replayed.body.code], [401, 'login_refused']);
    await page.getByRole('button', { name: 'Remove Phone' }).press('Enter');
    await prove(page);
    await page.getByRole('dialog').getByRole('button', { name: 'Remove', exact: true }).press('Enter');
    await page.getByRole('table', { name: 'Passkeys' }).waitFor({ state: 'detached' });
    assert.equal((await platform.anonymous.post('/login', user)).status, 200);
    await platform.container.refusedAttempts.flush();
    const { records } = (await user.api.get('/audit?sort=ASC')).body;
    const ofPasskeys = records.filter(({ action }: { action: string }) => /passkey/i.test(action));
    assert.deepEqual(
      ofPasskeys.map(({ action, refused, subject, changed }: Recorded) => [
        action,
        refused ?? subject?.kind,
        changed.name,
      ]),
      [
        ['addPasskey', 'passkey', [null, 'Phone']],
        ['addPasskey', 'user', undefined],
        ['loginByPasskey', 'session', undefined],
        ['loginByPasskey', 401, undefined],
        ['removePasskey', 'passkey', ['Phone', null]],
      ],
    );
  });

  it('refuse a passkey whose authenticator did not verify its user, and an unknown one', async () => {
    const user = await member();
    const page = await open();
    await page.goto(`${root}/console/account/security`);
    await enter(page, user);
    const add = page.getByRole('button', { name: 'Add a passkey' });
    await add.waitFor();
    const { session, authenticatorId } = await addAuthenticator(page);
    await session.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified: false });
    await add.press('Enter');
    await page.getByLabel('Name').fill('Phone');
    await prove(page);
    await page.getByRole('dialog').getByRole('button', { name: 'Add a passkey' }).press('Enter');
    await page.getByText('No passkey was chosen.').waitFor();
    assert.deepEqual((await user.api.get('/second_factors')).body.passkeys, []);
    for (const credential of [{}, { id: 'AAAA' }, null, 'text']) {
      const refused = await platform.anonymous.post('/login/passkey', { credential });
      assert.ok([400, 401].includes(refused.status), JSON.stringify(refused.body));
    }
  });

  it('are in German as well', async () => {
    const user = await member();
    await setUpTotp({ ...user, password: digestOf(PASSWORD) }, clock);
    const page = await open('de-DE');
    await page.goto(`${root}/console/account/security`);
    await page.getByLabel(saidInGerman('Username')).fill(user.username);
    await page.getByLabel(saidInGerman('Password'), { exact: true }).fill(PASSWORD);
    await page.getByRole('button', { name: saidInGerman('Sign in'), exact: true }).press('Enter');
    await page
      .getByText(saidInGerman('Your account has a second factor: the code is in your authenticator app.'))
      .waitFor();
    await inspectConsole(page, 'second-step-german');
    await page.context().addCookies([{ name: 'session_id', value: user.session, url: root }]);
    await page.goto(`${root}/console/account/security`);
    await page
      .getByText(saidInGerman('Makes a stolen password useless. Keys of devices and programs are not asked.'))
      .waitFor();
    await page.getByRole('button', { name: saidInGerman('Make new recovery codes') }).press('Enter');
    await page.getByRole('dialog').getByText(saidInGerman('The earlier codes end.')).waitFor();
    await inspectConsole(page, 'second-factor-german');
  });
});

describe('a required second factor in the console', function () {
  this.timeout(120_000);
  before(ensureConsole);
  const platform = usePlatform({ config: { REQUIRE_SECOND_FACTOR: 'all' } });
  const browser = useBrowser();

  it('leads an account without one to where it is set up, and opens the rest afterwards', async () => {
    const user = await platform.user({ password: digestOf(PASSWORD) });
    const page = await browser.open({ javaScriptEnabled: true, locale: 'en-GB' });
    await page.context().addCookies([{ name: 'session_id', value: user.session, url: platform.url }]);
    await page.goto(`${platform.url}/console/triggers`);
    await page.waitForURL(/\/console\/account\/security$/);
    await page.getByRole('button', { name: 'Set up an authenticator app' }).waitFor();
    await setUpTotp({ ...user, password: digestOf(PASSWORD) }, { now: () => Date.now() });
    await page.goto(`${platform.url}/console/triggers`);
    await page.getByRole('heading', { name: 'Triggers', level: 1 }).waitFor();
  });
});
