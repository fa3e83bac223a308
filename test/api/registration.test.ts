import assert from 'node:assert/strict';
import { type Mail, recordMails } from '../support/mails';
import { type Platform, startPlatform } from '../support/platform';

const DIGEST = '5f4dcc3b5aa765d61d8327deb882cf99';

describe('registration', () => {
  let platform: Platform;
  let mails: { sent: Mail[]; fail: boolean };
  let count = 0;

  before(async () => {
    platform = await startPlatform();
    mails = recordMails(platform);
  });
  beforeEach(() => {
    mails.sent = [];
    mails.fail = false;
  });
  after(() => platform.close());

  const fresh = (fields: Record<string, unknown> = {}) => {
    count += 1;
    return { username: `anna-${count}`, email: `anna-${count}@example.org`, password: DIGEST, ...fields };
  };
  const register = (fields: Record<string, unknown> = {}, more: Record<string, unknown> = {}) =>
    platform.anonymous.post('/users', { user: fresh(fields), ...more });

  it('answers the record, where it is, and never the password', async () => {
    const user = fresh({
      name: 'Anna',
      surname: 'Müller',
      mobile: '+49 1',
      address: 'Weg 1',
      zipcode: '1',
      country: 'DE',
    });
    const answer = await platform.anonymous.post('/users.json', { user });
    assert.equal(answer.status, 201);
    const { id, UUID, ...rest } = answer.body.user;
    assert.match(id, /^[1-9]\d*$/);
    assert.match(UUID, /^[0-9a-f-]{36}$/);
    const { password, ...shown } = user;
    assert.deepEqual(rest, { ...shown, openid: null });
    assert.equal(answer.headers.get('location'), `${platform.url}/users/${id}`);
    assert.equal((await platform.anonymous.post('/login', { username: user.username, password })).status, 200);
  });

  it('takes a form and leaves what is not given empty', async () => {
    const form = 'user[username]=form-user&user[email]=form@example.org&user[name]=&disable_mail=1';
    const answer = await platform.anonymous.post('/users', `${form}&user[password]=${DIGEST}`, {
      'Content-Type': 'application/x-www-form-urlencoded',
    });
    assert.equal(answer.status, 201);
    assert.equal(answer.body.user.name, '');
    assert.equal(mails.sent.length, 0);
  });

  it('sends a welcome mail unless told not to, and succeeds when it cannot be sent', async () => {
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

  it('mails nothing that the caller wrote to an address that may be somebody else’s', async () => {
    const text = 'You won, see evil.example';
    await register({ username: text, name: text, surname: text, address: text, mobile: text });
    assert.equal(mails.sent.length, 1);
    const { subject, text: body } = mails.sent[0] ?? assert.fail();
    assert.ok(!/won|evil/.test(subject + body), body);
  });

  it('spends no hashing on a username that is taken', async () => {
    const { body } = await register();
    const { passwords } = Object(platform.container.services.users);
    let hashed = 0;
    const hash = passwords.hash.bind(passwords);
    Object.assign(passwords, { hash: (password: string) => ++hashed && hash(password) });
    assert.equal((await register({ username: body.user.username })).status, 409);
    assert.equal(hashed, 0);
    assert.equal((await register()).status, 201);
    assert.equal(hashed, 1);
    delete passwords.hash;
  });

  it('refuses a username that is taken, in any letter case', async () => {
    const { body } = await register();
    const again = await register({ username: body.user.username.toUpperCase() });
    assert.equal(again.status, 409);
    assert.equal(again.body.code, 'username_taken');
  });

  it('lets one of two registrations of the same username at once succeed', async () => {
    const user = fresh();
    const answers = await Promise.all([1, 2, 3, 4].map(() => platform.anonymous.post('/users', { user })));
    assert.deepEqual(answers.map(({ status }) => status).sort(), [201, 409, 409, 409]);
  });

  it('names what is wrong', async () => {
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
      const answer = await register(fields);
      assert.equal(answer.status, 400, JSON.stringify(fields));
      assert.ok(path in answer.body.fields, JSON.stringify(answer.body));
    }
    for (const body of [{}, { user: 'anna' }, { user: null }, '[]', '{"user":']) {
      assert.equal((await platform.anonymous.post('/users', body)).status, 400);
    }
  });

  it('decides about the id, the UUID and the time itself', async () => {
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
