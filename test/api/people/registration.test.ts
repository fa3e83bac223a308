import assert from 'node:assert/strict';
import { Passwords } from '../../../src/people/accounts/passwords';
import { usePlatform } from '../../support/hooks';
import { type Mail, recordMails } from '../../support/mails';

const DIGEST = '5f4dcc3b5aa765d61d8327deb882cf99';

describe('registration', () => {
  const platform = usePlatform();
  let mails: { sent: Mail[]; fail: boolean };
  let count = 0;

  before(async () => {
    mails = recordMails(platform);
  });
  beforeEach(() => {
    mails.sent = [];
    mails.fail = false;
  });

  const fresh = (fields: Record<string, unknown> = {}) => {
    count += 1;
    return { username: `anna-${count}`, email: `anna-${count}@example.org`, password: DIGEST, ...fields };
  };
  const register = (fields: Record<string, unknown> = {}, more: Record<string, unknown> = {}) =>
    platform.anonymous.post('/users', { user: fresh(fields), ...more });

  it('responds with the record and its location, but never the password', async () => {
    const user = fresh({
      name: 'Anna',
      surname: 'Müller',
      mobile: '+49 1',
      address: 'Weg 1',
      zipcode: '1',
      country: 'DE',
    });
    const response = await platform.anonymous.post('/users.json', { user });
    assert.equal(response.status, 201);
    const { id, UUID, ...rest } = response.body.user;
    assert.match(id, /^[1-9]\d*$/);
    assert.match(UUID, /^[0-9a-f-]{36}$/);
    const { password, ...shown } = user;
    assert.deepEqual(rest, { ...shown, timezone: null, language: null, openid: null, weekly_report: null });
    assert.equal(response.headers.get('location'), `${platform.url}/users/${id}`);
    assert.equal((await platform.anonymous.post('/login', { username: user.username, password })).status, 200);
  });

  it('accepts a form and leaves omitted fields empty', async () => {
    const form = 'user[username]=form-user&user[email]=form@example.org&user[name]=&disable_mail=1';
    const response = await platform.anonymous.post('/users', `${form}&user[password]=${DIGEST}`, {
      'Content-Type': 'application/x-www-form-urlencoded',
    });
    assert.equal(response.status, 201);
    assert.equal(response.body.user.name, '');
    assert.equal(mails.sent.length, 0);
  });

  it('sends a welcome mail unless it is disabled, and succeeds when the mail cannot be sent', async () => {
    const { body } = await register();
    assert.deepEqual(
      mails.sent.map(({ to }) => to),
      [body.user.email],
    );
    await register({}, { disable_mail: '1' });
    await platform.anonymous.post('/users?disable_mail=1', { user: fresh() });
    assert.equal(mails.sent.length, 1);
    mails.fail = true;
    assert.equal((await register()).status, 201);
  });

  it('sends no text of the caller to an address that may belong to somebody else', async () => {
    const text = 'You won, see evil.example';
    await register({ username: text, name: text, surname: text, address: text, mobile: text });
    assert.equal(mails.sent.length, 1);
    const { subject, text: body } = mails.sent[0] ?? assert.fail();
    assert.ok(!/won|evil/.test(subject + body), body);
  });

  it('hashes no password for a username that is taken', async () => {
    const { body } = await register();
    const { hash } = Passwords.prototype;
    let hashed = 0;
    Passwords.prototype.hash = function (password) {
      hashed += 1;
      return hash.call(this, password);
    };
    try {
      assert.equal((await register({ username: body.user.username })).status, 409);
      assert.equal(hashed, 0);
      assert.equal((await register()).status, 201);
      assert.equal(hashed, 1);
    } finally {
      Passwords.prototype.hash = hash;
    }
  });

  it('refuses a username that is taken, in any letter case', async () => {
    const { body } = await register();
    const again = await register({ username: body.user.username.toUpperCase() });
    assert.equal(again.status, 409);
    assert.equal(again.body.code, 'username_taken');
  });

  it('refuses a username that looks like one that is taken', async () => {
    assert.equal((await register({ username: 'copa-1' })).status, 201);
    for (const username of ['\u0441\u043e\u0440\u0430-1', 'COPA-l', 'c0pa-1']) {
      const refused = await register({ username });
      assert.deepEqual([refused.status, refused.body.code], [409, 'username_taken'], username);
      assert.deepEqual(refused.body.fields, { 'user.username': 'looks like one that is taken' });
    }
    for (const username of ['cop\u0430-2', 'copa-3\u034f', 'copa-4\u2800']) {
      assert.equal((await register({ username })).status, 400, username);
    }
    const user = await platform.user();
    const rename = (username: string) => user.api.put(`/users/${user.id}`, { user: { username } });
    assert.equal((await rename('c0pa-1')).status, 409);
    assert.equal((await rename(user.username.toUpperCase())).status, 200, 'like the own one');
    const responses = await Promise.all(
      ['rosa', '\u0433\u043e\u0455\u0430', 'r0sa'].map((username) => register({ username })),
    );
    assert.deepEqual(responses.map(({ status }) => status).sort(), [201, 409, 409]);
  });

  it('lets one of several simultaneous registrations of a username succeed', async () => {
    const user = fresh();
    const responses = await Promise.all([1, 2, 3, 4].map(() => platform.anonymous.post('/users', { user })));
    assert.deepEqual(responses.map(({ status }) => status).sort(), [201, 409, 409, 409]);
  });

  it('names every invalid field', async () => {
    const wrong: [Record<string, unknown>, string][] = [
      [{ username: undefined }, 'user.username'],
      [{ username: 'an\u0000na' }, 'user.username'],
      [{ username: 'a'.repeat(256) }, 'user.username'],
      [{ email: 'a@b.org, c@d.org' }, 'user.email'],
      [{ email: 'a@b.org\r\nBcc: c@d.org' }, 'user.email'],
      [{ email: '' }, 'user.email'],
      [{ password: 'clear text' }, 'user.password'],
      [{ password: DIGEST.slice(1) }, 'user.password'],
      [{ password: undefined }, 'user.password'],
      [{ name: 'x'.repeat(256) }, 'user.name'],
      [{ name: { first: 'x' } }, 'user.name'],
    ];
    for (const [fields, path] of wrong) {
      const response = await register(fields);
      assert.equal(response.status, 400, JSON.stringify(fields));
      assert.ok(path in response.body.fields, JSON.stringify(response.body));
    }
    for (const body of [{}, { user: 'anna' }, { user: null }, '[]', '{"user":']) {
      assert.equal((await platform.anonymous.post('/users', body)).status, 400);
    }
  });

  it('names the rule of an email that is no address', async () => {
    for (const email of ['anna', 'x', 'anna @example.org', '@']) {
      const { body } = await register({ email });
      const rule = 'must be an email address such as ada@example.org, without spaces, commas or quotes';
      assert.deepEqual(body.fields, { 'user.email': rule });
      assert.equal(body.error, `user.email ${rule}`);
    }
  });

  it('ignores a given id, UUID and creation time', async () => {
    const first = (await register()).body.user;
    const { body } = await register({
      id: first.id,
      uuid: 'mine',
      UUID: 'mine',
      passwordHash: 'x',
      createdMs: 1,
      openid: 'y',
    });
    assert.notEqual(body.user.id, first.id);
    assert.notEqual(body.user.UUID, 'mine');
    assert.equal(body.user.openid, null);
  });
});
