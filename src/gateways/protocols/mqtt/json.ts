import { isRecord } from '../../../platform/is-record';
import { isDateName } from '../../../points';
import type { SeriesPoint } from '../series';
import { jsonOf, jsonValue, type MqttMessage, type NamedSeries, pointOf } from './message';
import { readMessageDate } from './message-date';

/** Without its date; a lone field `value` is a plain value. The series is the topic. */
export function decodeJson(message: MqttMessage): SeriesPoint[] {
  if (message.payload.length === 0) return [];
  const value = jsonOf(message);
  const series: NamedSeries = { name: message.topic, title: message.topic, source: 'mqtt' };
  if (!isRecord(value)) return pointOf(series, jsonValue(value));
  const { fields, dateMs } = takeDate(value);
  const names = Object.keys(fields);
  const isPlain = names.length === 1 && names[0] === 'value';
  return pointOf(series, jsonValue(isPlain ? fields.value : fields), dateMs);
}

/** The date under one of the names that uploads know. */
function takeDate(value: Readonly<Record<string, unknown>>) {
  const names = Object.keys(value).filter(isDateName);
  const name =
    names.find((each) => each === 'date') ?? names.find((each) => readMessageDate(value[each]) !== undefined);
  const dateMs = name === undefined ? undefined : readMessageDate(value[name]);
  if (name === undefined || dateMs === undefined) return { fields: value, dateMs: undefined };
  const { [name]: _, ...fields } = value;
  return { fields, dateMs };
}
