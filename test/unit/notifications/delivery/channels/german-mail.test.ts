import assert from 'node:assert/strict';
import { toMail } from '../../../../../src/notifications/delivery/channels/delivery-mail';
import { Words } from '../../../../../src/platform/words/words';
import { alert } from '../../../../support/alerts';
import { outgoing } from '../../../../support/channel-suite';

const LINKS = {
  acknowledgeUrl: 'https://s.example.org/acknowledge?token=k',
  unsubscribeUrl: 'https://s.example.org/u?token=a',
};

describe('a mail about a firing, to a German account', () => {
  it('is in the language of the account, with its numbers and dates', () => {
    const words = Words.in('de');
    const sensor = { ...alert().sensor, name: 'Gewächshaus', displayName: '', unit: '°C' };
    const trigger = { ...alert().trigger, name: 'zu warm', expression: 'sensor_data_value >= 30.5' };
    const critical = { ...trigger, severity: 'critical' as const };
    const {
      subject,
      text,
      html = '',
    } = toMail(
      outgoing({ words, text: '', alert: alert({ sensor, trigger: critical, hold: 172_800 }), ...LINKS }),
      'https://s.example.org',
    );
    assert.equal(subject, 'Kritisch: zu warm bei Gewächshaus');
    assert.equal(
      text,
      `Kritisch: zu warm bei Gewächshaus

Sensor:      Gewächshaus
Regel:       zu warm
Schweregrad: kritisch
Messwert:    31,2 °C
Wann:        21. November 2026, 02:52:24 UTC
Warum:       mindestens 30,5 °C
             seit 2 Tagen

Um ihn zu bestätigen, damit er nicht wiederholt wird: https://s.example.org/acknowledge?token=k

Diagramm von Gewächshaus: https://s.example.org/console/sensors/42?at=1795229544.125

-- 
Um diese Mails zu beenden: https://s.example.org/u?token=a
`,
    );
    assert.match(html, /<html lang="de">/);
    assert.doesNotMatch(html, />(?:Acknowledge|Alert|Sensor data|Chart)/);
  });
});
