import type { Records } from '../../api';
import { withMinus } from '../../format';
import { many, said, t } from '../../language';
import { href } from '../../router';
import type { Names } from '../names';

type Delivery = Records['DeliveryView'];
type SensorNames = Pick<Names, 'sensors'>;
type EventPlace = Pick<Delivery, 'subject_id' | 'subject_name' | 'source_id' | 'source_name'>;

/** A list shows as much as fits two lines of it. */
const LONGEST = 300;

/** What a delivery is about, as a link to it, with its text or the names in its event. */
export function DeliverySubject({ delivery, names }: { delivery: Delivery; names: SensorNames }) {
  return (
    <>
      <a class="strong breakable" href={href(`/deliveries/${delivery.id}`)}>
        {subjectOf(delivery, names)}
      </a>
      <div class="small quiet breakable two-lines">{detailOf(delivery)}</div>
    </>
  );
}

/** What a delivery is about: an alert, an event, or a test. */
export function subjectOf({ event, probe, resolved, acknowledged, ...delivery }: Delivery, names: SensorNames): string {
  if (delivery.is_digest) return many(delivery.digest_size, '{n} alert', '{n} alerts');
  if (event) return said(delivery.event_description);
  if (delivery.sensor_id === null || delivery.trigger_id === null) return probe ? t('Probe') : t('Test');
  const became = acknowledged ? `, ${t('acknowledged')}` : resolved ? `, ${t('resolved')}` : '';
  const on = { trigger: triggerNameOf(delivery), sensor: sensorNameOf(delivery, names) };
  return t('{trigger} on {sensor}', on) + became;
}

/** The names in an event; otherwise the beginning of the text. */
export function detailOf({ event, text, is_digest, ...delivery }: Delivery): string {
  if (event) return namesIn(delivery).join(' · ');
  const [first = '', ...others] = text.trim().split(/\n(?:- )?/);
  return withMinus((is_digest ? others.join(' · ') : first).slice(0, LONGEST));
}

/** Of what an event is about, and where it happened; an id if there is no name. */
function namesIn({ subject_id, subject_name, source_id, source_name }: EventPlace): string[] {
  const [subject, source] = [subject_name ?? `#${subject_id}`, source_name ?? `#${source_id}`];
  return source_id === null || source === subject ? [subject] : [subject, source];
}

/** The name of a delivery's trigger, or its id if it was deleted. */
export function triggerNameOf({ trigger_id, trigger_name }: Pick<Delivery, 'trigger_id' | 'trigger_name'>): string {
  return trigger_name ?? withoutName('trigger', trigger_id);
}

/** The name of a delivery's sensor with what distinguishes it, otherwise its id. */
export function sensorNameOf(
  { sensor_id, sensor_name }: Pick<Delivery, 'sensor_id' | 'sensor_name'>,
  { sensors }: SensorNames,
): string {
  return sensors.get(sensor_id ?? '') ?? sensor_name ?? withoutName('sensor', sensor_id);
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
