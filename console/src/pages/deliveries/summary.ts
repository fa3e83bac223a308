import type { Records } from '../../api';
import type { Names } from '../names';

type Delivery = Records['DeliveryView'];

const LONGEST = 100;

/** The subject of a delivery in a line; for a digest its first alert. */
export function summaryOf(delivery: Delivery): string {
  const text = delivery.text.trim();
  const first = text.split('\n', 1)[0] ?? '';
  const shown = first.length > LONGEST ? `${first.slice(0, LONGEST)}…` : first;
  if (delivery.is_digest) return `bundle: ${shown}`;
  return [causeOf(delivery), shown].filter(Boolean).join(': ');
}

function causeOf({ event, probe, resolved, acknowledged, ...delivery }: Delivery): string {
  if (event) return event;
  if (delivery.sensor_id === null || delivery.trigger_id === null) return probe ? 'probe' : 'test';
  const became = acknowledged ? ', acknowledged' : resolved ? ', resolved' : '';
  return `${triggerNameOf(delivery)} on ${sensorNameOf(delivery)}${became}`;
}

/** The name of a delivery's trigger, or its id if it was deleted. */
export function triggerNameOf({ trigger_id, trigger_name }: Pick<Delivery, 'trigger_id' | 'trigger_name'>): string {
  return trigger_name ?? `trigger ${trigger_id}`;
}

/** The name of a delivery's sensor, otherwise its id. */
export function sensorNameOf({ sensor_id, sensor_name }: Pick<Delivery, 'sensor_id' | 'sensor_name'>): string {
  return sensor_name ?? `sensor ${sensor_id}`;
}

/** The name of a trigger, or its id if it was deleted. */
export function triggerOf(id: string, { triggers }: Names): string {
  return triggers.get(id) ?? `trigger ${id}`;
}

/** The name of a sensor, otherwise its id. */
export function sensorOf(id: string, { sensors }: Names): string {
  return sensors.get(id) ?? `sensor ${id}`;
}
