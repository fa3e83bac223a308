/** What a request or a delivery waits for, and what a probe says. */
export const LIMITS = {
  'Notification {name}: 1 delivery waits (1 critical): {why}.':
    'Benachrichtigung {name}: 1 Zustellung wartet (1 kritische): {why}.',
  'Notification {name}: 1 delivery waits: {why}.': 'Benachrichtigung {name}: 1 Zustellung wartet: {why}.',
  'Notification {name}: {n} deliveries wait ({critical} critical): {why}.':
    'Benachrichtigung {name}: {n} Zustellungen warten ({critical} kritische): {why}.',
  'Notification {name}: {n} deliveries wait: {why}.': 'Benachrichtigung {name}: {n} Zustellungen warten: {why}.',
  'Redis does not answer: {what}': 'Redis antwortet nicht: {what}',
  'This is a probe: nothing has happened. It comes every {period} and shows that alerts arrive here.':
    'Das ist eine Probe: Es ist nichts geschehen. Sie kommt alle {period} und zeigt, dass Alarme hier ankommen.',
  'as many deliveries as may go to {receiver} at once are under way':
    'so viele Zustellungen, wie gleichzeitig an {receiver} gehen dürfen, sind unterwegs',
  'as many deliveries as may go to {receiver} at once are under way; its latest attempt failed: {error}':
    'so viele Zustellungen, wie gleichzeitig an {receiver} gehen dürfen, sind unterwegs; der letzte Versuch ist fehlgeschlagen: {error}',
  'attempt {n} failed: {error}': 'Versuch {n} ist fehlgeschlagen: {error}',
  'connection cut': 'Verbindung unterbrochen',
  'connection failed': 'Verbindung gescheitert',
  'connection refused': 'Verbindung abgelehnt',
  'data is stored, but nothing is evaluated and nothing is sent':
    'Daten werden gespeichert, aber nichts wird ausgewertet und nichts gesendet',
  'host cannot be reached': 'Rechner ist nicht erreichbar',
  'host not found': 'Rechner nicht gefunden',
  'no secure connection to the mail server': 'keine sichere Verbindung zum Mailserver',
  'no worker has attempted it yet': 'noch hat kein Worker es versucht',
  'no worker runs: {what}': 'kein Worker läuft: {what}',
  'send one message at a time, not a list of them': 'senden Sie eine Nachricht auf einmal, keine Liste',
  'the hourly limit of {n} mails of your account is reached':
    'die Grenze von {n} Mails Ihres Kontos pro Stunde ist erreicht',
  'the hourly limit of {n} mails to {address} is reached':
    'die Grenze von {n} Mails pro Stunde an {address} ist erreicht',
  'the limit of {n} digests a minute of your account is reached':
    'die Grenze von {n} Sammelmails Ihres Kontos pro Minute ist erreicht',
  'the limit of {n} digests a minute to {address} is reached':
    'die Grenze von {n} Sammelmails pro Minute an {address} ist erreicht',
  'the mail server refused our login': 'der Mailserver hat unsere Anmeldung abgelehnt',
  'the operator has paused {receiver}': 'der Betreiber hat {receiver} angehalten',
  'the operator has paused {receiver}: {text}': 'der Betreiber hat {receiver} angehalten: {text}',
  'timed out': 'Zeit überschritten',
  'too many backtests are under way': 'zu viele Rückschauen laufen gerade',
  'too many data points; try again later': 'zu viele Messwerte; versuchen Sie es später noch einmal',
  'too many large responses are being sent at the moment': 'gerade werden zu viele große Antworten gesendet',
  'too many mails in this hour; try again later':
    'zu viele Mails in dieser Stunde; versuchen Sie es später noch einmal',
  'too many mails were requested; use the last one': 'es wurden zu viele Mails angefordert; verwenden Sie die letzte',
  'too many of your data points wait to be stored': 'zu viele Ihrer Messwerte warten darauf, gespeichert zu werden',
  'too many of your large bodies are being uploaded': 'gerade werden zu viele große Inhalte von Ihnen hochgeladen',
  'too many of your large responses have not been taken yet':
    'zu viele Ihrer großen Antworten sind noch nicht abgeholt',
  'too many of your requests wait': 'zu viele Ihrer Anfragen warten',
  'too many refused logins; try again later': 'zu viele gescheiterte Anmeldungen; versuchen Sie es später noch einmal',
  'too many registrations; try again later': 'zu viele Registrierungen; versuchen Sie es später noch einmal',
  'too many request tokens of this application wait for their users':
    'zu viele Anfragen dieser Anwendung warten auf eine Entscheidung',
  'too many requests wait at the moment; try again later':
    'gerade warten zu viele Anfragen; versuchen Sie es später noch einmal',
  'too many requests; try again later': 'zu viele Anfragen; versuchen Sie es später noch einmal',
  'too many streams are open at the moment': 'gerade sind zu viele Datenströme offen',
  'too many tests, previews and redeliveries; try again later':
    'zu viele Tests, Vorschauen und Wiederholungen; versuchen Sie es später noch einmal',
  'too many uploads wait to be stored: try again later':
    'zu viele Uploads warten darauf, gespeichert zu werden: Versuchen Sie es später noch einmal',
  'too much is being uploaded at the moment': 'gerade wird zu viel hochgeladen',
  '{why}. The next try is at {date}': '{why}. Der nächste Versuch ist um {date}',
} as const;
