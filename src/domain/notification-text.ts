export type TextValues = Readonly<Record<string, string | number | boolean | null | undefined>>;

// A run of letters, digits and _ is read whole, so `my_sensor_id` is not `sensor_id`; each character is read a bounded number of times.
const WORDS = /\$\{([\p{L}\p{N}_]+)\}|\{\{([\p{L}\p{N}_]+)\}\}|\{([\p{L}\p{N}_]+)\}|\$?([\p{L}\p{N}_]+)/gu;

/** Characters that values may bring into a text; what is beyond them is cut off. */
const MAX_CHARACTERS = 65_536;
/** The same for all texts of one user that are written together: large values multiply with notifications. */
const MAX_TOGETHER = 4_194_304;
/** What each text may take however many there are. */
const MIN_CHARACTERS = 1_000;

/** How many characters values may bring into each of so many texts of one user that are written together. */
export function roomOfEach(texts: number): number {
  return Math.min(MAX_CHARACTERS, Math.max(MIN_CHARACTERS, Math.floor(MAX_TOGETHER / texts)));
}

/**
 * Puts values in the place of their names: bare as a whole word, `$name`, `${name}`, `{name}` or `{{name}}`. Only names
 * in `values` are replaced, a null or undefined value by nothing; what has been put in is not looked at again. Values bring
 * at most so many characters into it.
 */
export function renderText(text: string, values: TextValues, characters = MAX_CHARACTERS): string {
  let room = characters;
  return text.replace(WORDS, (whole: string, ...names: (string | undefined)[]) => {
    const name = names[0] ?? names[1] ?? names[2] ?? names[3];
    if (name === undefined || !Object.hasOwn(values, name)) return whole;
    const value = values[name];
    if (value === null || value === undefined) return '';
    const shown = cut(String(value), room);
    room -= shown.length;
    return shown;
  });
}

/** Not through the middle of a character. */
function cut(text: string, length: number): string {
  return text.length <= length ? text : text.slice(0, length).replace(/[\ud800-\udbff]$/, '');
}

/** The variables that name what fired, or what is over. */
export function namesOf(
  sensor: { id: number; name: string },
  { triggerId, triggerName }: { triggerId: number; triggerName: string },
) {
  return { sensor_id: sensor.id, sensor_name: sensor.name, trigger_id: triggerId, trigger_name: triggerName };
}
