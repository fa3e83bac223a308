import assert from 'node:assert/strict';
import { BegunLogin, startForgingProvider } from '../../support/forging-provider';
import { useForAll, usePlatform } from '../../support/hooks';
import { LoginBrowser } from '../../support/login-browser';

const SETTINGS = { OIDC_GROUPS_CLAIM: 'groups', OIDC_OPERATORS: 'group:ops,sub:1084', OIDC_VIEWERS: 'group:staff' };

describe('operators by the identity provider', () => {
  const clock = { offset: 0, now: () => Date.now() + clock.offset };
  const provider = useForAll(
    () => startForgingProvider(),
    (started) => started.close(),
  );
  const platform = usePlatform(() => ({ clock, config: provider.settings({ ...SETTINGS, BOARD_PASSWORD: '' }) }));
  const logIn = async (said: Record<string, unknown>, page = '/admin') => {
    provider.forge({ said });
    const login = await BegunLogin.at(platform.url, provider, { query: `?return_to=${encodeURIComponent(page)}` });
    return { ...(await login.finish()), browser: login.browser };
  };
  const open = (browser: LoginBrowser, path = '/admin', form?: Record<string, string>) =>
    browser.open(platform.url + path, form);
  const tokenIn = (text: string) => /name="form_token" value="([\w-]+)"/.exec(text)?.[1] ?? '';

  beforeEach(() => {
    clock.offset = 0;
  });

  it('are sent to the provider, and come back to their page', async () => {
    const browser = new LoginBrowser();
    const first = await open(browser, '/admin/users?q=ada');
    assert.deepEqual(
      [first.status, first.location],
      [303, `${platform.url}/login/oidc?return_to=${encodeURIComponent('/admin/users?q=ada')}`],
    );
    assert.equal((await open(browser, '/admin/queues')).status, 303);
    const { location, browser: operator } = await logIn({ groups: ['ops'] }, '/admin/users?q=ada');
    assert.equal(location, `${platform.url}/admin/users?q=ada`);
    for (const path of ['/admin', '/admin/users', '/admin/queues']) {
      assert.equal((await open(operator, path)).status, 200, path);
    }
  });

  it('need no account, and get no session of one', async () => {
    const { browser } = await logIn({ sub: '1084' });
    assert.equal((await open(browser)).status, 200);
    assert.equal(browser.cookie(platform.url, 'session_id'), undefined);
    assert.deepEqual(await platform.query('SELECT id FROM users'), []);
  });

  it('are not all users of the provider', async () => {
    for (const said of [{}, { groups: ['1084', 'other'] }, { sub: 'ops' }, { _claim_names: { groups: 'src1' } }]) {
      const { status, text, browser } = await logIn(said);
      assert.equal(status, 403, JSON.stringify(said));
      assert.match(text, /You are not an operator of this platform/);
      assert.equal((await open(browser)).status, 303);
    }
  });

  it('act, or only look', async () => {
    const { browser: viewer } = await logIn({ groups: ['staff'] });
    const page = await open(viewer);
    assert.equal(page.status, 200);
    const form = { form_token: tokenIn(page.text), receiver: 'example.org' };
    assert.equal((await open(viewer, '/admin/pause', form)).status, 403);
    const { browser: operator } = await logIn({ groups: ['ops'], preferred_username: 'grace' });
    const token = tokenIn((await open(operator)).text);
    const forms = { pause: { form_token: token, receiver: 'example.org' }, wrong: { receiver: 'example.org' } };
    assert.equal((await open(operator, '/admin/pause', forms.wrong)).status, 403, 'without the token of the form');
    const foreign = { 'Sec-Fetch-Site': 'cross-site' };
    assert.equal((await operator.open(`${platform.url}/admin/pause`, forms.pause, foreign)).status, 403);
  });

  it('are asked again after eight hours, and cannot write their cookie', async () => {
    const { browser } = await logIn({ groups: ['ops'] });
    clock.offset = 8 * 3_600_000 + 1_000;
    assert.equal((await open(browser)).status, 303);
    clock.offset = 0;
    const cookie = browser.cookie(platform.url, 'operator') ?? '';
    const forged = new LoginBrowser();
    forged.setCookie(platform.url, 'operator', (cookie.startsWith('A') ? 'B' : 'A') + cookie.slice(1));
    assert.equal((await open(forged)).status, 303);
    const swapped = new LoginBrowser();
    const login = await BegunLogin.at(platform.url, provider);
    swapped.setCookie(platform.url, 'operator', login.browser.cookie(platform.url, 'oidc_login') ?? '');
    assert.equal((await open(swapped)).status, 303, 'a cookie of another kind');
  });

  it('log out with the provider', async () => {
    const { browser } = await logIn({ groups: ['ops'] });
    await open(browser, '/login/oidc/logout');
    assert.equal((await open(browser)).status, 303);
  });
});

describe('operators with a password and an identity provider', () => {
  const provider = useForAll(
    () => startForgingProvider(),
    (started) => started.close(),
  );
  const platform = usePlatform(() => ({ config: provider.settings(SETTINGS) }));

  it('may use either', async () => {
    const basic = `Basic ${Buffer.from('operator:board-password').toString('base64')}`;
    const byPassword = await new LoginBrowser().open(`${platform.url}/admin`, undefined, { Authorization: basic });
    assert.equal(byPassword.status, 200);
    const asked = await new LoginBrowser().open(`${platform.url}/admin`);
    assert.deepEqual([asked.status, asked.headers.get('www-authenticate')?.split(' ')[0]], [401, 'Basic']);
    provider.forge({ said: { groups: ['ops'] } });
    const login = await BegunLogin.at(platform.url, provider, { query: '?return_to=/admin' });
    await login.finish();
    assert.equal((await login.browser.open(`${platform.url}/admin`)).status, 200);
  });
});
