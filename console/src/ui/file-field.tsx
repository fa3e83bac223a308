import { useId } from 'preact/hooks';

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
        accept=".csv,.txt,.tsv,text/csv,text/plain"
        aria-describedby={`${id}-hint`}
        onChange={({ currentTarget }) => onFile(currentTarget.files?.[0])}
      />
      <span class="hint" id={`${id}-hint`}>
        {optional && 'Optional. '}CSV with a date and a value in each line; several columns of values make a JSON value
        with fields. You see what is understood before anything is stored.
      </span>
    </div>
  );
}
