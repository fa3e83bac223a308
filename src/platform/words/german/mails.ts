/** Mails about accounts, and alerts to mailboxes, chats and browsers. */
export const MAILS = {
  'A browser takes no more alerts of your notification {id}. Its subscription has ended at:':
    'Ein Browser nimmt keine Alarme Ihrer Benachrichtigung {id} mehr an. Beendet ist seine Anmeldung bei:',
  'A probe of notification {id} failed': 'Eine Probe der Benachrichtigung {id} ist gescheitert',
  'A probe of your notification {id} did not arrive, so alerts would not arrive either:':
    'Eine Probe Ihrer Benachrichtigung {id} ist nicht angekommen, also kämen auch Alarme nicht an:',
  'Account number {id}:': 'Konto Nummer {id}:',
  Acknowledged: 'Bestätigt',
  'After five days without success the notification is switched off.':
    'Nach fünf Tagen ohne Erfolg wird die Benachrichtigung ausgeschaltet.',
  Alert: 'Alarm',
  'Alerts are sent to this address only once you have confirmed it. To do so, open this page and press its button:':
    'Alarme werden erst an diese Adresse gesendet, wenn Sie sie bestätigt haben. Öffnen Sie dazu diese Seite und drücken Sie den Knopf:',
  'All other sessions have ended with it.': 'Damit sind alle anderen Sitzungen beendet.',
  'All other sessions have ended with it. Keys, and applications that may use the account, go on as before: the page of the account in the console shows and ends them.':
    'Damit sind alle anderen Sitzungen beendet. Schlüssel, und Anwendungen, die das Konto verwenden dürfen, bleiben bestehen: Die Seite des Kontos in der Konsole zeigt und beendet sie.',
  'All other sessions, all keys and all permissions of applications have ended with it.':
    'Damit sind alle anderen Sitzungen, alle Schlüssel und alle Erlaubnisse von Anwendungen beendet.',
  'Chart of {sensor}': 'Diagramm von {sensor}',
  'Chart of {sensor} at {when}': 'Diagramm von {sensor} um {when}',
  Condition: 'Bedingung',
  'Confirm your address for alerts ({host})': 'Bestätigen Sie Ihre Adresse für Alarme ({host})',
  Critical: 'Kritisch',
  'Critical alerts have waited for more than five minutes to arrive at the destination of your notification {id}:':
    'Kritische Alarme warten seit mehr als fünf Minuten darauf, beim Ziel Ihrer Benachrichtigung {id} anzukommen:',
  'Critical alerts of notification {id} wait': 'Kritische Alarme der Benachrichtigung {id} warten',
  'Do you want to receive alerts?': 'Möchten Sie Alarme empfangen?',
  Escalation: 'Eskalation',
  Event: 'Ereignis',
  'Event {event}': 'Ereignis {event}',
  'GET /deliveries?notification_id={id}&status=failed shows what failed. When the destination works again, test it with POST /notifications/{id}/test.':
    'GET /deliveries?notification_id={id}&status=failed zeigt, was gescheitert ist. Wenn das Ziel wieder funktioniert, testen Sie es mit POST /notifications/{id}/test.',
  'GET /deliveries?notification_id={id}&status=failed shows why. Further failed probes cause no mail until a delivery arrives there.':
    'GET /deliveries?notification_id={id}&status=failed zeigt, warum. Weitere gescheiterte Proben verursachen keine Mail, bis dort wieder etwas ankommt.',
  'GET /deliveries?notification_id={id}&status=pending shows them. To be notified by another channel as well, connect a notification to the event notification_failing.':
    'GET /deliveries?notification_id={id}&status=pending zeigt sie. Um es auch auf einem anderen Weg zu erfahren, verbinden Sie eine Benachrichtigung mit dem Ereignis notification_failing.',
  'Hello,': 'Guten Tag,',
  'If it was not you, ask for a new password at once, and tell the operator of the platform.':
    'Wenn Sie das nicht waren, fordern Sie sofort ein neues Passwort an, und sagen Sie es dem Betreiber der Plattform.',
  'If it was not you, ignore this mail: your password stays the same.':
    'Wenn Sie das nicht waren, ignorieren Sie diese Mail: Ihr Passwort bleibt, wie es ist.',
  'If you did not register, ignore this mail.': 'Wenn Sie sich nicht registriert haben, ignorieren Sie diese Mail.',
  'If you did not register, ignore this mail. To get no mail of this account again, or of no account here at all:':
    'Wenn Sie sich nicht registriert haben, ignorieren Sie diese Mail. Um keine Mail dieses Kontos mehr zu bekommen, oder von gar keinem Konto hier:',
  'If you know nothing about this, ignore this mail. To get no mail of this user again, or of no user here at all:':
    'Wenn Sie nichts davon wissen, ignorieren Sie diese Mail. Um keine Mail dieses Benutzers mehr zu bekommen, oder von gar keinem hier:',
  'If you still want alerts in that browser, open the page Notifications of the console in it, and subscribe again.':
    'Wenn Sie in diesem Browser weiter Alarme möchten, öffnen Sie darin die Seite „Benachrichtigungen“ der Konsole, und melden Sie ihn wieder an.',
  'It is then not repeated until it is over.': 'Er wird dann nicht wiederholt, bis er vorbei ist.',
  'It shows the latest value of the sensor.': 'Er zeigt den letzten Messwert des Sensors.',
  'Last value': 'Letzter Wert',
  'No data from {sensor} since {since}: {trigger}': 'Keine Daten von {sensor} seit {since}: {trigger}',
  'No data from {sensor}: {trigger}': 'Keine Daten von {sensor}: {trigger}',
  'Nothing else is sent unless you agree. To agree, open this page and press its button:':
    'Ohne Ihre Zustimmung wird nichts weiter gesendet. Um zuzustimmen, öffnen Sie diese Seite und drücken Sie den Knopf:',
  'Nothing has arrived at the destination of your notification {id} for five days:':
    'Seit fünf Tagen ist beim Ziel Ihrer Benachrichtigung {id} nichts angekommen:',
  'Nothing has arrived at the destination of your notification {id} for two and a half days:':
    'Seit zweieinhalb Tagen ist beim Ziel Ihrer Benachrichtigung {id} nichts angekommen:',
  'Notification {id} is failing': 'Benachrichtigung {id} kommt nicht an',
  'Notification {id} was switched off': 'Benachrichtigung {id} wurde ausgeschaltet',
  'On {day}, times in {zone}.': 'Am {day}, Zeiten in {zone}.',
  'Probe of a notification': 'Probe einer Benachrichtigung',
  Resolved: 'Beendet',
  'Sample values stand where a firing has real ones.': 'Wo ein Alarm echte Werte hat, stehen Beispielwerte.',
  'See and acknowledge them': 'Ansehen und bestätigen',
  Sensor: 'Sensor',
  Severity: 'Schweregrad',
  'So many alerts came within a minute that those after the first ones are in this one mail.':
    'In einer Minute kamen so viele Alarme, dass alle nach den ersten in dieser einen Mail stehen.',
  Source: 'Quelle',
  'Stop these mails': 'Diese Mails beenden',
  Subject: 'Betrifft',
  Test: 'Test',
  'Test of a notification': 'Test einer Benachrichtigung',
  'The notification is switched off now: triggers and events send nothing there any more.':
    'Die Benachrichtigung ist jetzt ausgeschaltet: Regeln und Ereignisse senden nichts mehr dorthin.',
  'The platform sends it regularly, as the owner of the notification asked.':
    'Die Plattform sendet sie regelmäßig, wie es für diese Benachrichtigung eingestellt ist.',
  'These alerts began during a mute, and still fired when it was over.':
    'Diese Alarme begannen, während sie stummgeschaltet waren, und bestanden danach noch.',
  'This is a test of a notification: nothing has happened.':
    'Das ist ein Test einer Benachrichtigung: Es ist nichts geschehen.',
  'This is an escalation: the alert was {unacknowledged}.': 'Das ist eine Eskalation: Der Alarm ist {unacknowledged}.',
  'To acknowledge it, so that it is not repeated: {url}': 'Um ihn zu bestätigen, damit er nicht wiederholt wird: {url}',
  'To stop these mails: {url}': 'Um diese Mails zu beenden: {url}',
  Trigger: 'Regel',
  'Trigger {trigger} fired on sensor {sensor}': 'Regel {trigger} hat bei Sensor {sensor} ausgelöst',
  'Trigger {trigger} is resolved on sensor {sensor}': 'Regel {trigger} ist bei Sensor {sensor} beendet',
  'Trigger {trigger} was acknowledged on sensor {sensor}': 'Regel {trigger} wurde bei Sensor {sensor} bestätigt',
  Value: 'Messwert',
  When: 'Wann',
  'When the destination works again, test it with POST /notifications/{id}/test, then set "enabled" of the notification.':
    'Wenn das Ziel wieder funktioniert, testen Sie es mit POST /notifications/{id}/test, und setzen Sie dann „enabled“ der Benachrichtigung.',
  Why: 'Warum',
  'Your account on {host} is ready': 'Ihr Konto bei {host} ist bereit',
  'Your account was changed': 'Ihr Konto wurde geändert',
  'above {limit}': 'über {limit}',
  and: 'und',
  'and {n} more': 'und {n} weitere',
  application: 'Anwendung',
  'at least {limit}': 'mindestens {limit}',
  'at most {limit}': 'höchstens {limit}',
  'below {limit}': 'unter {limit}',
  critical: 'kritisch',
  'data has come again': 'es kommen wieder Daten',
  delivery: 'Zustellung',
  device: 'Gerät',
  environment: 'Umgebung',
  group: 'Gruppe',
  'held for {duration}': 'seit {duration}',
  info: 'Info',
  invitation: 'Einladung',
  'it was resolved by hand': 'von Hand beendet',
  key: 'Schlüssel',
  'no data': 'keine Daten',
  'no data for {duration}': 'seit {duration} keine Daten',
  'none is known': 'keiner bekannt',
  'not acknowledged for {duration}': 'seit {duration} nicht bestätigt',
  notification: 'Benachrichtigung',
  number: 'Nummer',
  'number {id}': 'Nummer {id}',
  'on {date}': 'am {date}',
  resolved: 'beendet',
  sensor: 'Sensor',
  service: 'Dienst',
  'someone asked for a new password for your account number {id}. To choose one, open this page within one hour:':
    'jemand hat ein neues Passwort für Ihr Konto Nummer {id} angefordert. Um eines zu wählen, öffnen Sie diese Seite innerhalb einer Stunde:',
  'someone asked for a new password, and this address has several accounts: {accounts}. To choose one for an account, open its page within one hour:':
    'jemand hat ein neues Passwort angefordert, und diese Adresse hat mehrere Konten: {accounts}. Um für ein Konto eines zu wählen, öffnen Sie innerhalb einer Stunde seine Seite:',
  'the condition does not hold any more': 'die Bedingung trifft nicht mehr zu',
  'the email address': 'die Mailadresse',
  'the password': 'das Passwort',
  'the user with the account number {id} on {url} wants to have alerts of sensors sent to this address.':
    'der Benutzer mit der Kontonummer {id} auf {url} möchte Alarme von Sensoren an diese Adresse senden lassen.',
  trigger: 'Regel',
  user: 'Benutzer',
  warning: 'Warnung',
  'your account on the sensor data platform {url} is ready. Log in with your username and your password.':
    'Ihr Konto auf der Plattform für Sensordaten {url} ist bereit. Melden Sie sich mit Ihrem Benutzernamen und Ihrem Passwort an.',
  '{alerts} after a mute:': '{alerts} nach dem Stummschalten:',
  '{alerts} within a minute:': '{alerts} innerhalb einer Minute:',
  '{alerts}: {first} and others': '{alerts}: {first} und andere',
  '{kind} “{name}”': '{kind} „{name}“',
  '{n} alert': '{n} Alarm',
  '{n} alerts': '{n} Alarme',
  '{n} day': '{n} Tag',
  '{n} days': '{n} Tagen',
  '{n} fields in all': 'insgesamt {n} Felder',
  '{n} hour': '{n} Stunde',
  '{n} hours': '{n} Stunden',
  '{n} minute': '{n} Minute',
  '{n} minutes': '{n} Minuten',
  '{n} more alert': '{n} weiterer Alarm',
  '{n} more alerts': '{n} weitere Alarme',
  '{n} second': '{n} Sekunde',
  '{n} seconds': '{n} Sekunden',
  '{trigger} on {sensor}': '{trigger} bei {sensor}',
  '{what} of your account number {id} on {url} has been changed.':
    'bei Ihrem Konto Nummer {id} auf {url} wurde Folgendes geändert: {what}.',
} as const;
