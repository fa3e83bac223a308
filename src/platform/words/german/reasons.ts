/** Why a field of a request is refused: what follows its name. */
export const REASONS = {
  'a notification of type push has a subscription instead':
    'entfällt: eine Benachrichtigung des Typs push hat eine Anmeldung',
  'are longer than {n} bytes altogether': 'sind zusammen länger als {n} Bytes',
  'are more than {n}, counted with those that you offered before and those that the group asks for by name':
    'sind mehr als {n}, zusammen mit denen, die Sie schon angeboten haben, und denen, die die Gruppe mit Namen verlangt',
  'asks for more than 32 MB at once; ask for fewer per page':
    'verlangt mehr als 32 MB auf einmal: Verlangen Sie weniger pro Seite',
  'asks for more than 32 MB of text at once; ask for fewer per page':
    'verlangt mehr als 32 MB Text auf einmal: Verlangen Sie weniger pro Seite',
  'asks for more than 50,000 users at once; ask for fewer per page':
    'verlangt mehr als 50.000 Benutzer auf einmal: Verlangen Sie weniger pro Seite',
  'asks for more than 8 MB of aggregated fields at once; ask for fewer per page':
    'verlangt mehr als 8 MB zusammengefasster Felder auf einmal: Verlangen Sie weniger pro Seite',
  'asks for more than {n} periods of sensors at once; ask for fewer per page':
    'verlangt mehr als {n} Zeiträume von Sensoren auf einmal: Verlangen Sie weniger pro Seite',
  'asks for more than {n} periods: choose longer ones, or less time':
    'verlangt mehr als {n} Zeiträume: Wählen Sie längere, oder weniger Zeit',
  'can be at most {n}': 'darf höchstens {n} sein',
  'can be at most {n} for a {kind} tile': 'darf für eine Kachel der Art {kind} höchstens {n} sein',
  'cannot be changed': 'kann nicht geändert werden',
  'cannot be evaluated on any sensor: {why}': 'kann bei keinem Sensor ausgewertet werden: {why}',
  'cannot be evaluated on the sensor {id}: {why}': 'kann beim Sensor {id} nicht ausgewertet werden: {why}',
  'cannot be taken away by 0, as the trigger has no expression':
    'kann nicht mit 0 entfallen, da die Regel keinen Ausdruck hat',
  'cannot be used: {why}': 'ist nicht brauchbar: {why}',
  'cannot change to this value: {what} has a window of {n} seconds, for which the sensor must keep its data points':
    'kann diesen Wert nicht annehmen: {what} hat ein Fenster von {n} Sekunden, für das der Sensor seine Messwerte behalten muss',
  'cannot limit a key with the scope sensors:create':
    'kann einen Schlüssel mit dem Recht sensors:create nicht begrenzen',
  'cannot use the values of sensor {id}': 'kann die Werte des Sensors {id} nicht verwenden',
  'contains {name}, and the service can use {names}': 'enthält {name}, und der Dienst kann {names} verwenden',
  'has a name of more than 255 characters': 'hat einen Namen mit mehr als 255 Zeichen',
  'has more than 1 MB of values; give it fewer sensors or a shorter range':
    'hat mehr als 1 MB Werte: Geben Sie ihr weniger Sensoren oder einen kürzeren Zeitraum',
  'has more than {n} columns': 'hat mehr als {n} Spalten',
  'has more than {n} comparisons with numbers in all': 'hat insgesamt mehr als {n} Vergleiche mit Zahlen',
  'has more than {n} fields': 'hat mehr als {n} Felder',
  'has more than {n} lists of statements': 'hat mehr als {n} Listen von Aussagen',
  'has more than {n} values': 'hat mehr als {n} Werte',
  'has more than {n} values in all': 'hat insgesamt mehr als {n} Werte',
  'has no column value': 'hat keine Spalte value',
  'has no field; "all": true selects everything': 'hat kein Feld; "all": true wählt alles',
  'has no statement; "all": true selects everything': 'hat keine Aussage; "all": true wählt alles',
  'has the wrong type': 'hat den falschen Typ',
  'has {n} characters, more than the {most} that a line may have': 'hat {n} Zeichen, mehr als die {most} einer Zeile',
  'has {n} names; a sensor has at most {most} in a namespace':
    'hat {n} Namen; ein Sensor hat höchstens {most} in einem Namensraum',
  'has {n} values; a sensor has at most {most} in a namespace':
    'hat {n} Werte; ein Sensor hat höchstens {most} in einem Namensraum',
  'hold more than {n} bytes in the windows of the expressions: name fewer of them':
    'halten mehr als {n} Bytes in den Fenstern der Ausdrücke: Nennen Sie weniger',
  'is another date than {name}: send one of them, as date':
    'ist ein anderes Datum als {name}: Senden Sie eines davon, als date',
  'is beyond the {n} cells that a request contains at most':
    'liegt hinter den {n} Zellen, die eine Anfrage höchstens enthält',
  'is beyond the {n} lines that a request contains at most':
    'liegt hinter den {n} Zeilen, die eine Anfrage höchstens enthält',
  'is beyond the {n} points that a request contains at most':
    'liegt hinter den {n} Messwerten, die eine Anfrage höchstens enthält',
  'is filled by the preset {name}': 'wird von der Vorlage {name} ausgefüllt',
  'is given twice': 'ist doppelt angegeben',
  'is in a range in which the sensors of the service have no data that it can learn from':
    'liegt in einem Zeitraum, in dem die Sensoren des Dienstes keine Daten haben, aus denen er lernen kann',
  'is longer than 32 characters': 'ist länger als 32 Zeichen',
  'is longer than {n} bytes': 'ist länger als {n} Bytes',
  'is longer than {n} characters': 'ist länger als {n} Zeichen',
  'is missing': 'fehlt',
  'is nested too deeply': 'ist zu tief verschachtelt',
  'is no label that has been learnt': 'ist keine gelernte Bezeichnung',
  'is not a JSON object': 'ist kein JSON-Objekt',
  'is not a field of the preset {name}': 'ist kein Feld der Vorlage {name}',
  'is not an event of the platform: GET /events lists them':
    'ist kein Ereignis der Plattform: GET /events listet sie auf',
  'is not read here: to store a value, {why}': 'wird hier nicht gelesen: Um einen Wert zu speichern, {why}',
  'is not valid JSON': 'ist kein gültiges JSON',
  'is of an interval: give interval, too': 'gehört zu einem Intervall: Geben Sie auch interval an',
  'is required': 'fehlt',
  'is required for a new floor plan': 'fehlt für einen neuen Grundriss',
  'is required for a new service': 'fehlt für einen neuen Dienst',
  'is required for an application of the type {type}': 'fehlt für eine Anwendung der Art {type}',
  'is required for type push': 'fehlt für den Typ push',
  'is required with a type': 'fehlt neben einer Art',
  'is required with a uuid': 'fehlt neben einer uuid',
  'is required without a preset': 'fehlt, ohne Vorlage',
  'is required without filter; "all": true selects everything': 'fehlt, ohne filter; "all": true wählt alles',
  'is required without mute.weekly': 'fehlt, ohne mute.weekly',
  'is required, as this account has a second factor': 'fehlt, da dieses Konto einen zweiten Faktor hat',
  'is required, as this session is older than ten minutes': 'fehlt, da diese Sitzung älter als zehn Minuten ist',
  'is required, unless an inactivity is given': 'fehlt, wenn keine Zeit ohne Daten angegeben ist',
  'is required: one of {names}': 'fehlt: eines von {names}',
  'is set by the platform': 'wird von der Plattform gesetzt',
  'is taken': 'ist vergeben',
  'is too large': 'ist zu groß',
  'is too long: a request contains at most {n} data points':
    'ist zu lang: Eine Anfrage enthält höchstens {n} Messwerte',
  'is unknown, used or too old': 'ist unbekannt, verwendet oder zu alt',
  'is unknown: no field is taken here': 'ist unbekannt: Hier wird kein Feld angenommen',
  'is unknown: one of {names}': 'ist unbekannt: eines von {names}',
  'is {name} for this service': 'ist für diesen Dienst {name}',
  'is {text}, which looks like a date without separators: send {iso} or seconds since 1970':
    'ist {text} und sieht aus wie ein Datum ohne Trennzeichen: Senden Sie {iso} oder Sekunden seit 1970',
  'is {width} × {height} pixels; at most 4,096 on each side': 'hat {width} × {height} Pixel; höchstens 4.096 je Seite',
  'looks like one that is taken': 'sieht aus wie einer, der vergeben ist',
  'loop {n} {why}': 'Linienzug {n} {why}',
  'matches more than {n} sensors: narrow it, or name them in parts':
    'passt zu mehr als {n} Sensoren: Grenzen Sie ihn ein, oder nennen Sie sie in Teilen',
  'matches {n} sensors, and a selector connects at most {most}':
    'passt zu {n} Sensoren, und ein Selektor verbindet höchstens {most}',
  'may have # only as its last level': 'darf # nur als letzte Ebene haben',
  'may have + only as a whole level': 'darf + nur als ganze Ebene haben',
  'meets values with more than {n} fields, or {characters} characters in their names: read them without it':
    'trifft auf Werte mit mehr als {n} Feldern, oder {characters} Zeichen in deren Namen: Lesen Sie sie ohne',
  'must be a filter in JSON': 'muss ein Filter in JSON sein',
  'must be a list of lists of statements': 'muss eine Liste von Listen von Bedingungen sein',
  'must be the id of an environment': 'muss die Nummer einer Umgebung sein',
  'must have a metatag_name': 'braucht einen metatag_name',
  'must have a sensor_property of {names}': 'braucht eine sensor_property aus {names}',
  'must have an operator of {names}': 'braucht einen operator aus {names}',
  'must not be given for a {kind} tile': 'darf für eine Kachel der Art {kind} nicht angegeben werden',
  'must not be given together with a selector': 'darf nicht zusammen mit einem selector angegeben werden',
  'names a column twice': 'nennt eine Spalte doppelt',
  'names a label that cannot be read: its name belongs in double quotes, as in label("limit", 8)':
    'nennt ein Label, das nicht lesbar ist: Sein Name steht in doppelten Anführungszeichen, wie label("limit", 8)',
  'names a sensor that does not exist': 'nennt einen Sensor, den es nicht gibt',
  'names a sensor that only its owner may mute': 'nennt einen Sensor, den nur der Besitzer stummschalten darf',
  'names a sensor that only its owner may share': 'nennt einen Sensor, den nur der Besitzer teilen darf',
  'names a sensor that only its owner may upload to': 'nennt einen Sensor, zu dem nur der Besitzer hochladen darf',
  'names a trigger that does not exist': 'nennt eine Regel, die es nicht gibt',
  'names a {kind} that does not exist': 'nennt etwas, das es nicht gibt ({kind})',
  'names another sensor than the lines before it': 'nennt einen anderen Sensor als die Zeilen davor',
  'needs an expression: an inactivity ends when data comes':
    'braucht einen Ausdruck: Eine Zeit ohne Daten endet mit neuen Daten',
  'needs an id, or a type and a uuid': 'braucht eine ID, oder eine Art und eine uuid',
  'needs {names}': 'braucht {names}',
  'needs {n} items': 'braucht {n} Einträge',
  'only a notification of type push has one': 'hat nur eine Benachrichtigung des Typs push',
  'point {n} {why}': 'Punkt {n} {why}',
  'requires an id or a username': 'braucht eine ID oder einen Benutzernamen',
  'takes at most {n} values': 'nimmt höchstens {n} Werte an',
  'takes more than {n} characters as JSON': 'hat als JSON mehr als {n} Zeichen',
  'the host must not hold templates': 'der Host darf keine Vorlagen enthalten',
  'uses more than {n} different "x" in its window functions':
    'verwendet mehr als {n} verschiedene "x" in seinen Fensterfunktionen',
  '{value} (sample)': '{value} (Beispiel)',
} as const;
