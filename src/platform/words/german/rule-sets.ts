/** Rules as text: what is wrong with a document, and where. */
export const RULE_SETS = {
  'a rule set has at most {n} triggers and {m} notifications':
    'ein Regelsatz hat höchstens {n} Regeln und {m} Benachrichtigungen',
  'cannot be read: {error}': 'kann nicht gelesen werden: {error}',
  'has more than {n} words and marks: make several rule sets of it':
    'hat mehr als {n} Wörter und Zeichen: Machen Sie mehrere Regelsätze daraus',
  'has no stored value: create the notification by the API or in the console first':
    'hat keinen gespeicherten Wert: Legen Sie die Benachrichtigung zuerst mit der API oder in der Konsole an',
  'has too many digits for a number: write it in quotes':
    'hat zu viele Ziffern für eine Zahl: Schreiben Sie es in Anführungszeichen',
  'is a secret of a browser: enable push in the console of this browser':
    'ist ein Geheimnis eines Browsers: Schalten Sie Push in der Konsole dieses Browsers ein',
  'is a word of the API: choose another name': 'ist ein Wort der API: Wählen Sie einen anderen Namen',
  'is no name of a field': 'ist kein Name eines Felds',
  'is not the one that the set manages under this name: that is {id}':
    'ist nicht das, was der Regelsatz unter diesem Namen verwaltet: Das ist {id}',
  'is the name of an entry above': 'ist der Name eines Eintrags weiter oben',
  'is the name of several {kind}s of yours: give the id of one of them ({ids})':
    'ist der Name mehrerer Ihrer {kind}s: Geben Sie die ID von einem an ({ids})',
  'is the same {kind} as {path}': 'ist dasselbe ({kind}) wie {path}',
  'is written twice': 'steht zweimal da',
  'line {line}, column {column}: {path} {why}': 'Zeile {line}, Spalte {column}: {path} {why}',
  'must be "{hidden}": the API or the console stores the value':
    'muss "{hidden}" sein: Die API oder die Konsole speichert den Wert',
  'must be a number that JSON can hold': 'muss eine Zahl sein, die JSON darstellen kann',
  'must be a single document': 'muss ein einziges Dokument sein',
  'must be a time of day such as 21:00, seconds from midnight, or ISO 8601 with Z or an offset':
    'muss eine Uhrzeit wie 21:00 sein, Sekunden ab Mitternacht, oder ISO 8601 mit Z oder einem Abstand zu UTC',
  'must have 1 to 100 letters, digits, "-" and "_"': 'muss 1 bis 100 Buchstaben, Ziffern, "-" und "_" haben',
  'must have texts as the names of its fields': 'muss Texte als Namen seiner Felder haben',
  'must not be before the time above': 'darf nicht vor der Zeit darüber liegen',
  'must not have a tag': 'darf kein Tag haben',
  'names a {kind} that the rule set {set} manages': 'nennt etwas ({kind}), das der Regelsatz {set} verwaltet',
  'names a {kind} that you do not have': 'nennt etwas ({kind}), das Sie nicht haben',
  'names no trigger of this set': 'nennt keine Regel dieses Regelsatzes',
  'refers to *{name}, which is not before it': 'verweist auf *{name}, das nicht davor steht',
  'repeats too much by aliases, or is too long': 'wiederholt zu viel durch Verweise, oder ist zu lang',
  'the document, or what it manages, has changed since the plan: make a new plan':
    'das Dokument, oder was es verwaltet, hat sich seit dem Plan geändert: Machen Sie einen neuen Plan',
  'the rule set': 'der Regelsatz',
  'the rule set {set} manages this: its next plan shows the change as drift':
    'der Regelsatz {set} verwaltet dies: Sein nächster Plan zeigt die Änderung als Abweichung',
  '{n} of {total} tests fail, so nothing was applied; "{name}": {error}':
    '{n} von {total} Tests schlagen fehl, daher wurde nichts angewendet; "{name}": {error}',
  '{why}; the rule set {set} manages this: its next plan shows the change as drift':
    '{why}; der Regelsatz {set} verwaltet dies: Sein nächster Plan zeigt die Änderung als Abweichung',
} as const;
