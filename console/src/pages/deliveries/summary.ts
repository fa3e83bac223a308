import type { Records } from '../../api';
import { many, t } from '../../language';
import type { Names } from '../names';

type Delivery = Records['DeliveryView'];

const LONGEST = 100;

/** The subject of a delivery in a line; of a digest the number of its alerts. */
export function summaryOf(delivery: Delivery): string {
  if (delivery.is_digest) return many(delivery.digest_size, '{n} alert', '{n} alerts');
  const first = delivery.text.trim().split('\n', 1)[0] ?? '';
  const shown = first.length > LONGEST ? `${first.slice(0, LONGEST)}…` : first;
  return [causeOf(delivery), shown].filter(Boolean).join(': ');
}

function causeOf({ event, probe, resolved, acknowledged, ...delivery }: Delivery): string {
  if (event) return event;
  if (delivery.sensor_id === null || delivery.trigger_id === null) return probe ? t('probe') : t('test');
  const became = acknowledged ? `, ${t('acknowledged')}` : resolved ? `, ${t('resolved')}` : '';
  return t('{trigger} on {sensor}', { trigger: triggerNameOf(delivery), sensor: sensorNameOf(delivery) }) + became;
}

/** The name of a delivery's trigger, or its id if it was deleted. */
export function triggerNameOf({ trigger_id, trigger_name }: Pick<Delivery, 'trigger_id' | 'trigger_name'>): string {
  return trigger_name ?? withoutName('trigger', trigger_id);
}

/** The name of a delivery's sensor, otherwise its id. */
export function sensorNameOf({ sensor_id, sensor_name }: Pick<Delivery, 'sensor_id' | 'sensor_name'>): string {
  return sensor_name ?? withoutName('sensor', sensor_id);
}

/** The name of a trigger, or its id if it was deleted. */
export function triggerOf(id: string, { triggers }: Names): string {
  return triggers.get(id) ?? withoutName('trigger', id);
}

/** The name of a sensor, otherwise its id. */
export function sensorOf(id: string, { sensors }: Names): string {
  return sensors.get(id) ?? withoutName('sensor', id);
}

function withoutName(what: 'trigger' | 'sensor', id: string | null): string {
  return what === 'trigger' ? t('trigger {id}', { id: String(id) }) : t('sensor {id}', { id: String(id) });
}
