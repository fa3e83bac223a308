import { useId } from 'preact/hooks';
import { t } from '../language';

/** A field for a file with a table, of dates and values by default. */
export function DataFileField({
  label,
  optional = false,
  hint,
  onFile,
}: {
  label: string;
  optional?: boolean;
  /** What the file holds, instead of dates and values. */
  hint?: string;
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
        {hint ??
          t(
            'CSV, XLSX or JSON with a date and a value in each line, also packed by gzip. Several columns of values become the fields of a JSON value. You can check how the file is read before anything is stored.',
          )}
      </span>
    </div>
  );
}
