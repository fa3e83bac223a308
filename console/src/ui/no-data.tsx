import { formatDate, formatDuration } from '../format';
import { t } from '../language';
import { Status } from './page';

/** Says how long a sensor has had no data; without a date it has never had any. */
export function NoData({ since }: { since: number | undefined }) {
  if (since === undefined) return <Status>{noDataText(since)}</Status>;
  return (
    <span title={formatDate(since)}>
      <Status kind="warn">{noDataText(since)}</Status>
    </span>
  );
}

export function noDataText(since: number | undefined): string {
  if (since === undefined) return t('no data yet');
  return t('no data for {time}', { time: formatDuration(Math.max(0, Date.now() / 1000 - since), 1) });
}
