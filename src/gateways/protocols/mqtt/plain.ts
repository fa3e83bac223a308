import type { SeriesPoint } from '../series';
import { type MqttMessage, plainValue, pointOf, textOf } from './message';

export function decodePlain(message: MqttMessage): SeriesPoint[] {
  const { topic } = message;
  return pointOf({ name: topic, title: topic, source: 'mqtt' }, plainValue(textOf(message)));
}
