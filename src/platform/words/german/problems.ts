/** Why something stored does not work: rules, services, MQTT sources, texts; and why deliveries wait. */
export const PROBLEMS = {
  '"{name}" needs {n} or more numbers within {seconds} seconds, and has {count}':
    '"{name}" braucht in {seconds} Sekunden {n} oder mehr Zahlen und hat {count}',
  'a JSON object': 'ein JSON-Objekt',
  'a list': 'eine Liste',
  'a list, an object or nothing where a text is needed': 'eine Liste, ein Objekt oder nichts, wo ein Text nötig ist',
  'a number': 'eine Zahl',
  'a point was not evaluated: it is dated more than an hour ahead of the clock of the platform':
    'ein Messwert wurde nicht ausgewertet: Sein Datum liegt mehr als eine Stunde vor der Uhr der Plattform',
  'a sensor has at most {n} triggers': 'ein Sensor hat höchstens {n} Regeln',
  'a sensor has at most {n} triggers, and {x} different "x" in their window functions':
    'ein Sensor hat höchstens {n} Regeln und {x} verschiedene "x" in deren Fensterfunktionen',
  'a string': 'ein Text',
  'a value came out too large': 'ein Ergebnis wurde zu groß',
  'an earlier delivery of the same alert waits': 'eine frühere Zustellung desselben Alarms wartet',
  'an empty list has no smallest or largest number': 'eine leere Liste hat keine kleinste oder größte Zahl',
  'an error of the platform': 'ein Fehler der Plattform',
  'by the operators’ page': 'über die Seite der Betreiber',
  'cannot be read': 'ist nicht lesbar',
  'cannot be stored: {why}': 'kann nicht gespeichert werden: {why}',
  'computing the windows of this sensor takes too long: use fewer of them, or shorter ones':
    'die Fenster dieses Sensors zu berechnen dauert zu lange: Verwenden Sie weniger oder kürzere',
  'contains looks for at most {n} characters': 'contains sucht höchstens {n} Zeichen',
  'delivered again by the broker, and stored before': 'vom Broker noch einmal geliefert und schon gespeichert',
  'describes others': 'beschreibt andere Nachrichten',
  'division by zero': 'Division durch null',
  'has a topic that is too long': 'hat ein zu langes Topic',
  'has more than {n} components': 'hat mehr als {n} Komponenten',
  'has more than {n} levels': 'hat mehr als {n} Ebenen',
  'has no fields as of Tasmota': 'hat keine Felder wie bei Tasmota',
  'has no value for this decoder': 'hat keinen Wert für diesen Decoder',
  'in_zone needs the name of an environment': 'in_zone braucht den Namen einer Umgebung',
  'is larger than {n} bytes': 'ist größer als {n} Bytes',
  'is no JSON': 'ist kein JSON',
  'is no configuration of discovery': 'ist keine Konfiguration zur Erkennung',
  'is not text in UTF-8': 'ist kein Text in UTF-8',
  'is tried apart first, because three processes have ended while they were connected to it and to others':
    'wird zuerst einzeln versucht, weil drei Prozesse endeten, während sie mit dieser und anderen Quellen verbunden waren',
  'it took longer than {n} seconds': 'es dauerte länger als {n} Sekunden',
  'its process ended with {why}': 'der Prozess endete mit {why}',
  'messages wait, because they cannot be stored: {why}':
    'Nachrichten warten, weil sie nicht gespeichert werden können: {why}',
  'more than {n} alerts came within a minute: the others go out as one message at its end':
    'mehr als {n} Alarme kamen in einer Minute: Die übrigen gehen an ihrem Ende als eine Nachricht hinaus',
  'more than {n} points within {seconds} seconds, for "{name}"':
    'mehr als {n} Messwerte in {seconds} Sekunden, für "{name}"',
  'more than {n} sensors are discovered, the others are left out':
    'mehr als {n} Sensoren wurden erkannt, die übrigen sind ausgelassen',
  'no number where a number is needed': 'keine Zahl, wo eine Zahl nötig ist',
  nothing: 'nichts',
  'nothing is stored': 'nichts wird gespeichert',
  'only {n} of the {all} topics that descriptions name are subscribed to: more are too many or too long':
    'nur {n} der {all} Topics, die Beschreibungen nennen, sind abonniert: Mehr sind zu viele oder zu lang',
  'retained by the broker, and equal to the last stored value':
    'vom Broker aufbewahrt und gleich dem zuletzt gespeicherten Wert',
  'retained by the broker, and this source ignores such messages':
    'vom Broker aufbewahrt, und diese Quelle übergeht solche Nachrichten',
  'set aside, because it ended each process that did it ({why})':
    'beiseite gelegt, weil diese Arbeit jeden Prozess beendet hat ({why})',
  'states are stored as they are': 'Zustände werden gespeichert, wie sie sind',
  'the broker closed the connection': 'der Broker hat die Verbindung geschlossen',
  'the broker does not answer': 'der Broker antwortet nicht',
  'the broker ended the connection with reason code {code}':
    'der Broker hat die Verbindung mit dem Code {code} beendet',
  'the broker keeps it: {why}': 'der Broker bewahrt sie auf: {why}',
  'the broker refuses the subscription to {name} and {n} others: nothing arrives from there. Allow it in the access list of the broker':
    'der Broker lehnt das Abonnement von {name} und {n} anderen ab: Von dort kommt nichts. Erlauben Sie es in der Zugriffsliste des Brokers',
  'the broker refuses the subscription to {name}: nothing arrives from there. Allow it in the access list of the broker':
    'der Broker lehnt das Abonnement von {name} ab: Von dort kommt nichts. Erlauben Sie es in der Zugriffsliste des Brokers',
  'the broker sends QoS 2, unasked': 'der Broker sendet ungefragt QoS 2',
  'the broker sends a packet that is not for subscribers': 'der Broker sendet ein Paket, das nicht für Abonnenten ist',
  'the broker sends a packet that is too large': 'der Broker sendet ein zu großes Paket',
  'the broker sends no MQTT': 'der Broker spricht kein MQTT',
  'the configuration is left out: those of this source are too large':
    'die Konfiguration ist ausgelassen: Die dieser Quelle sind zu groß',
  'the configuration is left out: too many topics of states have wildcards':
    'die Konfiguration ist ausgelassen: Zu viele Topics von Zuständen haben Platzhalter',
  'the database cannot be reached': 'die Datenbank ist nicht erreichbar',
  'the date is out of range': 'das Datum liegt außerhalb des Möglichen',
  'the device is left out: more than {n} are known, it has another series when it is renamed':
    'das Gerät ist ausgelassen: Mehr als {n} sind bekannt, und es bekommt eine andere Reihe, wenn es umbenannt wird',
  'the device is left out: what is known of devices is too large':
    'das Gerät ist ausgelassen: Was über Geräte bekannt ist, ist zu groß',
  'the expression cannot be evaluated with this value': 'der Ausdruck kann mit diesem Wert nicht ausgewertet werden',
  'the late points from {from} to {until} are not reported: they {why}. Make a backtest of a shorter range to see what they would have caused':
    'die verspäteten Messwerte von {from} bis {until} sind nicht gemeldet: Sie {why}. Eine Rückschau auf einen kürzeren Zeitraum zeigt, was sie ausgelöst hätten',
  'the limit of {n} sensors that are made for this source is reached: raise its create_limit, or delete sensors':
    'die Grenze von {n} Sensoren, die für diese Quelle angelegt werden, ist erreicht: Erhöhen Sie create_limit, oder löschen Sie Sensoren',
  'the logarithm of a number that is not above 0': 'der Logarithmus einer Zahl, die nicht über 0 liegt',
  'the message of {topic} {why}': 'die Nachricht von {topic} {why}',
  'the platform could not evaluate them': 'konnten nicht ausgewertet werden',
  'the points could not be handled: {why}': 'die Messwerte konnten nicht verarbeitet werden: {why}',
  'the receiver {receiver} asks for fewer requests (429)': 'der Empfänger {receiver} bittet um weniger Anfragen (429)',
  'the result is neither a number nor a string': 'das Ergebnis ist weder eine Zahl noch ein Text',
  'the result is not a finite number': 'das Ergebnis ist keine endliche Zahl',
  'the sensor "{name}" has no label "{label}"': 'der Sensor "{name}" hat kein Label "{label}"',
  'the sensor has no label "{label}"': 'der Sensor hat kein Label "{label}"',
  'the sensors could not be connected': 'die Sensoren konnten nicht verbunden werden',
  'the trigger could not be handled: {why}': 'die Regel konnte nicht ausgewertet werden: {why}',
  'the value has no valid position: latitude from -90 to 90, longitude from -180 to 180':
    'der Wert hat keine gültige Position: latitude von -90 bis 90, longitude von -180 bis 180',
  'the value template of {name} is not supported, {what}': 'die Wertvorlage von {name} wird nicht unterstützt, {what}',
  'the values of its sensors are too large': 'die Werte seiner Sensoren sind zu groß',
  'the windows of this sensor hold more than {n} bytes: use fewer different "x" in them':
    'die Fenster dieses Sensors halten mehr als {n} Bytes: Verwenden Sie darin weniger verschiedene "x"',
  'their sensor is not yours': 'ihr Sensor gehört Ihnen nicht',
  'there are too many environments for zones: at most 2,000, with 600,000 characters of outlines':
    'es gibt zu viele Umgebungen für Zonen: höchstens 2.000, mit 600.000 Zeichen an Umrissen',
  'there is no position: no latitude and longitude in the value, and the sensor is in no environment':
    'es gibt keine Position: keine latitude und longitude im Wert, und der Sensor ist in keiner Umgebung',
  'there is no service {name}': 'es gibt keinen Dienst {name}',
  'this installation refuses to connect to the address of the broker, because it is not public: its operator can allow the network by the setting DELIVERY_ALLOW_NETWORKS':
    'diese Installation verbindet sich nicht mit der Adresse des Brokers, da sie nicht öffentlich ist: Der Betreiber kann das Netz mit der Einstellung DELIVERY_ALLOW_NETWORKS erlauben',
  'this source may not make sensors': 'diese Quelle darf keine Sensoren anlegen',
  'too expensive: the services of one point took too long, and this one was not computed':
    'zu aufwendig: Die Dienste eines Messwerts dauerten zu lange, und dieser wurde nicht berechnet',
  'true or false': 'true oder false',
  'values of more than {n} bytes within {seconds} seconds, for "{name}"':
    'Werte von mehr als {n} Bytes in {seconds} Sekunden, für "{name}"',
  'values of {series} are not stored: {why}': 'Werte von {series} werden nicht gespeichert: {why}',
  'values of {series} wait at the broker: {why}': 'Werte von {series} warten beim Broker: {why}',
  'waits for a place: all connections of the workers are taken, and its owner has an equal share of them. More workers have more places':
    'wartet auf einen Platz: Alle Verbindungen der Worker sind vergeben, und der Besitzer hat einen gleichen Anteil daran. Mehr Worker haben mehr Plätze',
  'your deliveries have used up their share of computing time':
    'Ihre Zustellungen haben ihren Anteil an Rechenzeit aufgebraucht',
  '{name} does not exist: items of a list are written as in [0]':
    '{name} existiert nicht: Elemente einer Liste schreibt man wie in [0]',
  '{name} has no value': '{name} hat keinen Wert',
  '{name} is left out: another device has a sensor with its unique_id {id}':
    '{name} ist ausgelassen: Ein anderes Gerät hat einen Sensor mit der unique_id {id}',
  '{name} is left out: it has no state_topic': '{name} ist ausgelassen: state_topic fehlt',
  '{name} is left out: its state_topic {why}': '{name} ist ausgelassen: state_topic {why}',
  '{n} devices are left out, because the list is too long: they have no units, and another series when they are renamed':
    '{n} Geräte sind ausgelassen, weil die Liste zu lang ist: Sie haben keine Einheiten und bekommen eine andere Reihe, wenn sie umbenannt werden',
  '{n} of its sensors are left out: at most {most} read a message, and {bytes} bytes together':
    '{n} der Sensoren sind ausgelassen: Höchstens {most} lesen eine Nachricht, zusammen {bytes} Bytes',
  '{n} of the {all} selected sensors are not connected: {why}':
    '{n} der {all} ausgewählten Sensoren sind nicht verbunden: {why}',
  '{what} where a list is needed': '{what}, wo eine Liste nötig ist',
  '{what} where a number is needed': '{what}, wo eine Zahl nötig ist',
  '{what} where a string is needed': '{what}, wo ein Text nötig ist',
  '{what} where a string or a list is needed': '{what}, wo ein Text oder eine Liste nötig ist',
  '{what} where true or false is needed': '{what}, wo true oder false nötig ist',
} as const;
