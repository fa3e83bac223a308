import type { Records } from '../../api';
import type { Names } from '../names';

type Delivery = Records['DeliveryView'];

const LONGEST = 100;

/** The subject of a delivery in a line; for a digest its first alert. */
export function summaryOf(delivery: Delivery, names: Names): string {
  const text = delivery.text.trim();
  const first = text.split('\n', 1)[0] ?? '';
  const shown = first.length > LONGEST ? `${first.slice(0, LONGEST)}…` : first;
  if (delivery.is_digest) return `bundle: ${shown}`;
  return [causeOf(delivery, names), shown].filter(Boolean).join(': ');
}

function causeOf({ event, sensor_id, trigger_id, resolved }: Delivery, names: Names): string {
  if (event) return event;
  if (sensor_id === null || trigger_id === null) return 'test';
  return `${triggerOf(trigger_id, names)} on ${sensorOf(sensor_id, names)}${resolved ? ', resolved' : ''}`;
}

/** The name of a trigger, or its id if it was deleted. */
export function triggerOf(id: string, { triggers }: Names): string {
  return triggers.get(id) ?? `trigger ${id}`;
}

/** The name of a sensor, otherwise its id. */
export function sensorOf(id: string, { sensors }: Names): string {
  return sensors.get(id) ?? `sensor ${id}`;
}
