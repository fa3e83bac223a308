import assert from 'node:assert/strict';
import { isEmailAddress } from '../../../../src/edge/mail-address';
import { usernameKey, usernameLooks, usernameProblem } from '../../../../src/people/accounts/account';

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

  it('are refused with characters that show nothing, are unassigned or private', () => {
    const invisible = [0x34f, 0xfe0f, 0x3164, 0x115f, 0x2800, 0x17b4, 0x1d159, 0x13441, 0xad, 0x202e, 0xe0041, 0xfffc];
    for (const code of [...invisible, 0x378, 0xe000, 0xf0000]) {
      const username = `ada${String.fromCodePoint(code)}`;
      assert.equal(usernameProblem(username), 'must have no invisible characters', code.toString(16));
    }
  });

  it('are refused when they mix scripts that nobody writes together', () => {
    const mixed = ['ad\u0430', '\u0391da', 'p\u13aapa', 'b\u05e1b', 'b\u0966b', 'Иван-dev', 'admin\u0585'];
    for (const username of mixed) assert.match(usernameProblem(username) ?? '', /^must not mix letters/, username);
    const good = [
      'Иван Петров-2',
      'Γιώργος',
      'علي ٣',
      'שלום',
      '田中たろうABC',
      '北京ㄅDan',
      '김철수 kim',
      'नमस्ते_1',
      'ᐃᓄᒃᑎᑐᑦ',
    ];
    for (const username of [...good, 'Anna 😀', 'Zoë O’Neil ½'])
      assert.equal(usernameProblem(username), null, username);
  });

  it('look the same in other letters, and only then', () => {
    const pairs: [string, string][] = [
      ['copa', '\u0441\u043e\u0440\u0430'],
      ['BOB', '\u0412\u041e\u0412'],
      ['KATE', '\u039a\u0391\u03a4\u0395'],
      ['paul', 'PauI'],
      ['paul', 'pau1'],
      ['bob', 'b0b'],
      ['adam', 'adarn'],
      ['papa', '\u13e2\u13aa\u13e2\u13aa'],
      ['an na', 'An  na'],
      ['m\u00fcller', 'MU\u0308LLER'],
    ];
    for (const [one, other] of pairs) assert.equal(usernameLooks(one), usernameLooks(other), `${one} ${other}`);
    const different = [
      'anna',
      'anno',
      'ana',
      'anná',
      'Ian',
      'Lan',
      'ian-l',
      'user-1',
      'user-2',
      'user-10',
      'нина',
      'hnha',
      '田中',
      '田仲',
    ];
    assert.equal(new Set(different.map(usernameLooks)).size, different.length);
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
      'a@b/c.d',
      'a@b?c.d',
      'a@b#c.d',
      'a@b%2ec.d',
      'a@b.',
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
