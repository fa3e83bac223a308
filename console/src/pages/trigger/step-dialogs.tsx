import { useState } from 'preact/hooks';
import type { Records } from '../../api';
import { nameOf } from '../../destination';
import { t } from '../../language';
import { DurationField } from '../../ui/duration-field';
import { Form, Select } from '../../ui/form';
import { useResource } from '../../use-resource';
import { fullName } from '../sensors/differences';
import { loadSensors } from '../sensors/load';
import { delayOnAll, type Step } from './escalation';

type Notification = Records['NotificationView'];

/** The longest delay of a step, in seconds. */
const LONGEST = 604_800;
const ALL_SENSORS = '';

interface AddProps {
  list: readonly Notification[];
  steps: readonly Step[];
  /** The sensors of the trigger. */
  sensors: readonly string[];
  onDone: (step: Step) => void;
  onCancel: () => void;
}

/** The form of a new step: the notification, its delay, and its sensors. */
export function AddStep({ list, steps, sensors, onDone, onCancel }: AddProps) {
  const unused = list.find(({ id }) => !steps.some(({ notification }) => notification === id));
  const [notification, setNotification] = useState((unused ?? list[0])?.id ?? '');
  const [after, setAfter] = useState('');
  const [sensor, setSensor] = useState(ALL_SENSORS);
  const add = async () => {
    const delay = requireDelay(after);
    if (sensor !== ALL_SENSORS && (delayOnAll(steps, notification) ?? Number.POSITIVE_INFINITY) <= delay) {
      throw new Error(t('It is already a step on all sensors, and the shorter delay counts.'));
    }
    onDone({ notification, after: delay, sensor: sensor === ALL_SENSORS ? undefined : sensor });
  };
  return (
    <Form label={t('Add')} submit={add} onCancel={onCancel}>
      <Select
        label={t('To')}
        value={notification}
        onValue={setNotification}
        options={list.map((one) => [one.id, nameOf(one)] as const)}
      />
      <Delay value={after} onValue={setAfter} />
      {sensors.length > 1 && <SensorChoice sensors={sensors} value={sensor} onValue={setSensor} />}
    </Form>
  );
}

/** The form of the delay of a step. */
export function ChangeDelay({
  after,
  onDone,
  onCancel,
}: {
  after: number;
  onDone: (after: number) => void;
  onCancel: () => void;
}) {
  const [text, setText] = useState(after === 0 ? '' : String(after));
  return (
    <Form label={t('Change')} submit={async () => onDone(requireDelay(text))} onCancel={onCancel}>
      <Delay value={text} onValue={setText} />
    </Form>
  );
}

function Delay({ value, onValue }: { value: string; onValue: (seconds: string) => void }) {
  return (
    <DurationField
      label={t('After')}
      hint={t('Empty: at once. A later step comes only if the alert still lasts and is not acknowledged.')}
      value={value}
      onValue={onValue}
    />
  );
}

/** The delay in seconds. Throws if it is too long. */
function requireDelay(text: string): number {
  const delay = Number(text);
  if (delay > LONGEST) throw new Error(t('A step can come at most 7 days after the start of an alert.'));
  return delay;
}

function SensorChoice({
  sensors,
  value,
  onValue,
}: {
  sensors: readonly string[];
  value: string;
  onValue: (id: string) => void;
}) {
  const all = useResource('sensors of a step', () => loadSensors());
  const own = (all.data ?? []).filter(({ id }) => sensors.includes(id));
  return (
    <Select
      label={t('On')}
      value={value}
      onValue={onValue}
      options={[
        [ALL_SENSORS, t('All its sensors, including later ones')],
        ...own.map((one) => [one.id, t('Only {name}', { name: fullName(one) })] as const),
      ]}
    />
  );
}
