import { formatDate, formatDuration } from '../format';
import { t } from '../language';
import { Status } from './page';

/** Says how long a sensor has been without data; without a date it has never had any. */
export function NoData({ since }: { since: number | undefined }) {
  if (since === undefined) return <Status>{t('no data yet')}</Status>;
  const time = formatDuration(Math.max(0, Date.now() / 1000 - since), 1);
  return (
    <span title={formatDate(since)}>
      <Status kind="warn">{t('no data for {time}', { time })}</Status>
    </span>
  );
}
