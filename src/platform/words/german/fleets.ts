/** Why a fleet, or a change of it, is refused, and what its last error says. */
export const FLEETS = {
  'a filter selects at most {n} sensors': 'ein Filter wählt höchstens {n} Sensoren aus',
  'a fleet has only your own sensors': 'eine Flotte hat nur Ihre eigenen Sensoren',
  'a user has at most {n} fleets': 'Sie haben höchstens {n} Flotten',
  'is for a new fleet_service; the methods of a running one set it':
    'gilt für einen neuen fleet_service; bei einem laufenden setzen es seine Methoden',
  'must be a text of at most {n} characters': 'muss ein Text von höchstens {n} Zeichen sein',
  'must be one field for a fleet': 'muss für eine Flotte ein einzelnes Feld sein',
  'the field must have 1 to {n} characters': 'das Feld muss 1 bis {n} Zeichen haben',
  'the filter of the service {id} selects its sensors: change their metatags or the filter':
    'der Filter des Dienstes {id} wählt seine Sensoren aus: Ändern Sie deren Metatags oder den Filter',
  'the seconds must be a whole number up to {n}, or 0 for none':
    'die Sekunden müssen eine ganze Zahl bis {n} sein, oder 0 für keine',
  'the selector must be an object in JSON': 'der Selektor muss ein Objekt in JSON sein',
  'the trigger must be an id, or 0 for none': 'die Regel muss eine ID sein, oder 0 für keine',
  'the trigger {id} does not exist any more': 'die Regel {id} gibt es nicht mehr',
} as const;
