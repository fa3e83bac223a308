/** Why a request is refused: whole messages, and the things that they name. */
export const REFUSALS = {
  'a backtest, plan or suggestion of yours is under way': 'eine Rückschau, ein Plan oder Vorschläge laufen gerade',
  'a body of more than 64 KB needs a valid session or key in the header, the cookie or the query':
    'ein Inhalt von mehr als 64 KB braucht eine gültige Sitzung oder einen Schlüssel im Header, im Cookie oder in der Query',
  'a form holds at most {n} characters with escapes that are not UTF-8':
    'ein Formular enthält höchstens {n} maskierte Zeichen, die nicht UTF-8 sind',
  'a form holds at most {n} parameters': 'ein Formular enthält höchstens {n} Parameter',
  'a page of another site may not use the session cookie for this':
    'eine Seite einer anderen Website darf das Sitzungs-Cookie dafür nicht verwenden',
  'a selector connects at most {n} sensors': 'ein Selektor verbindet höchstens {n} Sensoren',
  'a sensor cannot use itself, directly or through others':
    'ein Sensor kann nicht sich selbst verwenden, auch nicht über andere',
  'a sensor feeds at most {n} services of yours': 'ein Sensor speist höchstens {n} Ihrer Dienste',
  'a sensor has at most {n} triggers: disconnect others first':
    'ein Sensor hat höchstens {n} Regeln: Trennen Sie zuerst andere',
  'a service takes the data of at most {n} sensors': 'ein Dienst nimmt die Daten von höchstens {n} Sensoren',
  'a trigger has at most {n} notifications on all its sensors: disconnect others first':
    'eine Regel hat höchstens {n} Benachrichtigungen an allen ihren Sensoren: Trennen Sie zuerst andere',
  'a trigger on a sensor has at most {n} notifications: disconnect others first':
    'eine Regel hat an einem Sensor höchstens {n} Benachrichtigungen: Trennen Sie zuerst andere',
  'a user has at most {n} event notifications of one event: delete others of {event} first':
    'Sie haben höchstens {n} Benachrichtigungen über ein Ereignis: Löschen Sie zuerst andere über {event}',
  'a user has at most {n} event notifications: delete others first':
    'Sie haben höchstens {n} Benachrichtigungen über Ereignisse: Löschen Sie zuerst andere',
  'a username or an email is required': 'ein Benutzername oder eine E-Mail-Adresse fehlt',
  'a valid session is required': 'eine gültige Sitzung ist nötig',
  'a valid session is required; send a key as Authorization: Bearer …':
    'eine gültige Sitzung ist nötig; senden Sie einen Schlüssel als Authorization: Bearer …',
  'an application may not read the history': 'eine Anwendung darf den Verlauf nicht lesen',
  'default_{name}: you cannot give new members the right {right}, which you do not have yourself':
    'default_{name}: Sie können neuen Mitgliedern das Recht {right} nicht geben, da Sie es selbst nicht haben',
  'in this group you may add only yourself': 'in diese Gruppe dürfen Sie nur sich selbst aufnehmen',
  'in this group you may not add sensors to it': 'in diese Gruppe dürfen Sie keine Sensoren stellen',
  'in this group you may not add users to it': 'in diese Gruppe dürfen Sie niemanden aufnehmen',
  'in this group you may not change the rights of members':
    'in dieser Gruppe dürfen Sie die Rechte der Mitglieder nicht ändern',
  'in this group you may not edit it': 'diese Gruppe dürfen Sie nicht ändern',
  'in this group you may not list its sensors': 'in dieser Gruppe dürfen Sie die Sensoren nicht sehen',
  'in this group you may not list its users': 'in dieser Gruppe dürfen Sie die Mitglieder nicht sehen',
  'in this group you may not remove sensors from it': 'aus dieser Gruppe dürfen Sie keine Sensoren entfernen',
  'in this group you may not remove users from it': 'aus dieser Gruppe dürfen Sie niemanden entfernen',
  "one data point would cause more than {n} computations of one user's services, some of which feed others: disconnect some first":
    'ein Messwert würde mehr als {n} Berechnungen der Dienste eines Benutzers auslösen, von denen einige andere speisen: Trennen Sie zuerst einige',
  'only members may see this group': 'nur Mitglieder dürfen diese Gruppe sehen',
  'only members of the group may do this': 'das dürfen nur Mitglieder der Gruppe',
  'only the members themselves may change the details that they show':
    'nur die Mitglieder selbst dürfen ändern, welche Angaben sie zeigen',
  'only the owner may delete the sensor': 'nur der Besitzer darf den Sensor löschen',
  'only the owner of the sensor may do this': 'das darf nur der Besitzer des Sensors',
  'only the owner of the service or of the sensor may do this':
    'das darf nur der Besitzer des Dienstes oder des Sensors',
  'only the recipients of mails are asked to confirm': 'nur Empfänger von Mails werden um Bestätigung gebeten',
  'other training data of the service was changed again and again meanwhile: try it again':
    'andere Lerndaten des Dienstes wurden inzwischen immer wieder geändert: Versuchen Sie es noch einmal',
  'registering requires a valid invitation': 'zum Registrieren ist eine gültige Einladung nötig',
  'send JSON or application/x-www-form-urlencoded': 'senden Sie JSON oder application/x-www-form-urlencoded',
  'send a key either in the header Authorization or as API_KEY, not in both':
    'senden Sie einen Schlüssel entweder im Header Authorization oder als API_KEY, nicht beides',
  'send a session, a key or a token, not several of them':
    'senden Sie eine Sitzung, einen Schlüssel oder ein Token, nicht mehrere davon',
  'something went wrong on our side': 'bei uns ist etwas schiefgegangen',
  'the MQTT source': 'die MQTT-Quelle',
  'the access password is wrong': 'das Passwort der Gruppe ist falsch',
  'the account': 'das Konto',
  'the account was closed': 'das Konto wurde geschlossen',
  'the address is confirmed already': 'die Adresse ist schon bestätigt',
  'the address of this account takes no mails about it: only its owner can allow them, by the link in a mail that it got':
    'die Adresse dieses Kontos nimmt keine Mails darüber an: Nur wem sie gehört, kann sie erlauben, über den Link in einer erhaltenen Mail',
  'the address was asked {n} times already: only its owner can confirm now':
    'die Adresse wurde schon {n}-mal gefragt: Jetzt kann nur noch bestätigen, wem sie gehört',
  'the application': 'die Anwendung',
  'the application that sent you here is unknown (client_id)':
    'die Anwendung, die Sie hierher geschickt hat, ist unbekannt (client_id)',
  'the application wants to send you to an address that it has not registered (redirect_uri)':
    'die Anwendung möchte Sie zu einer Adresse schicken, die sie nicht registriert hat (redirect_uri)',
  'the authorization': 'die Erlaubnis',
  'the blocked user': 'der blockierte Benutzer',
  'the body arrives too slowly': 'der Inhalt kommt zu langsam an',
  'the body cannot be unpacked': 'der Inhalt kann nicht entpackt werden',
  'the body ended too early': 'der Inhalt endete zu früh',
  'the body has a list or object of more than {n} parts':
    'der Inhalt hat eine Liste oder ein Objekt mit mehr als {n} Teilen',
  'the body has more than {n} values and names': 'der Inhalt hat mehr als {n} Werte und Namen',
  'the body is in the line protocol of InfluxDB: send it to /api/v2/write, with a key':
    'der Inhalt ist im Line Protocol von InfluxDB: Senden Sie ihn mit einem Schlüssel an /api/v2/write',
  'the body is larger than 10 MB': 'der Inhalt ist größer als 10 MB',
  'the body is nested more than {n} deep': 'der Inhalt ist mehr als {n} Ebenen tief verschachtelt',
  'the body is not valid JSON': 'der Inhalt ist kein gültiges JSON',
  'the body is not valid {charset}': 'der Inhalt ist kein gültiges {charset}',
  'the body is not valid {charset} in line {n}': 'der Inhalt ist in Zeile {n} kein gültiges {charset}',
  'the body is not valid {charset} in more than {n} lines':
    'der Inhalt ist in mehr als {n} Zeilen kein gültiges {charset}',
  'the body unpacks to more than {n} times its size': 'der Inhalt wächst beim Entpacken auf mehr als das {n}-Fache',
  'the charset must be utf-8, us-ascii, iso-8859-1 or windows-1252':
    'der Zeichensatz muss utf-8, us-ascii, iso-8859-1 oder windows-1252 sein',
  'the connected sensor': 'der verbundene Sensor',
  'the content encoding must be gzip, deflate, br or none':
    'die Kodierung des Inhalts muss gzip, deflate, br oder keine sein',
  'the credential has ended': 'die Zugangsdaten gelten nicht mehr',
  'the current password is wrong': 'das aktuelle Passwort ist falsch',
  'the dashboard': 'das Dashboard',
  'the dashboard was changed since you read it; load it again':
    'das Dashboard wurde inzwischen geändert; laden Sie es neu',
  'the data point': 'der Messwert',
  'the delivery': 'die Zustellung',
  'the device': 'das Gerät',
  'the device of the sensor': 'das Gerät des Sensors',
  'the environment': 'die Umgebung',
  'the environment of the sensor': 'die Umgebung des Sensors',
  'the environment {id}': 'die Umgebung {id}',
  'the environment {id} would be part of itself': 'die Umgebung {id} wäre ein Teil ihrer selbst',
  'the episode has ended': 'der Alarm ist beendet',
  'the event notification': 'die Benachrichtigung über ein Ereignis',
  'the firing': 'die Auslösung',
  'the floor plan': 'der Grundriss',
  'the form has {text}, which {why}': 'das Formular hat {text}: {why}',
  'the group': 'die Gruppe',
  'the group requires a sensor of each of these names: {names}':
    'die Gruppe verlangt je einen Sensor mit diesen Namen: {names}',
  'the input is invalid': 'die Eingabe ist ungültig',
  'the key': 'der Schlüssel',
  'the key or token is unknown, or has ended': 'der Schlüssel oder das Token ist unbekannt oder gilt nicht mehr',
  'the length of the windows of the service was changed meanwhile':
    'die Länge der Fenster des Dienstes wurde inzwischen geändert',
  'the list has more than {n} items: narrow it, or ask for pages':
    'die Liste hat mehr als {n} Einträge: Grenzen Sie sie ein, oder rufen Sie Seiten ab',
  'the mail could not be sent; try again later':
    'die Mail konnte nicht gesendet werden; versuchen Sie es später noch einmal',
  'the method': 'die Methode',
  'the mute': 'die Stummschaltung',
  'the note': 'die Notiz',
  'the notification': 'die Benachrichtigung',
  'the notification is switched off: switch it on first':
    'die Benachrichtigung ist ausgeschaltet: Schalten Sie sie zuerst ein',
  'the notification of this delivery': 'die Benachrichtigung dieser Zustellung',
  'the notification of this trigger': 'die Benachrichtigung dieser Regel',
  'the notification {id}': 'die Benachrichtigung {id}',
  'the owner of the device': 'der Besitzer des Geräts',
  'the path contains an invalid %-escape': 'der Pfad enthält eine ungültige Maskierung mit %',
  'the recipient has not confirmed the address yet': 'die Adresse ist noch nicht bestätigt',
  'the recipient has unsubscribed from your mails': 'der Empfänger hat Ihre Mails abbestellt',
  'the recipient takes no mails of any account of this platform':
    'der Empfänger nimmt von keinem Konto dieser Plattform Mails an',
  'the request was given up': 'die Anfrage wurde aufgegeben',
  'the search for the sensors takes longer than 2 seconds: use fewer statements':
    'die Suche nach den Sensoren dauert länger als 2 Sekunden: Verwenden Sie weniger Aussagen',
  'the selector of the trigger matches this sensor: change one of them, or deactivate the trigger on this sensor':
    'der Selektor der Regel passt zu diesem Sensor: Ändern Sie eines davon, oder schalten Sie die Regel an diesem Sensor aus',
  'the sensor': 'der Sensor',
  'the sensor has {n} notes: delete one first': 'der Sensor hat {n} Notizen: Löschen Sie zuerst eine',
  'the sensor in this environment': 'der Sensor in dieser Umgebung',
  'the sensor in this group': 'der Sensor in dieser Gruppe',
  'the sensor {id}': 'der Sensor {id}',
  'the sensor {id} in this environment': 'der Sensor {id} in dieser Umgebung',
  'the sensors have more than {n} fields: name fewer':
    'die Sensoren haben mehr als {n} Felder: Nennen Sie weniger Sensoren',
  'the sensors of other selectors are counted at the moment, for one of each user; try again':
    'gerade werden die Sensoren anderer Selektoren gezählt, je einer pro Benutzer; versuchen Sie es noch einmal',
  'the sensors of the service have no data in this range that it can learn from':
    'die Sensoren des Dienstes haben in diesem Zeitraum keine Daten, aus denen er lernen kann',
  'the sensors of the service were changed meanwhile': 'die Sensoren des Dienstes wurden inzwischen geändert',
  'the series': 'die Messreihe',
  'the service': 'der Dienst',
  'the service has learnt {n} labels, which is the maximum: let it forget one first':
    'der Dienst hat {n} Bezeichnungen gelernt, mehr geht nicht: Lassen Sie ihn zuerst eine vergessen',
  'the service is not available at the moment': 'der Dienst ist gerade nicht erreichbar',
  'the service {id} ("{name}")': 'der Dienst {id} („{name}“)',
  'the service {id} cannot be computed on this sensor: {why}':
    'der Dienst {id} kann an diesem Sensor nicht berechnet werden: {why}',
  'the session': 'die Sitzung',
  'the session is unknown or has expired': 'die Sitzung ist unbekannt oder abgelaufen',
  'the share with this user': 'die Freigabe für diesen Benutzer',
  'the sub-environment': 'die Umgebung darin',
  'the tile': 'die Kachel',
  'the token is unknown, used or too old': 'das Token ist unbekannt, verwendet oder zu alt',
  'the training job': 'der Lernauftrag',
  'the trigger': 'die Regel',
  'the trigger on this sensor': 'die Regel an diesem Sensor',
  'the trigger {id}': 'die Regel {id}',
  'the trigger {id} ("{name}")': 'die Regel {id} („{name}“)',
  'the trigger {id} cannot be evaluated on this sensor: {why}':
    'die Regel {id} kann an diesem Sensor nicht ausgewertet werden: {why}',
  'the user': 'der Benutzer',
  'the user in this group': 'der Benutzer in dieser Gruppe',
  'the user is not accepted yet': 'der Benutzer ist noch nicht aufgenommen',
  'the values have more than {n} fields, or {characters} characters in their names, too many for columns: ask for NDJSON':
    'die Werte haben mehr als {n} Felder, oder {characters} Zeichen in deren Namen, zu viel für Spalten: Verlangen Sie NDJSON',
  'the work of all users holds too much data at the moment; try again later':
    'die Arbeit aller Benutzer hält gerade zu viele Daten; versuchen Sie es später noch einmal',
  'this account is disabled; ask the operators of this platform':
    'dieses Konto ist gesperrt; fragen Sie den Betreiber dieser Plattform',
  'this application is for the account of its owner only': 'diese Anwendung ist nur für das Konto ihres Besitzers',
  'this form is out of date: open the page again': 'dieses Formular ist veraltet: Öffnen Sie die Seite noch einmal',
  'this form was sent by another site': 'dieses Formular wurde von einer anderen Website gesendet',
  'this is not your account': 'das ist nicht Ihr Konto',
  'this key is limited to sensors and does not reach this':
    'dieser Schlüssel ist auf Sensoren begrenzt und reicht hierfür nicht',
  'this login leads to no page of this platform': 'diese Anmeldung führt zu keiner Seite dieser Plattform',
  'this path takes {methods}': 'dieser Pfad nimmt {methods}',
  'this platform takes no registrations': 'diese Plattform nimmt keine Registrierungen an',
  'this process is being stopped': 'dieser Prozess wird gerade beendet',
  'this request is unknown, too old or already decided: begin again in the application':
    'diese Anfrage ist unbekannt, zu alt oder schon entschieden: Beginnen Sie noch einmal in der Anwendung',
  'this requires a session: keys and tokens do not reach the account':
    'das braucht eine Sitzung: Schlüssel und Token erreichen das Konto nicht',
  'this requires the scope {scope}': 'das braucht das Recht {scope}',
  'this subscription': 'dieses Abonnement',
  'this takes too long to read; ask for less: fewer sensors, a shorter range of time, or pages nearer to the beginning':
    'das Lesen dauert zu lange; verlangen Sie weniger: weniger Sensoren, einen kürzeren Zeitraum oder Seiten näher am Anfang',
  'this user removed themselves from the sensor, and has not allowed you to share it again':
    'dieser Benutzer hat sich von dem Sensor entfernt und Ihnen nicht erlaubt, ihn wieder zu teilen',
  'this user takes no sensors from you': 'dieser Benutzer nimmt keine Sensoren von Ihnen an',
  'this username is taken': 'dieser Benutzername ist vergeben',
  'this username looks like one that is taken': 'dieser Benutzername sieht aus wie einer, der vergeben ist',
  unauthorized: 'nicht angemeldet',
  'unknown path': 'unbekannter Pfad',
  'user.current_password is required, as this session is older than ten minutes':
    'user.current_password fehlt, da diese Sitzung älter als zehn Minuten ist',
  'users ask to join a group themselves; not all of these did':
    'um Aufnahme in eine Gruppe bittet jeder selbst; nicht alle von diesen haben das getan',
  'you block {n} users, which is as many as you can': 'Sie blockieren {n} Benutzer, mehr geht nicht',
  'you have {n} MQTT sources, which is as many as you can': 'Sie haben {n} MQTT-Quellen, mehr geht nicht',
  'you have {n} applications, which is as many as you can': 'Sie haben {n} Anwendungen, mehr geht nicht',
  'you have {n} dashboards, which is as many as you can': 'Sie haben {n} Dashboards, mehr geht nicht',
  'you have {n} floor plans, the most possible': 'Sie haben {n} Grundrisse, mehr geht nicht',
  'you have {n} keys, which is as many as you can': 'Sie haben {n} Schlüssel, mehr geht nicht',
  'you have {n} mutes, which is as many as you can': 'Sie haben {n} Stummschaltungen, mehr geht nicht',
  'you have {n} streams open, which is the most': 'Sie haben {n} Datenströme offen, mehr geht nicht',
  'you have {n} triggers with selectors: remove a selector first':
    'Sie haben {n} Regeln mit Selektoren: Entfernen Sie zuerst einen Selektor',
  'you may not add sensors to this group, other than those that it asks for':
    'in diese Gruppe dürfen Sie nur die Sensoren stellen, die sie verlangt',
  'you may not do this': 'das dürfen Sie nicht',
  'your MQTT sources have {n} different certificates, which is as many as they can':
    'Ihre MQTT-Quellen haben {n} verschiedene Zertifikate, mehr geht nicht',
  'your notifications have {n} different ca_certificates, which is as many as they can':
    'Ihre Benachrichtigungen haben {n} verschiedene Zertifikate, mehr geht nicht',
  'your requests hold too much data at the moment: ask for fewer sensors at once':
    'Ihre Anfragen halten gerade zu viele Daten: Verlangen Sie weniger Sensoren auf einmal',
  '{n} long ranges wait to be learnt by the service, which is the maximum':
    '{n} lange Zeiträume warten darauf, vom Dienst gelernt zu werden, mehr geht nicht',
  '{text} has ended each of {n} processes that answered it; it is refused for an hour: ask for less at once':
    '{text} hat alle {n} Prozesse beendet, die es beantworten wollten; es wird eine Stunde lang abgelehnt: Verlangen Sie weniger auf einmal',
  '{what} does not exist': '{what} existiert nicht',
  '{what} was not reached within {n} seconds: send the request again for the rest':
    '{what} wurde in {n} Sekunden nicht erreicht: Senden Sie die Anfrage für den Rest noch einmal',
  '{what} would exceed a limit: {why}': '{what} würde eine Grenze überschreiten: {why}',
  '{why}: only they can allow them again': '{why}: Nur er kann sie wieder erlauben',
} as const;
