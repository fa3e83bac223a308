import { useId } from 'preact/hooks';
import { t } from '../language';

/** A field for a file of dates and values. */
export function DataFileField({
  label,
  optional = false,
  onFile,
}: {
  label: string;
  optional?: boolean;
  onFile: (file: File | undefined) => void;
}) {
  const id = useId();
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <input
        id={id}
        class="input"
        type="file"
        accept=".csv,.txt,.tsv,.dat,.json,.ndjson,.jsonl,.xlsx,.gz,text/csv,text/plain,application/json"
        aria-describedby={`${id}-hint`}
        onChange={({ currentTarget }) => onFile(currentTarget.files?.[0])}
      />
      <span class="hint" id={`${id}-hint`}>
        {optional && `${t('Optional.')} `}
        {t(
          'CSV, XLSX or JSON with a date and a value in each line, also packed by gzip. Several columns of values become the fields of a JSON value. You can check how the file is read before anything is stored.',
        )}
      </span>
    </div>
  );
}
