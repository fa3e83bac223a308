import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTranslations } from '../../../console/src/language';
import { deedOf } from '../../../console/src/pages/history/words';
import openapi from '../../../src/generated/openapi.json';

const GERMAN = JSON.parse(readFileSync(join(__dirname, '../../../console/languages/de.json'), 'utf8'));
const subjectOf = (kind: string) => ({ kind, id: '7', name: 'one' });

describe('the words of a history', () => {
  afterEach(() => setTranslations({}));

  // cspell:disable
  const records = [
    ['updateTrigger', 'trigger', 'Trigger changed', 'Regel geändert'],
    ['addGroupUsers', 'group', 'Member added', 'Mitglied hinzugefügt'],
    ['uploadSensors', 'sensor', 'Sensor changed', 'Sensor geändert'],
    ['rotateNotificationSecret', 'notification', 'Secret renewed', 'Geheimnis erneuert'],
    ['makeRecoveryCodes', 'user', 'Recovery codes created', 'Wiederherstellungscodes angelegt'],
    ['blockUser', 'user', 'User blocked', 'Nutzer blockiert'],
    ['updateSeries', 'series', 'Series changed', 'Messreihen geändert'],
    ['oauth/login', 'session', 'Signed in', 'Angemeldet'],
    ['login/oidc/callback', 'session', 'Signed in', 'Angemeldet'],
    ['loginByPasskey', 'session', 'Signed in', 'Angemeldet'],
    ['end-sessions', 'user', 'end-sessions', 'end-sessions'],
  ] as const;
  // cspell:enable
  for (const [action, kind, english, german] of records)
    it(`say “${english}” for ${action}`, () => {
      const entry = { action, refused: null, subject: subjectOf(kind) };
      assert.equal(deedOf(entry), english);
      setTranslations(GERMAN);
      assert.equal(deedOf(entry), german);
    });

  it('say that a refused attempt changed nothing', () => {
    assert.equal(deedOf({ action: 'deleteSensor', refused: 403, subject: null }), 'Sensor not deleted');
    assert.equal(deedOf({ action: 'login', refused: 401, subject: null }), 'Not signed in');
  });

  it('exist for each operation that changes something', () => {
    const names = Object.values<Record<string, { operationId: string }>>(openapi.paths).flatMap((methods) =>
      Object.entries(methods).flatMap(([method, { operationId }]) => (method === 'get' ? [] : operationId)),
    );
    assert.ok(names.length > 100);
    const said = names.map((action) => deedOf({ action, refused: null, subject: subjectOf('sensor') }));
    assert.deepEqual(
      said.filter((text, at) => text === names[at]),
      [],
    );
  });
});
