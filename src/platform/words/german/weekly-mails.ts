/** The weekly mail about alerts. */
export const WEEKLY_MAILS = {
  'A quiet week': 'Eine ruhige Woche',
  Alerts: 'Alarme',
  'At night': 'Nachts',
  'Ended alone': 'Von selbst vorbei',
  'From {from} to {to} there were too many alerts to count them in time. The report can count fewer days.':
    'Vom {from} bis zum {to} gab es zu viele Alarme, um sie rechtzeitig zu zählen. Der Bericht kann weniger Tage zählen.',
  'From {from} to {to}, compared with the week before.': 'Vom {from} bis zum {to}, verglichen mit der Woche davor.',
  Messages: 'Nachrichten',
  'No alert began from {from} to {to}, after {alerts} in the week before.':
    'Vom {from} bis zum {to} hat kein Alarm begonnen; in der Woche davor: {alerts}.',
  'No alert began from {from} to {to}.': 'Vom {from} bis zum {to} hat kein Alarm begonnen.',
  Noisiest: 'Am lautesten',
  'See the report': 'Zum Bericht',
  'See the report, and a suggestion for a quieter rule': 'Zum Bericht, mit einem Vorschlag für eine ruhigere Regel',
  'See the report, and {n} suggestions for quieter rules': 'Zum Bericht, mit {n} Vorschlägen für ruhigere Regeln',
  Then: 'Danach',
  'Your week could not be counted': 'Ihre Woche konnte nicht gezählt werden',
  'Your week: {alerts}': 'Ihre Woche: {alerts}',
  '{n} message': '{n} Nachricht',
  '{n} messages': '{n} Nachrichten',
  '{n}, as before': '{n}, wie davor',
  '{n}, {difference} fewer': '{n}, {difference} weniger',
  '{n}, {difference} more': '{n}, {difference} mehr',
} as const;
