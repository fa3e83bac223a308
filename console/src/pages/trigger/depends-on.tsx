import type { Records } from '../../api';
import { t } from '../../language';
import { Field, Select } from '../../ui/form';
import { useResource } from '../../use-resource';
import { LOADERS } from '../names';
import { Offered } from './conditions';

type Dependency = Records['DependencyView'];

interface DependsOnProps {
  /** Undefined for a new trigger. */
  id: string | undefined;
  value: Dependency | null;
  onValue: (value: Dependency | null) => void;
}

/** Chooses another trigger: while that one has an open alert, alerts of the edited trigger are held. */
export function DependsOn({ id, value, onValue }: DependsOnProps) {
  const { data: triggers = [] } = useResource('own triggers', LOADERS.trigger);
  const others = triggers.filter(([one]) => one !== id);
  const sensor = value?.sensor;
  return (
    <>
      <Select
        label={t('Depends on')}
        hint={value ? t('While that fires, alerts of this trigger are held.') : undefined}
        value={value?.trigger_id ?? ''}
        onValue={(trigger_id) => onValue(trigger_id ? { sensor: 'same', wait: 0, ...value, trigger_id } : null)}
        options={[['', t('no other trigger')], ...others]}
      />
      {value && sensor && (
        <>
          <Select
            label={t('Which fires on')}
            value={sensor === 'same' ? sensor : ''}
            onValue={(same) => onValue({ ...value, sensor: same ? 'same' : { label: '' } })}
            options={[
              ['same', t('the same sensor')],
              ['', t('a sensor with the same metatag')],
            ]}
          />
          {sensor !== 'same' && (
            <Offered
              label={t('Metatag')}
              required
              placeholder="gateway"
              maxLength={32}
              value={sensor.label}
              offered={[]}
              onValue={(label) => onValue({ ...value, sensor: { label } })}
            />
          )}
          <Field
            label={t('Waits for it, in seconds')}
            type="number"
            min={0}
            value={String(value.wait)}
            onValue={(wait) => onValue({ ...value, wait: Number(wait) })}
          />
        </>
      )}
    </>
  );
}
