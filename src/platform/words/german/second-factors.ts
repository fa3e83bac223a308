/** Second factors: errors, mails, the login page and what operators do with them. */
export const SECOND_FACTORS = {
  'A passkey was removed, and signs in no more.': 'Ein Passkey wurde entfernt und meldet nicht mehr an.',
  'A sign-in from a new address': 'Eine Anmeldung von einer neuen Adresse',
  'An operator of the platform removed all second factors, with the recovery codes.':
    'Ein Betreiber der Plattform hat alle zweiten Faktoren und die Wiederherstellungscodes entfernt.',
  'Code of the authenticator app, or a recovery code': 'Code der Authenticator-App oder ein Wiederherstellungscode',
  'If it was you, ignore this mail.': 'Wenn Sie es waren, ignorieren Sie diese Mail.',
  'Remove the second factors': 'Zweite Faktoren entfernen',
  'Remove the second factors of {username}': 'Zweite Faktoren von {username} entfernen',
  'Sign in on the console': 'An der Konsole anmelden',
  'Signing in asks for no code of an authenticator app any more.':
    'Die Anmeldung fragt nicht mehr nach einem Code einer Authenticator-App.',
  'Signing in now also asks for a code of an authenticator app.':
    'Die Anmeldung fragt jetzt auch nach einem Code einer Authenticator-App.',
  'The password alone signs in again, and the recovery codes end. Do this only if you know that the owner asks for it: the account gets a mail. Sessions stay.':
    'Das Passwort allein genügt wieder zur Anmeldung, und die Wiederherstellungscodes enden. Tun Sie das nur, wenn Sie wissen, dass der Besitzer darum bittet: Das Konto erhält eine Mail. Sitzungen bleiben bestehen.',
  'The second factors are removed.': 'Die zweiten Faktoren sind entfernt.',
  'There are new recovery codes; the earlier ones have ended.':
    'Es gibt neue Wiederherstellungscodes; die früheren sind ungültig.',
  'There is a new passkey, which signs in without the password.':
    'Es gibt einen neuen Passkey, der ohne das Passwort anmeldet.',
  'This took too long. Log in again.': 'Das hat zu lange gedauert. Melden Sie sich noch einmal an.',
  'Your account has a passkey. {link} with it in this browser, then open this page again. Or enter a recovery code.':
    'Ihr Konto hat einen Passkey. {link}, in diesem Browser, und öffnen Sie dann diese Seite noch einmal. Oder geben Sie einen Wiederherstellungscode ein.',
  'Your account has a second factor.': 'Ihr Konto hat einen zweiten Faktor.',
  'an account has at most {n} passkeys: remove one first':
    'ein Konto hat höchstens {n} Passkeys: Entfernen Sie zuerst einen',
  'current_password or otp is required': 'current_password oder otp ist erforderlich',
  'operators also sign in on the console in this browser, with an account that has a second factor':
    'Betreiber melden sich in diesem Browser auch an der Konsole an, mit einem Konto, das einen zweiten Faktor hat',
  'recovery codes need a second factor: set one up first':
    'Wiederherstellungscodes brauchen einen zweiten Faktor: Richten Sie zuerst einen ein',
  'removed second factors': 'zweite Faktoren entfernt',
  'the account has an authenticator app: remove it before you set up another one':
    'das Konto hat eine Authenticator-App: Entfernen Sie sie, bevor Sie eine andere einrichten',
  'the account has no authenticator app': 'das Konto hat keine Authenticator-App',
  'the code is wrong, too old or was used before': 'der Code ist falsch, zu alt oder wurde schon verwendet',
  'the passkey': 'der Passkey',
  'the passkey could not be checked: try again':
    'der Passkey konnte nicht geprüft werden: Versuchen Sie es noch einmal',
  'the second factor': 'der zweite Faktor',
  'this account has a second factor: send a code as otp; a program that cannot do so uses a key instead, see POST /keys':
    'dieses Konto hat einen zweiten Faktor: Senden Sie einen Code als otp; ein Programm, das das nicht kann, verwendet stattdessen einen Schlüssel, siehe POST /keys',
  'this passkey is known already': 'dieser Passkey ist schon bekannt',
  'this platform requires a second factor: set one up first, on the console':
    'diese Plattform verlangt einen zweiten Faktor: Richten Sie zuerst einen ein, in der Konsole',
  'user.current_password is required, as this account has a second factor':
    'user.current_password fehlt, da dieses Konto einen zweiten Faktor hat',
  'your account number {id} on {url} was used to sign in from the address {from}, for the first time.':
    'mit Ihrem Konto Nummer {id} auf {url} hat sich zum ersten Mal jemand von der Adresse {from} angemeldet.',
} as const;
