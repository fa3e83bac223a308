import { formatDate, formatDuration } from '../format';
import { t } from '../language';
import { State } from './state';

/** Says how long a sensor has had no data; without a date it has never had any. */
export function NoData({ since }: { since: number | undefined }) {
  return (
    <span title={since === undefined ? undefined : formatDate(since)}>
      <State of="inactive">{noDataText(since)}</State>
    </span>
  );
}

export function noDataText(since: number | undefined): string {
  if (since === undefined) return t('no data yet');
  return t('no data for {time}', { time: formatDuration(Math.max(0, Date.now() / 1000 - since), 1) });
}
