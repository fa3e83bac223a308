import { t } from '../language';
import { Select } from './form';

const LENGTHS = [
  ['3600', t('an hour')],
  ['28800', t('8 hours')],
  ['86400', t('a day')],
  ['604800', t('a week')],
] as const;

/** How many seconds a mute lasts. */
export function MuteLength(props: { value: string; onValue: (seconds: string) => void }) {
  return <Select label={t('For|duration')} options={LENGTHS} {...props} />;
}
