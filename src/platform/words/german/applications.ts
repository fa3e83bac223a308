/** Pages for signing in and for applications. */
export const APPLICATIONS = {
  '(optional)': '(optional)',
  'A program of my own, for my own account only': 'Ein eigenes Programm, nur für mein eigenes Konto',
  'Addresses to return to': 'Adressen für die Rückkehr',
  Allow: 'Erlauben',
  'Allow {name}?': '{name} erlauben?',
  'Allow “{name}” to use your account?': 'Darf „{name}“ Ihr Konto verwenden?',
  'Allowed on {day}, until {end}.': 'Erlaubt am {day}, bis {end}.',
  'Allowed on {day}, without an end.': 'Erlaubt am {day}, ohne Ende.',
  'An application asks to use your account. Log in to decide.':
    'Eine Anwendung möchte Ihr Konto verwenden. Melden Sie sich an, um zu entscheiden.',
  'Applications that you allow': 'Anwendungen, die Sie erlauben',
  'By this request it gets no access to your account. You can close this page.':
    'Durch diese Anfrage erhält sie keinen Zugang zu Ihrem Konto. Sie können diese Seite schließen.',
  'Consumer key (OAuth 1.0a) or client id (OAuth 2)': 'Consumer Key (OAuth 1.0a) oder Client-ID (OAuth 2)',
  'Continue to your applications': 'Weiter zu Ihren Anwendungen',
  'Copied.': 'Kopiert.',
  'Copy the id': 'ID kopieren',
  'Copy the secret': 'Geheimnis kopieren',
  'Copy the secret now: it is shown only this once.':
    'Kopieren Sie das Geheimnis jetzt: Es wird nur dieses eine Mal gezeigt.',
  'Create sensors for what your devices report': 'Sensoren für das anlegen, was Ihre Geräte melden',
  'Create, change, share and delete what is yours: sensors and their data, triggers, notifications and groups':
    'Anlegen, ändern, teilen und löschen, was Ihnen gehört: Sensoren und deren Daten, Regeln, Benachrichtigungen und Gruppen',
  'Do not allow': 'Nicht erlauben',
  'Enter this code in the application': 'Geben Sie diesen Code in der Anwendung ein',
  'For how long?': 'Für wie lange?',
  'Give it to nobody else. After that you can close this page.':
    'Geben Sie ihn niemandem sonst. Danach können Sie diese Seite schließen.',
  'If you allow it, this application can:': 'Wenn Sie es erlauben, kann diese Anwendung:',
  'If you allow it, you are shown a code to enter in the application.':
    'Wenn Sie es erlauben, wird Ihnen ein Code gezeigt, den Sie in der Anwendung eingeben.',
  'Is installed on a phone or a computer': 'Ist auf einem Telefon oder Computer installiert',
  'It can never see your password, change your account, or reach your keys and other applications.':
    'Sie kann nie Ihr Passwort sehen, Ihr Konto ändern oder Ihre Schlüssel und andere Anwendungen erreichen.',
  'It can then ask users whether it may use their account, without ever seeing their password.':
    'Sie kann dann fragen, ob sie ein Konto verwenden darf, ohne je das Passwort zu sehen.',
  'Last used on {day}.': 'Zuletzt verwendet am {day}.',
  'Log in': 'Anmelden',
  'Log in to see which applications may use your account.':
    'Melden Sie sich an, um zu sehen, welche Anwendungen Ihr Konto verwenden dürfen.',
  'Log in with your password': 'Mit Passwort anmelden',
  'Log in with {provider}': 'Mit {provider} anmelden',
  'Logged in as {name}.': 'Angemeldet als {name}.',
  Name: 'Name',
  'No application may use your account.': 'Keine Anwendung darf Ihr Konto verwenden.',
  'Not allowed': 'Nicht erlaubt',
  'Not used yet.': 'Noch nicht verwendet.',
  'One a line, such as https://weather.example.org/allowed. A service of your own needs none.':
    'Eine pro Zeile, zum Beispiel https://weather.example.org/allowed. Ein eigenes Programm braucht keine.',
  'One day': 'Einen Tag',
  'One hour': 'Eine Stunde',
  'One month': 'Einen Monat',
  'One week': 'Eine Woche',
  Password: 'Passwort',
  Register: 'Registrieren',
  'Register an application': 'Anwendung registrieren',
  Registered: 'Registriert',
  Revoke: 'Entziehen',
  "Revoking ends an application's access at once. It can ask you again.":
    'Das Entziehen beendet den Zugang einer Anwendung sofort. Sie kann Sie wieder fragen.',
  'Runs in web pages, and can keep no secret': 'Läuft in Webseiten und kann kein Geheimnis verwahren',
  'Runs on a server, which keeps the secret': 'Läuft auf einem Server, der das Geheimnis verwahrt',
  Secret: 'Geheimnis',
  'See what you see here: your sensors and their data, triggers, notifications and groups, and your name and contact details':
    'Sehen, was Sie hier sehen: Ihre Sensoren und deren Daten, Regeln, Benachrichtigungen und Gruppen sowie Ihren Namen und Ihre Kontaktdaten',
  'Sensor data platform': 'Plattform für Sensordaten',
  'That is not possible': 'Das geht nicht',
  'The application is not allowed': 'Die Anwendung ist nicht erlaubt',
  'The application sent you here with a wrong request: {problem}. It gets no access to your account by it.':
    'Die Anwendung hat Sie mit einer falschen Anfrage hierher geschickt: {problem}. Sie erhält dadurch keinen Zugang zu Ihrem Konto.',
  'The application was registered by a user of this platform and is not checked by us.':
    'Die Anwendung wurde von jemandem auf dieser Plattform registriert und von uns nicht geprüft.',
  'The application was registered by a user of this platform and is not checked by us: allow it only if you know it.':
    'Die Anwendung wurde von jemandem auf dieser Plattform registriert und von uns nicht geprüft: Erlauben Sie es nur, wenn Sie sie kennen.',
  'There you can replace the secret if it is lost, or seen by others.':
    'Dort können Sie das Geheimnis ersetzen, wenn es verloren geht oder andere es gesehen haben.',
  'To register an application, log in with your account.':
    'Um eine Anwendung zu registrieren, melden Sie sich mit Ihrem Konto an.',
  'Try changed rules next to yours, without changing a rule or notifying anybody':
    'Geänderte Regeln neben Ihren erproben, ohne eine Regel zu ändern oder jemanden zu benachrichtigen',
  'Until I revoke it': 'Bis ich es entziehe',
  'Upload and delete data of your sensors': 'Daten Ihrer Sensoren hochladen und löschen',
  'Use another account': 'Anderes Konto verwenden',
  Username: 'Benutzername',
  'Users see it when they are asked.': 'Er wird angezeigt, wenn die Anwendung fragt.',
  'What it does': 'Was sie tut',
  'Where it runs': 'Wo sie läuft',
  'You can close this page, or {back} to {place}.': 'Sie können diese Seite schließen oder {back}: {place}.',
  'You then return to {place}.': 'Danach kehren Sie zurück zu: {place}.',
  'Your code': 'Ihr Code',
  'an address to return to': 'eine Adresse für die Rückkehr',
  'go back': 'zurückkehren',
  'the application on this device': 'die Anwendung auf diesem Gerät',
  'the description': 'die Beschreibung',
  'the name': 'der Name',
  'the username or the password is wrong': 'der Benutzername oder das Passwort ist falsch',
  'where it runs': 'wo sie läuft',
  '{name} cannot ask for this': '{name} kann das nicht verlangen',
  '“{name}” cannot ask for this': '„{name}“ kann das nicht verlangen',
  '“{name}” is registered': '„{name}“ ist registriert',
} as const;
