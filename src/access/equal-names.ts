export interface NamedSensor {
  id: number;
  name: string;
  outside: readonly string[];
}

/**
 * What distinguishes sensors with one name, by id: tags in their outside names that not all have. `otherwise` gives the
 * text where these are not enough; `at` counts from 0.
 */
export function differencesOf(
  sensors: readonly NamedSensor[],
  otherwise: (sensor: NamedSensor, at: number) => string,
): Map<number, string> {
  const groups = new Map<string, NamedSensor[]>();
  for (const sensor of sensors) {
    const key = sensor.name.toLowerCase();
    groups.set(key, [...(groups.get(key) ?? []), sensor]);
  }
  return new Map([...groups.values()].flatMap((group) => (group.length > 1 ? differencesIn(group, otherwise) : [])));
}

export function outsideNameOf({ id, outside }: NamedSensor): string {
  return outside.join(', ') || `id ${id}`;
}

/** `temperature (tasmota_A)`. */
export function fullName(name: string, difference: string | undefined): string {
  return difference === undefined ? name : `${name} (${difference})`;
}

function differencesIn(
  group: readonly NamedSensor[],
  otherwise: (sensor: NamedSensor, at: number) => string,
): [id: number, text: string][] {
  const tagged = group.map(({ outside }) => new Set(outside.flatMap(tagsIn)));
  const counts = new Map<string, number>();
  for (const tag of tagged.flatMap((tags) => [...tags])) counts.set(tag, (counts.get(tag) ?? 0) + 1);
  const own = tagged.map((tags) => [...tags].filter((tag) => counts.get(tag) !== group.length));
  const names = new Set(own.flat().map(nameOf));
  const texts = own.map((tags) => tags.map((tag) => (names.size === 1 ? shownOf(tag) : tag)).join(', '));
  const shared = new Set(texts.filter((text, at) => texts.indexOf(text) !== at));
  return group.map((sensor, at) => {
    const text = texts[at] ?? '';
    const isEnough = text !== '' && !shared.has(text);
    return [sensor.id, isEnough ? text : [text, otherwise(sensor, at)].filter(Boolean).join(', ')];
  });
}

/** As `name=value`, of InfluxDB or Prometheus. */
function tagsIn(outside: string): string[] {
  const labels = /^[^{]*\{(.*)\}$/s.exec(outside)?.[1] ?? '';
  if (labels !== '') {
    return [...labels.matchAll(/(\w+)="((?:[^"\\]|\\.)*)"/g)].map(([, name, value]) => `${name}=${value}`);
  }
  const [, ...tags] = outside.split(/(?<!\\),/);
  return tags.filter((tag) => /[^\\]=/.test(tag)).map((tag) => tag.replace(/\\([,= ])/g, '$1'));
}

function nameOf(tag: string): string {
  return tag.slice(0, tag.indexOf('='));
}

function shownOf(tag: string): string {
  return tag.slice(nameOf(tag).length + 1);
}
