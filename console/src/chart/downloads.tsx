import type { RefObject } from 'preact';
import { ROOT } from '../api';
import { formatDate, TIME_ZONE } from '../format';
import { LOCALE, t } from '../language';
import { spreadsheetQuery } from '../spreadsheet';
import { Action } from '../ui/action';
import { DialogButton } from '../ui/dialog';
import { DownloadCsv } from '../ui/download-csv';
import { saveFile } from '../ui/save-file';
import type { Range } from './points';
import type { Charted } from './shape';

/** Columns with the names and units of the sensors, as a spreadsheet reads them. */
export const FOR_SPREADSHEETS = `columns=sensors&${spreadsheetQuery(TIME_ZONE, LOCALE)}`;

interface DownloadProps {
  sensors: readonly Charted[];
  range: Range;
  /** The element of the chart. */
  place: RefObject<HTMLElement | null>;
}

/** Downloads what a chart shows: a picture of it, and the stored points of its range. */
export function Downloads({ sensors, range, place }: DownloadProps) {
  const title = sensors.map(({ name }) => name).join(', ');
  const subtitle = `${formatDate(range.from)} – ${formatDate(range.to)}`;
  const picture = async () => {
    const { pictureOf } = await import('./picture');
    if (place.current) saveFile(await pictureOf(place.current, title, subtitle), `${title}.png`);
  };
  return (
    <DialogButton text={t('Download')} title={t('Download what the chart shows')} kind="small-button">
      {(close) => (
        <div class="stack">
          <p class="quiet numbers">{subtitle}</p>
          <div class="line spread">
            <span>{t('The chart as a picture')}</span>
            <Action kind="small-button" act={picture}>
              PNG
            </Action>
          </div>
          {sensors.map(({ id, name }) => (
            <div key={id} class="line spread">
              <span class="breakable">{t('Values of {name}', { name })}</span>
              <span class="actions">
                <CsvLink {...{ id, name, range }} query="dates=iso" text="CSV" />
                <CsvLink {...{ id, name, range }} query={FOR_SPREADSHEETS} text={t('CSV for Excel')} />
              </span>
            </div>
          ))}
          {sensors.length > 1 && (
            <div class="line spread">
              <span>{t('All values in one file')}</span>
              <DownloadCsv
                kind="small-button"
                path="sensors/data"
                query={{ ...limitsOf(range), sensor_id: sensors.map(({ id }) => id), columns: 'sensors' }}
                text={t('CSV for Excel')}
              />
            </div>
          )}
          <div class="actions">
            <button type="button" class="button quiet-button" onClick={close}>
              {t('Close')}
            </button>
          </div>
        </div>
      )}
    </DialogButton>
  );
}

interface CsvProps {
  id: string;
  name: string;
  /** All points if absent. */
  range?: Range;
  /** Parameters of the format. */
  query: string;
  text: string;
}

/** A link that downloads the stored points of a sensor. */
export function CsvLink({ id, name, range, query, text }: CsvProps) {
  const limits = range ? `&${new URLSearchParams(limitsOf(range))}` : '';
  return (
    <a
      class="button small-button"
      href={`${ROOT}sensors/${id}/data.csv?${query}${limits}`}
      download={`${name}.csv`}
      aria-label={`${text}: ${name}`}
    >
      {text}
    </a>
  );
}

function limitsOf({ from, to }: Range) {
  return { start_date: from.toFixed(3), end_date: to.toFixed(3) };
}
