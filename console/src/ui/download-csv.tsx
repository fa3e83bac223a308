import { ROOT } from '../api';
import { TIME_ZONE } from '../format';
import { LOCALE, t } from '../language';
import { spreadsheetQuery } from '../spreadsheet';

type Value = string | number | boolean | undefined;

interface DownloadProps {
  /** Under the address of the platform, without `.csv`. */
  path: string;
  query: Readonly<Record<string, Value | readonly string[]>>;
  kind?: string;
  text?: string;
}

/** A link that downloads lines in the form that a spreadsheet of the user's language reads. */
export function DownloadCsv({ path, query, kind = '', text = t('Download as CSV') }: DownloadProps) {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    for (const one of [value].flat()) if (one !== undefined && one !== '') search.append(name, String(one));
  }
  return (
    <a class={`button ${kind}`} href={`${ROOT}${path}.csv?${search}&${spreadsheetQuery(TIME_ZONE, LOCALE)}`} download>
      {text}
    </a>
  );
}
