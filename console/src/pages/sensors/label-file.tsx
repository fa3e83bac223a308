import { useMemo, useRef, useState } from 'preact/hooks';
import { TableFile } from '../../csv/table-file';
import { formatList } from '../../format';
import { LOCALE, many, t } from '../../language';
import type { Tags } from '../../search/find';
import { hasDecimalComma } from '../../spreadsheet';
import { DataFileField } from '../../ui/file-field';
import { Problem } from '../../ui/page';
import { saveFile } from '../../ui/save-file';
import type { BulkOutcome } from './bulk';
import { Outcome } from './change-sensors';
import { LabelPlanForm, LeftOut } from './label-plan';
import { KEYS, type LabelFile, type LabelPlan, MOST_ROWS, readLabels, writeLabels } from './label-table';
import type { Sensor } from './load';
import { TAG } from './view';

interface LabelFilesProps {
  all: readonly Sensor[];
  /** The sensors that a search found. */
  found: readonly Sensor[];
  tags: Tags;
  /** The keys of the columns that the table shows. */
  columns: readonly string[];
  reload: () => void;
  close: () => void;
}

/** The labels of sensors as a file, and a file that changes them. */
export function LabelFiles(props: LabelFilesProps) {
  const { all, tags, reload, close } = props;
  const [file, setFile] = useState<{ table?: LabelFile; error?: unknown }>({});
  const [stored, setStored] = useState<{ outcome: BulkOutcome; plan: LabelPlan }>();
  const latest = useRef<File | undefined>(undefined);
  const take = async (chosen: File | undefined) => {
    latest.current = chosen;
    const next = chosen ? await tableOf(chosen) : {};
    if (latest.current === chosen) setFile(next);
  };
  const read = useMemo(() => planOf(file.table, all, tags), [file, all, tags]);
  const error = file.error ?? read.error;
  if (stored) {
    return (
      <div class="form">
        <LeftOut plan={stored.plan} />
        <Outcome outcome={stored.outcome} sensors={all} close={close} />
      </div>
    );
  }
  return (
    <div class="form">
      <Download {...props} />
      <DataFileField
        label={t('Labels from a file')}
        hint={t(
          'CSV or XLSX. The first line names the columns: id or name, and metatags such as limit or shop:limit. Empty cells change nothing.',
        )}
        onFile={take}
      />
      {error !== undefined && <Problem error={error} />}
      {read.plan && (
        <LabelPlanForm
          key={file}
          plan={read.plan}
          onStored={(outcome, plan) => setStored({ outcome, plan })}
          reload={reload}
          close={close}
        />
      )}
    </div>
  );
}

async function tableOf(file: File): Promise<{ table?: LabelFile; error?: unknown }> {
  try {
    const opened = await TableFile.open(file, KEYS);
    // The heading, and a row too many, which is refused.
    const table = await opened.table(MOST_ROWS + 2).finally(() => opened.close());
    return { table };
  } catch (error) {
    return { error };
  }
}

function planOf(table: LabelFile | undefined, all: readonly Sensor[], tags: Tags) {
  try {
    return table ? { plan: readLabels(table, all, tags) } : {};
  } catch (error) {
    return { error };
  }
}

/** The found sensors that can be changed, with the metatags that the table shows; with all if it shows none. */
function Download({ found, tags, columns }: LabelFilesProps) {
  const own = found.filter(({ owner }) => !owner);
  const names = [...tags.keys()];
  const shown = names.filter((name) => columns.includes(TAG + name));
  const chosen = shown.length > 0 ? shown : names;
  const download = () => {
    const text = writeLabels(own, chosen, tags, hasDecimalComma(LOCALE) ? ';' : ',');
    saveFile(new Blob([`\ufeff${text}`], { type: 'text/csv' }), 'labels.csv');
  };
  return (
    <div class="stack tight">
      <div class="actions">
        <button type="button" class="button" disabled={own.length === 0} onClick={download}>
          {many(own.length, 'Download {n} sensor as CSV', 'Download {n} sensors as CSV')}
        </button>
      </div>
      <span class="hint">
        {t('Your sensors that the search finds, with the columns of the table: {names}.', {
          names: formatList(['id', 'name', ...chosen]),
        })}
      </span>
    </div>
  );
}
