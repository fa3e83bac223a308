import { t } from '../../language';
import { Select } from '../../ui/form';
import { useResource } from '../../use-resource';
import { LOADERS } from '../names';

/** Chooses the group whose members see the alerts; nothing for users without groups. */
export function ShownTo({ value, onValue }: { value: string; onValue: (group: string) => void }) {
  const { data: groups = [] } = useResource('own groups', LOADERS.group);
  if (groups.length === 0) return null;
  return (
    <Select
      label={t('Alerts are shown to')}
      hint={value ? t('Its members who may see alerts.') : undefined}
      value={value}
      onValue={onValue}
      options={[['', t('nobody else')], ...groups]}
    />
  );
}
