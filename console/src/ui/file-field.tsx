import { useId, useRef, useState } from 'preact/hooks';
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
      <FileInput
        id={id}
        accept=".csv,.txt,.tsv,.dat,.json,.ndjson,.jsonl,.xlsx,.gz,text/csv,text/plain,application/json"
        onFile={onFile}
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

interface InputProps {
  /** Its hint has this id and `-hint`. */
  id: string;
  accept: string;
  isDisabled?: boolean;
  onFile: (file: File | undefined) => void;
}

/** A field for a file, in the language of the console: that of a browser is in the browser's. */
export function FileInput({ id, accept, isDisabled, onFile }: InputProps) {
  const input = useRef<HTMLInputElement>(null);
  const [name, setName] = useState('');
  return (
    <div class="line file">
      <input
        ref={input}
        id={id}
        class="only-read"
        type="file"
        accept={accept}
        disabled={isDisabled}
        aria-describedby={`${id}-hint`}
        onChange={({ currentTarget }) => {
          const [file] = currentTarget.files ?? [];
          setName(file?.name ?? '');
          onFile(file);
        }}
      />
      <button
        type="button"
        class="button small-button"
        tabIndex={-1}
        aria-hidden="true"
        disabled={isDisabled}
        onClick={() => input.current?.click()}
      >
        {t('Choose a file')}
      </button>
      <span class="small quiet breakable" aria-hidden="true">
        {name || t('No file chosen')}
      </span>
    </div>
  );
}
