/** Shadows of triggers: their reports, and why they are refused. */
export const SHADOWS = {
  'Alerts: {live}, with this rule {tried}.': 'Alarme: {live}, mit dieser Regel {tried}.',
  'Of those that it would not have brought, {count} ended within 2 minutes.':
    'Von denen, die sie nicht gebracht hätte, endeten {count} innerhalb von 2 Minuten.',
  'the shadow has ended, and its states with it: change the trigger itself':
    'die Schattenregel ist beendet, und ihre Zustände mit ihr: ändern Sie die Regel selbst',
  'the shadow of the trigger': 'die Schattenregel',
  'the trigger has a shadow: end it first, or switch to it':
    'die Regel hat eine Schattenregel: beenden Sie diese erst, oder übernehmen Sie sie',
  'you have {n} shadows: end one first': 'Sie haben {n} Schattenregeln: beenden Sie erst eine',
} as const;
