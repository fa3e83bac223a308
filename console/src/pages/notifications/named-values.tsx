import { useId } from 'preact/hooks';
import { FieldProblem, textOf } from '../../ui/form';
import type { NamedValue } from './draft';

/** Rows of names and values. Values are not shown; a stored one can only be replaced or removed. */
export function NamedValues({
  label,
  one,
  hint,
  values,
  onValues,
  problem,
}: {
  label: string;
  /** The name of one of them. */
  one: string;
  hint: string;
  values: readonly NamedValue[];
  onValues: (values: NamedValue[]) => void;
  problem: string | undefined;
}) {
  const id = useId();
  return (
    <fieldset class="field plain" aria-describedby={id}>
      <legend class="label">{label}</legend>
      {values.map((value, at) => (
        <Row
          // The rows have no other identity than their place.
          key={at}
          what={`${one} ${at + 1}`}
          value={value}
          onValue={(changed) => onValues(values.map((other, index) => (index === at ? changed : other)))}
          onRemove={() => onValues(values.filter((_, index) => index !== at))}
        />
      ))}
      {problem !== undefined && <FieldProblem>{problem}</FieldProblem>}
      <div>
        <button
          type="button"
          class="button small-button"
          onClick={() => onValues([...values, { name: '', value: '' }])}
        >
          Add a {one}
        </button>
      </div>
      <span class="hint" id={id}>
        {hint}
      </span>
    </fieldset>
  );
}

interface RowProps {
  what: string;
  value: NamedValue;
  onValue: (value: NamedValue) => void;
  onRemove: () => void;
}

function Row({ what, value: { name, value }, onValue, onRemove }: RowProps) {
  const title = name || what;
  return (
    <div class="named-value">
      <input
        class="input mono"
        aria-label={`Name of ${what}`}
        placeholder="Name"
        value={name}
        required
        readOnly={value === undefined}
        onInput={(event) => onValue({ name: textOf(event), value })}
      />
      {value === undefined ? (
        <button
          type="button"
          class="button small-button"
          aria-label={`Replace ${title}`}
          onClick={() => onValue({ name, value: '' })}
        >
          Replace
        </button>
      ) : (
        <input
          class="input"
          type="password"
          autocomplete="new-password"
          aria-label={`Value of ${title}`}
          placeholder="Value"
          value={value}
          required
          onInput={(event) => onValue({ name, value: textOf(event) })}
        />
      )}
      <button type="button" class="button small-button" aria-label={`Remove ${title}`} onClick={onRemove}>
        Remove
      </button>
    </div>
  );
}
