import assert from 'node:assert/strict';
import { operatorRuleOf, providedGroups, toProfile, usernamesFor } from '../../../../src/people/oidc/profile';
import { readConfig } from '../../../../src/platform/config';

const NEEDED = {
  MYSQL_URL: 'mysql://127.0.0.1/test',
  REDIS_URL: 'redis://127.0.0.1',
  OIDC_ISSUER: 'https://login.example.org',
  OIDC_CLIENT_ID: 'sensors',
  OIDC_CLIENT_SECRET: 'secret',
  OIDC_GROUPS_CLAIM: 'groups',
};
const SAID = { iss: 'https://login.example.org', sub: '248289761001' };

function settings(more: Record<string, string>) {
  return readConfig({ ...NEEDED, ...more }).oidc ?? assert.fail('no settings');
}

function profileOf(said: Record<string, unknown>) {
  return toProfile({ ...SAID, ...said }, 'groups') ?? assert.fail('no profile');
}

describe('what an identity provider says about a user', () => {
  it('needs a subject that MySQL takes for no other', () => {
    for (const sub of [undefined, '', ' a', 'a ', 'ä', 'a\n', 7, ['a'], 'a'.repeat(256)]) {
      assert.equal(toProfile({ ...SAID, sub }, undefined), undefined, JSON.stringify(sub));
    }
    assert.equal(profileOf({ sub: 'CN=Ada Lovelace' }).subject, 'CN=Ada Lovelace');
  });

  it('gives a mail address only if it is verified, and is one', () => {
    const email = 'ada@example.org';
    assert.equal(profileOf({ email, email_verified: true }).email, email);
    for (const email_verified of [undefined, false, 'true', 1])
      assert.equal(profileOf({ email, email_verified }).email, '');
    assert.equal(profileOf({ email: 'ada@example.org, b@example.org', email_verified: true }).email, '');
  });

  it('gives names of the platform’s kind, and never a mail address', () => {
    const firstOf = (said: Record<string, unknown>) => usernamesFor(profileOf(said))[0];
    assert.equal(firstOf({ preferred_username: 'ada' }), 'ada');
    assert.equal(firstOf({ preferred_username: 'ada@example.org' }), 'ada');
    assert.equal(firstOf({ email: 'grace@example.org', email_verified: true }), 'grace');
    assert.equal(firstOf({ email: 'grace@example.org' }), 'user');
    assert.equal(firstOf({ preferred_username: 'a\u200bda', name: 'Ada Lovelace' }), 'Ada Lovelace');
    assert.equal(firstOf({ preferred_username: 'x'.repeat(300) }), 'user');
    const all = usernamesFor(profileOf({ preferred_username: 'ada' }));
    assert.deepEqual(all.slice(0, 3), ['ada', 'ada-2', 'ada-3']);
    assert.match(all.at(-1) ?? '', /^ada-[0-9a-z]{8}$/);
  });

  it('gives groups, one or many, and knows when they were left out', () => {
    const groups = ['staff', 7, '/ops'];
    assert.deepEqual([...(profileOf({ groups }).groups ?? [])], ['staff', '/ops']);
    assert.deepEqual([...(profileOf({ groups: 'staff' }).groups ?? [])], ['staff']);
    assert.deepEqual([...(profileOf({}).groups ?? ['none'])], []);
    assert.equal(profileOf({ _claim_names: { groups: 'src1' } }).groups, undefined);
    assert.deepEqual([...(toProfile({ ...SAID, groups }, undefined)?.groups ?? ['none'])], []);
  });

  it('decides about the groups of OIDC_GROUPS, by their ids', () => {
    const config = settings({ OIDC_GROUPS: 'staff=3, /ops=4, a=b=5' });
    assert.deepEqual(providedGroups(profileOf({ groups: ['staff', 'a=b', 'c'] }), config), new Set([3, 5]));
    assert.deepEqual(providedGroups(profileOf({}), config), new Set());
    const leftOut = profileOf({ _claim_names: { groups: 'src1' } });
    assert.equal(providedGroups(leftOut, config), undefined);
  });

  it('makes operators by group or subject, who act before they look', () => {
    const config = settings({ OIDC_OPERATORS: 'group:ops,sub:248289761001', OIDC_VIEWERS: 'group:staff' });
    const roleOf = (said: Record<string, unknown>) => operatorRuleOf(profileOf(said), config)?.role;
    assert.equal(roleOf({ sub: 'x', groups: ['staff', 'ops'] }), 'act');
    assert.equal(roleOf({ sub: 'x', groups: ['staff'] }), 'look');
    assert.equal(roleOf({}), 'act');
    assert.equal(roleOf({ sub: 'ops', groups: ['248289761001'] }), undefined, 'a group is no subject');
    assert.equal(roleOf({ sub: 'x', _claim_names: { groups: 'src1' } }), undefined);
  });
});

describe('settings of OpenID Connect', () => {
  const mistakes = (more: Record<string, string>) => {
    try {
      readConfig({ ...NEEDED, ...more });
      return '';
    } catch (error) {
      return String(error);
    }
  };

  it('are off without an issuer', () => {
    assert.equal(readConfig({ MYSQL_URL: NEEDED.MYSQL_URL, REDIS_URL: NEEDED.REDIS_URL }).oidc, undefined);
  });

  it('need https, except on this machine', () => {
    for (const issuer of [
      'http://localhost:8081/realms/a',
      'http://127.0.0.1:1',
      'http://[::1]',
      'https://a.example/x/',
    ]) {
      assert.equal(mistakes({ OIDC_ISSUER: issuer }), '', issuer);
    }
    for (const issuer of [
      'http://login.example.org',
      'http://localhost.example',
      'login.example.org',
      'https://a?b=c',
    ]) {
      assert.match(mistakes({ OIDC_ISSUER: issuer }), /OIDC_ISSUER: must be a URL/, issuer);
    }
  });

  it('need each other', () => {
    assert.match(
      mistakes({ OIDC_CLIENT_ID: '', OIDC_CLIENT_SECRET: '' }),
      /OIDC_CLIENT_ID: is req.*\n.*OIDC_CLIENT_SECRET: is req/,
    );
    assert.match(mistakes({ OIDC_GROUPS_CLAIM: '', OIDC_GROUPS: 'a=1' }), /OIDC_GROUPS_CLAIM: is required/);
    assert.match(mistakes({ OIDC_GROUPS_CLAIM: '', OIDC_VIEWERS: 'group:a' }), /OIDC_GROUPS_CLAIM: is required/);
    assert.equal(mistakes({ OIDC_GROUPS_CLAIM: '', OIDC_VIEWERS: 'sub:a' }), '');
  });

  it('name groups by id, and operators by kind', () => {
    for (const OIDC_GROUPS of ['staff', 'staff=', '=3', 'staff=0', 'staff=ops']) {
      assert.match(mistakes({ OIDC_GROUPS }), /OIDC_GROUPS: must be entries/, OIDC_GROUPS);
    }
    for (const OIDC_OPERATORS of ['ops', 'user:ops', 'group:']) {
      assert.match(mistakes({ OIDC_OPERATORS }), /OIDC_OPERATORS: must be entries/, OIDC_OPERATORS);
    }
  });
});
