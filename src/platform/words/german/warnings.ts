/** What was saved and cannot work, or works otherwise than a user may expect. */
export const WARNINGS = {
  'dependencies are left out, so what they would hold counts as delivered: {pairs}':
    'Abhängigkeiten bleiben außer Acht, also gilt als zugestellt, was sie zurückhalten würden: {pairs}',
  'keys and applications may still use the account: see GET /keys and GET /oauth/authorizations':
    'Schlüssel und Anwendungen können das Konto weiter benutzen: siehe GET /keys und GET /oauth/authorizations',
  'no sensor that the trigger is connected to has the field "{field}", so its expression cannot be evaluated there':
    'kein Sensor, mit dem die Regel verbunden ist, hat das Feld "{field}", daher kann ihr Ausdruck dort nicht ausgewertet werden',
  'the expression reads {name}, so it may become false and be reported as resolved while the state lasts; leave it out, and limit how often it fires by "repeat"':
    'der Ausdruck liest {name}, daher kann er falsch werden und als beendet gemeldet werden, während der Zustand andauert; lassen Sie es weg, und begrenzen Sie mit "repeat", wie oft sie auslöst',
  'the latest values of the connected sensors are lists or objects, in which "{name}" finds no numbers: name a field, as in sensor_data_value.temperature':
    'die neuesten Werte der verbundenen Sensoren sind Listen oder Objekte, in denen "{name}" keine Zahlen findet: Nennen Sie ein Feld, wie in sensor_data_value.temperature',
  'the recipient takes no mails of any account of this platform: only they can allow yours, by the link in a mail that they got':
    'der Empfänger nimmt von keinem Konto dieser Plattform Mails an: Nur er selbst kann Ihre erlauben, mit dem Link in einer Mail, die er bekommen hat',
  'the sensor "{name}" has no label "{label}", so the trigger cannot be evaluated there: set the metatag, or give a value for sensors without it, as in label("{label}", 8)':
    'der Sensor "{name}" hat kein Label "{label}", daher kann die Regel dort nicht ausgewertet werden: Setzen Sie das Metatag, oder geben Sie einen Wert für Sensoren ohne es an, wie label("{label}", 8)',
  'the text of its ends': 'der Text ihres Endes',
  'this installation refuses deliveries to the address of this host, because it is not public: its operator can allow the network by the setting DELIVERY_ALLOW_NETWORKS':
    'diese Installation liefert nicht an die Adresse dieses Hosts, da sie nicht öffentlich ist: Der Betreiber kann das Netz mit der Einstellung DELIVERY_ALLOW_NETWORKS erlauben',
  'you have no environment "{name}", so in_zone("{name}") is false until you give one this name':
    'Sie haben keine Umgebung "{name}", also ist in_zone("{name}") falsch, bis Sie einer diesen Namen geben',
  '{field} is the name of several fields: write their own names as in ["a-b"]':
    '{field} ist der Name mehrerer Felder: Schreiben Sie deren eigene Namen, wie in ["a-b"]',
  '{what} shows nothing for {field}: in the latest values of the connected sensors {why}':
    '{what} zeigt nichts für {field}: In den neuesten Werten der verbundenen Sensoren gilt: {why}',
} as const;
