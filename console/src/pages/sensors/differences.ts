import { sensorName } from '../../format';
import { t } from '../../language';

interface Named {
  id: string;
  name: string;
  display_name?: string;
}

/** What a page shows of a sensor to distinguish it from others. */
interface Differences {
  outside?: string;
  apart?: string;
}

/** Adds to sensors the outside names of their series, and to those with equal names what distinguishes them. */
export function withDifferences<T extends Named>(
  sensors: readonly T[],
  series: readonly { sensor_id: string; name: string }[],
): (T & Differences)[] {
  const outside = new Map<string, string[]>();
  for (const { sensor_id: id, name } of series) outside.set(id, [...(outside.get(id) ?? []), name]);
  const groups = new Map<string, string[]>();
  for (const sensor of sensors) groups.set(keyOf(sensor), [...(groups.get(keyOf(sensor)) ?? []), sensor.id]);
  const apart = new Map([...groups.values()].flatMap((ids) => (ids.length > 1 ? apartIn(ids, outside) : [])));
  return sensors.map((sensor) => {
    const names = outside.get(sensor.id)?.join(', ');
    const difference = apart.get(sensor.id);
    return {
      ...sensor,
      ...(names !== undefined && { outside: names }),
      ...(difference !== undefined && { apart: difference }),
    };
  });
}

/**
 * What distinguishes sensors with one name: the tags in their outside names that not all of them have, otherwise these
 * names. The ids where that is not enough.
 */
function apartIn(
  ids: readonly string[],
  outside: ReadonlyMap<string, readonly string[]>,
): [id: string, text: string][] {
  const tagged = ids.map((id) => new Set((outside.get(id) ?? []).flatMap(tagsIn)));
  const isCommon = (tag: string) => tagged.every((tags) => tags.has(tag));
  const names = new Set(tagged.flatMap((tags) => [...tags].filter((tag) => !isCommon(tag)).map(nameOf)));
  const texts = ids.map((id, at) => {
    const own = [...(tagged[at] ?? [])].filter((tag) => !isCommon(tag));
    const shown = names.size === 1 ? own.map((tag) => tag.slice(nameOf(tag).length + 1)) : own;
    return shown.join(', ') || (outside.get(id) ?? []).join(', ');
  });
  return ids.map((id, at) => {
    const [text = '', byId] = [texts[at], t('id {id}', { id })];
    const isShared = texts.filter((other) => other === text).length > 1;
    return [id, isShared || text === '' ? [text, byId].filter(Boolean).join(', ') : text];
  });
}

/** The tags of a line of InfluxDB or a metric of Prometheus, as `name=value`; none of any other outside name. */
function tagsIn(outside: string): string[] {
  const [, ...tags] = outside.split(/(?<!\\),/);
  const written = tags.filter((tag) => /[^\\]=/.test(tag)).map((tag) => tag.replace(/\\([,= ])/g, '$1'));
  const labels = /^[^{]*\{(.*)\}$/s.exec(outside)?.[1] ?? '';
  const metric = [...labels.matchAll(/(\w+)="((?:[^"\\]|\\.)*)"/g)].map(([, name, value]) => `${name}=${value}`);
  return labels === '' ? written : metric;
}

function nameOf(tag: string): string {
  return tag.slice(0, tag.indexOf('='));
}

function keyOf(sensor: Named): string {
  return sensorName(sensor).toLowerCase();
}

/** The name of a sensor with what distinguishes it, for texts without a second line. */
export function fullName(sensor: Named & Differences): string {
  return sensor.apart === undefined ? sensorName(sensor) : `${sensorName(sensor)} (${sensor.apart})`;
}
