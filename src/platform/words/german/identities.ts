/** Logins by the provider of OpenID Connect. */
export const IDENTITIES = {
  'log in again: this account has no password, and this session is older than ten minutes':
    'melden Sie sich noch einmal an: Dieses Konto hat kein Passwort, und diese Sitzung ist älter als zehn Minuten',
  'no account is linked to this identity: log in with your password, and link it on the page of your account':
    'mit dieser Identität ist kein Konto verknüpft: Melden Sie sich mit Ihrem Passwort an und verknüpfen Sie sie auf der Seite Ihres Kontos',
  'the answer of the identity provider is not valid for this login: begin again':
    'die Antwort des Identitätsanbieters gilt nicht für diese Anmeldung: Beginnen Sie noch einmal',
  'the identity': 'die Identität',
  'the identity provider does not answer at the moment; log in with your password, or try again later':
    'der Identitätsanbieter antwortet gerade nicht; melden Sie sich mit Ihrem Passwort an oder versuchen Sie es später noch einmal',
  'the identity provider refused the login': 'der Identitätsanbieter hat die Anmeldung abgelehnt',
  'this account has no password: choose one with PUT /users/{id}, within ten minutes of a login':
    'dieses Konto hat kein Passwort: Wählen Sie eines mit PUT /users/{id}, innerhalb von zehn Minuten nach einer Anmeldung',
  'this identity is linked to another account': 'diese Identität ist mit einem anderen Konto verknüpft',
  'this is the only way to log in to this account: choose a password first':
    'dies ist der einzige Weg, sich bei diesem Konto anzumelden: Wählen Sie zuerst ein Passwort',
  'this link belongs to another session: begin again on the page of your account':
    'diese Verknüpfung gehört zu einer anderen Sitzung: Beginnen Sie noch einmal auf der Seite Ihres Kontos',
  'this link is out of date: begin again on the page of your account':
    'diese Verknüpfung ist nicht mehr aktuell: Beginnen Sie noch einmal auf der Seite Ihres Kontos',
  'this login is out of date, or began in another browser: begin again':
    'diese Anmeldung ist nicht mehr aktuell oder begann in einem anderen Browser: Beginnen Sie noch einmal',
  'this platform has no identity provider': 'diese Plattform hat keinen Identitätsanbieter',
  'you are not an operator of this platform': 'Sie sind kein Betreiber dieser Plattform',
} as const;
