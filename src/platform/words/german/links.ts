/** Pages behind links of mails. */
export const LINKS = {
  'A new password ends all your sessions: you log in again wherever you were logged in.':
    'Ein neues Passwort beendet alle Ihre Sitzungen: Sie melden sich überall neu an, wo Sie angemeldet waren.',
  'A user of this platform, you yourself if you have just registered, would like to send alerts of their sensors to your address. They are sent only if you agree, and you can stop them at any time by a link in each mail.':
    'Ein Benutzer dieser Plattform – Sie selbst, wenn Sie sich gerade registriert haben – möchte Alarme seiner Sensoren an Ihre Adresse senden. Sie werden nur gesendet, wenn Sie zustimmen, und Sie können sie jederzeit über einen Link in jeder Mail beenden.',
  Acknowledge: 'Bestätigen',
  'Acknowledge this alert?': 'Diesen Alarm bestätigen?',
  'Acknowledged on {at}, {by}. It is not repeated until it is over.':
    'Bestätigt am {at}, {by}. Der Alarm wird nicht wiederholt, bis er vorbei ist.',
  'All alerts': 'Alle Alarme',
  'Allow these mails again': 'Diese Mails wieder erlauben',
  'At least {n} characters.': 'Mindestens {n} Zeichen.',
  'Change password': 'Passwort ändern',
  Chart: 'Diagramm',
  'Choose a new password': 'Neues Passwort wählen',
  'End everything else that may use my account, too': 'Auch alles andere beenden, was mein Konto verwenden darf',
  'For when somebody else may have been in your account: all keys of devices and programs, and all permissions of applications, end at once. Without it they go on.':
    'Für den Fall, dass jemand anders in Ihrem Konto war: Alle Schlüssel von Geräten und Programmen und alle Erlaubnisse von Anwendungen enden sofort. Sonst bleiben sie bestehen.',
  'If you do not want them, just close this page.': 'Wenn Sie keine möchten, schließen Sie einfach diese Seite.',
  'It was used, is more than an hour old, or was not copied as a whole. Ask for a new mail where you log in. Your password is as it was.':
    'Er wurde verwendet, ist mehr als eine Stunde alt oder wurde nicht vollständig kopiert. Fordern Sie bei der Anmeldung eine neue Mail an. Ihr Passwort ist unverändert.',
  'Keys of devices and programs, and applications that you allowed to use your account, go on. To end them, log in to the console and open the page of your account.':
    'Schlüssel von Geräten und Programmen und Anwendungen, die Ihr Konto verwenden dürfen, bleiben bestehen. Um sie zu beenden, melden Sie sich in der Konsole an und öffnen Sie die Seite Ihres Kontos.',
  'Log in as {name} with the new password. All your sessions have ended.':
    'Melden Sie sich als {name} mit dem neuen Passwort an. Alle Ihre Sitzungen sind beendet.',
  'Mute for an hour': 'Eine Stunde stummschalten',
  'Mute this alert?': 'Diesen Alarm stummschalten?',
  'Mute until {time}': 'Bis {time} Uhr stummschalten',
  'Muted until {until}': 'Stummgeschaltet bis {until}',
  'New password': 'Neues Passwort',
  'No account of this platform can send mails to your mailbox any more.':
    'Kein Konto dieser Plattform kann mehr Mails an Ihr Postfach senden.',
  'Only this trigger on this sensor is muted. Its alerts are recorded, and sent to nobody until then.':
    'Nur diese Regel wird an diesem Sensor stummgeschaltet. Ihre Alarme werden aufgezeichnet und bis dahin an niemanden gesendet.',
  'Or those of all accounts?': 'Oder die Mails aller Konten?',
  'Receive alerts': 'Alarme empfangen',
  'Receive alerts by mail?': 'Alarme per Mail empfangen?',
  'Stop all mails': 'Alle Mails beenden',
  'Stop these mails?': 'Diese Mails beenden?',
  'Take mails again': 'Wieder Mails annehmen',
  'Take mails of this platform again?': 'Wieder Mails dieser Plattform annehmen?',
  'Take that back': 'Das zurücknehmen',
  'The account that caused these mails can send no more of them to your address.':
    'Das Konto, das diese Mails veranlasst hat, kann keine mehr an Ihre Adresse senden.',
  'The alert does not exist any more, or the link was not copied as a whole. Nothing has been changed.':
    'Den Alarm gibt es nicht mehr, oder der Link wurde nicht vollständig kopiert. Es wurde nichts geändert.',
  'The alert is acknowledged': 'Der Alarm ist bestätigt',
  'The alert is muted': 'Der Alarm ist stummgeschaltet',
  'The alert is not repeated until it is over, and later steps of its escalation are left out. When it comes again, you are notified again.':
    'Der Alarm wird nicht wiederholt, bis er vorbei ist, und spätere Stufen seiner Eskalation entfallen. Wenn er wiederkommt, werden Sie wieder benachrichtigt.',
  'The alert is over': 'Der Alarm ist vorbei',
  'The episode has ended, so there is nothing left to acknowledge. When it comes again, you are notified again.':
    'Der Alarm ist beendet, also gibt es nichts mehr zu bestätigen. Wenn er wiederkommt, werden Sie wieder benachrichtigt.',
  'The mail that led you here was caused by an account of this platform. If you unsubscribe, it can send no more alerts to your address, whatever they are about.':
    'Die Mail, die Sie hierher geführt hat, wurde von einem Konto dieser Plattform veranlasst. Wenn Sie sich abmelden, kann es keine Alarme mehr an Ihre Adresse senden, ganz gleich worüber.',
  'The password needs at least {n} characters.': 'Das Passwort braucht mindestens {n} Zeichen.',
  'The same password again': 'Dasselbe Passwort noch einmal',
  'The two passwords are not the same.': 'Die beiden Passwörter stimmen nicht überein.',
  'The user no longer asks for your consent, or the link was not copied as a whole. Nothing has been changed.':
    'Der Benutzer bittet nicht mehr um Ihre Zustimmung, oder der Link wurde nicht vollständig kopiert. Es wurde nichts geändert.',
  'There is nothing left to unsubscribe from, or the link was not copied as a whole. Nothing has been changed.':
    'Es gibt nichts mehr, wovon Sie sich abmelden können, oder der Link wurde nicht vollständig kopiert. Es wurde nichts geändert.',
  'This link has ended': 'Dieser Link gilt nicht mehr',
  Unsubscribe: 'Abmelden',
  'Was that a mistake? {link}': 'War das ein Versehen? {link}',
  'What you have decided about single accounts counts again. Links in their mails change it.':
    'Was Sie über einzelne Konten entschieden haben, gilt wieder. Links in deren Mails ändern es.',
  'You are unsubscribed': 'Sie sind abgemeldet',
  'You can also stop the mails of every account of this platform to your mailbox, welcome mails and questions included. Links to a new password then come only for accounts that you have confirmed.':
    'Sie können auch die Mails aller Konten dieser Plattform an Ihr Postfach beenden, auch Begrüßungen und Rückfragen. Links zu einem neuen Passwort kommen dann nur für Konten, die Sie bestätigt haben.',
  'You have agreed to alerts from this user. The link at the end of each mail stops them.':
    'Sie haben Alarmen dieses Benutzers zugestimmt. Der Link am Ende jeder Mail beendet sie.',
  'You have said that no account of this platform may send mails to you. If you take that back, accounts that you have agreed to can do so again, and others can ask you.':
    'Sie haben festgelegt, dass kein Konto dieser Plattform Ihnen Mails senden darf. Wenn Sie das zurücknehmen, können Konten, denen Sie zugestimmt haben, es wieder tun, und andere können Sie fragen.',
  'You have stopped all mails before? {link}': 'Sie haben früher alle Mails beendet? {link}',
  'You receive alerts': 'Sie empfangen Alarme',
  'You take mails again': 'Sie nehmen wieder Mails an',
  'Your password has been changed': 'Ihr Passwort wurde geändert',
  'by the link in a mail': 'über den Link in einer Mail',
  'by the link in {name}': 'über den Link in {name}',
  'by {name}': 'von {name}',
  'in the console or by the API': 'in der Konsole oder über die API',
  muted: 'stumm',
  'since {since}': 'seit {since}',
} as const;
