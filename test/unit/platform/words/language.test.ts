import assert from 'node:assert/strict';
import { preferredLanguage } from '../../../../src/platform/words/language';
import { translate } from '../../../../src/platform/words/translate';
import { Words } from '../../../../src/platform/words/words';
import { assertLinear } from '../../../support/growth';

describe('the language of a reader', () => {
  it('is the one of ours that Accept-Language prefers, and none without one', () => {
    const cases: [string | undefined, string | undefined][] = [
      [undefined, undefined],
      ['', undefined],
      ['*', undefined],
      ['fr-FR, nl;q=0.9', undefined],
      ['de', 'de'],
      ['DE-at', 'de'],
      ['de-DE,de;q=0.9,en;q=0.8', 'de'],
      ['en-US,en;q=0.9,de;q=0.8', 'en'],
      ['fr, de;q=0.5, en;q=0.4', 'de'],
      ['en;q=0.4, de;q=0.5', 'de'],
      ['de;q=0, en;q=0.1', 'en'],
      ['de;q=x', undefined],
      ['de;q=1.5', undefined],
      [`${'x,'.repeat(8_000)}de`, 'de'],
    ];
    for (const [header, language] of cases) assert.equal(preferredLanguage(header), language, header?.slice(0, 40));
  });
});

describe('a text that is written already', () => {
  const CATALOGUE = {
    'the sensor': 'der Sensor',
    'the sensor {id}': 'der Sensor {id}',
    '{what} does not exist': '{what} existiert nicht',
    'cannot be used: {why}': 'ist nicht brauchbar: {why}',
    '{why} at position {n}': '{why} an Position {n}',
    'unknown name "{name}" ({why})': 'unbekannter Name "{name}" ({why})',
    '{a} of {b}': '{b}, davon {a}',
  };

  it('is translated with its values, and with the texts among them', () => {
    const cases = [
      ['the sensor does not exist', 'der Sensor existiert nicht'],
      ['the sensor 42 does not exist', 'der Sensor 42 existiert nicht'],
      ['the flying carpet does not exist', 'the flying carpet existiert nicht'],
      [
        'cannot be used: unknown name "a (b)" (the sensor) at position 3',
        'ist nicht brauchbar: unbekannter Name "a (b)" (der Sensor) an Position 3',
      ],
      ['2 of 3', '3, davon 2'],
      ['nothing like it', 'nothing like it'],
      ['$& of $1', '$1, davon $&'],
    ] as const;
    for (const [text, german] of cases) assert.equal(translate(text, CATALOGUE), german);
  });

  it('takes no longer than its length, whatever users have written into it', () => {
    assertLinear(20_000, (count) => void translate('cannot be used: unknown name "'.repeat(count), CATALOGUE));
  });

  it('may be made of several, as why deliveries wait', () => {
    const why = 'the hourly limit of 60 mails to ward@example.org is reached. The next try is at 2026-11-30T04:00:00Z';
    assert.equal(
      Words.in('de').said(`Notification 5: 12 deliveries wait (1 critical): ${why}.`),
      'Benachrichtigung 5: 12 Zustellungen warten (1 kritische): die Grenze von 60 Mails pro Stunde an ward@example.org ist erreicht. Der nächste Versuch ist um 2026-11-30T04:00:00Z.',
    );
  });

  it('stays as it is in English', () => {
    assert.equal(Words.english.said('the sensor does not exist'), 'the sensor does not exist');
    assert.equal(Words.in('de').said('the sensor does not exist'), 'der Sensor existiert nicht');
  });
});

describe('a number', () => {
  it('has the marks of the language and all its decimals; other texts stay', () => {
    const german = Words.in('de');
    for (const [text, shown] of [
      ['31.20', '31,20'],
      ['-0.5', '−0,5'],
      ['1013.25', '1013,25'],
      ['8864197523', '8.864.197.523'],
      ['123456789012345678.5', '123456789012345678.5'],
      ['1e-7', '1e-7'],
      ['007', '007'],
      ['open', 'open'],
      ['1.2.3', '1.2.3'],
    ] as const) {
      assert.equal(german.number(text), shown, text);
    }
    assert.equal(Words.english.number('31.20'), '31.20');
    assert.equal(Words.english.number('31200'), '31,200');
  });
});
