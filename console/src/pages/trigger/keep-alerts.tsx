import { many, t } from '../../language';
import { Check } from '../../ui/form';

/** The choice between keeping and ending open alerts at an edit; nothing if there are none. */
export function KeepAlerts({ open, keep, onKeep }: { open: number; keep: boolean; onKeep: (keep: boolean) => void }) {
  if (!open) return null;
  return (
    <Check
      label={many(open, 'Keep the open alert', 'Keep the {n} open alerts')}
      hint={t('Nobody is notified because of the edit: the new rule takes over.')}
      checked={keep}
      onChecked={onKeep}
    />
  );
}
