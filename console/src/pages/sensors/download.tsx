import { useState } from 'preact/hooks';
import { t } from '../../language';
import { DownloadCsv } from '../../ui/download-csv';
import { Select } from '../../ui/form';
import { RangeChoice, rangeOf } from '../../ui/range-choice';
import { MOST_IDS } from './load';

/** Downloads the values of several sensors as one file with a column for each of them. */
export function Download({ ids, close }: { ids: readonly string[]; close: () => void }) {
  const [range, setRange] = useState('last-week');
  const [every, setEvery] = useState('');
  const { from, to } = rangeOf(range);
  const query = { sensor_id: ids, columns: 'sensors', start_date: from, end_date: to - 0.001, interval: every };
  return (
    <div class="form">
      <RangeChoice value={range} onValue={setRange} />
      <Select
        label={t('Values')}
        value={every}
        options={[
          ['', t('All values')],
          ['3600', t('Means of hours')],
          ['86400', t('Means of days')],
        ]}
        onValue={setEvery}
      />
      {ids.length > MOST_IDS && <p class="problem">{t('Choose at most {n} sensors.', { n: MOST_IDS })}</p>}
      <div class="actions">
        {ids.length <= MOST_IDS && <DownloadCsv kind="primary" path="sensors/data" query={query} />}
        <button type="button" class="button quiet-button" onClick={close}>
          {t('Close')}
        </button>
      </div>
    </div>
  );
}
