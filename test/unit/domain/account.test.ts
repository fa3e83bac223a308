import assert from 'node:assert/strict';
import { isEmailAddress, usernameKey, usernameProblem } from '../../../src/domain/account';

describe('usernames', () => {
  it('are equal without regard to letter case, Unicode form and surrounding spaces', () => {
    const same = ['Müller', 'MÜLLER', 'mu\u0308ller', '  müller ', 'ｍüller'];
    assert.deepEqual(new Set(same.map(usernameKey)), new Set(['müller']));
    assert.notEqual(usernameKey('muller'), usernameKey('müller'));
  });

  it('are refused when empty, too long, or with invisible characters', () => {
    assert.equal(usernameProblem('anna@example.org'), null);
    assert.equal(usernameProblem('Anna Müller-42'), null);
    const wrong = ['', ' ', ' anna', 'anna\n', 'an\u0000na', 'an\u200bna', '\ud800', 'a'.repeat(256), 'ﷺ'.repeat(100)];
    for (const username of wrong) assert.notEqual(usernameProblem(username), null);
  });
});

describe('email addresses', () => {
  it('are accepted when they identify one mailbox', () => {
    for (const text of ['anna@example.org', "o'neil+x@sub.example.org", 'me@localhost', 'ü@exämple.org']) {
      assert.ok(isEmailAddress(text), text);
    }
  });

  it('are refused when a mail header would interpret them differently', () => {
    const wrong = [
      '',
      'anna',
      '@x',
      'a@',
      'a@b@c',
      'a@b, c@d',
      'a,b@c',
      'a@b\r\nBcc: c@d',
      'A <a@b>',
      '"a"@b',
      'a b@c',
    ];
    for (const text of [...wrong, 'a\u0007@b']) assert.ok(!isEmailAddress(text), text);
  });

  it('are refused when a part is too long for any mail server', () => {
    const domain = `${'b'.repeat(185)}.org`;
    assert.ok(isEmailAddress(`${'a'.repeat(64)}@${domain}`));
    assert.ok(!isEmailAddress(`${'a'.repeat(65)}@b.org`));
    assert.ok(!isEmailAddress(`${'a'.repeat(64)}@b${domain}`));
  });
});
