import { t } from '../../language';
import { useResource } from '../../use-resource';
import { LOADERS } from '../names';
import { Offered } from './conditions';

interface ZoneFieldProps {
  label: string;
  value: string;
  onValue: (zone: string) => void;
}

/** The name of an environment with an outline. The user may type a name before the outline is drawn. */
export function ZoneField({ label, value, onValue }: ZoneFieldProps) {
  const { data = [] } = useResource('environments', LOADERS.environment);
  return (
    <Offered
      label={label}
      required
      placeholder="yard"
      title={t('The name of an environment with an outline')}
      maxLength={255}
      value={value}
      offered={data.map(([, name]) => name)}
      onValue={(typed) => onValue(typed.replace(/["\\]/g, ''))}
    />
  );
}
