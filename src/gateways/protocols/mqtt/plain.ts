import type { SeriesPoint } from '../series';
import { type MqttMessage, plainValue, pointOf, textOf } from './message';

/** The text of the payload; a number if it spells one. The series is the topic. */
export function decodePlain(message: MqttMessage): SeriesPoint[] {
  const { topic } = message;
  return pointOf({ name: topic, title: topic, source: 'mqtt' }, plainValue(textOf(message)));
}
