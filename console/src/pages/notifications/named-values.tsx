import { useId } from 'preact/hooks';
import { t } from '../../language';
import { FieldProblem, textOf } from '../../ui/form';
import type { NamedValue } from './draft';

/** Rows of names and values. Values are not shown; a stored one can only be replaced or removed. */
export function NamedValues({
  label,
  one,
  add,
  hint,
  values,
  onValues,
  problem,
}: {
  label: string;
  /** Which one, by its number. */
  one: (n: number) => string;
  add: string;
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
          what={one(at + 1)}
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
          {add}
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
        aria-label={t('Name of {what}', { what })}
        placeholder={t('Name')}
        value={name}
        required
        readOnly={value === undefined}
        onInput={(event) => onValue({ name: textOf(event), value })}
      />
      {value === undefined ? (
        <button
          type="button"
          class="button small-button"
          aria-label={t('Replace {name}', { name: title })}
          onClick={() => onValue({ name, value: '' })}
        >
          {t('Replace')}
        </button>
      ) : (
        <input
          class="input"
          type="password"
          autocomplete="new-password"
          aria-label={t('Value of {name}', { name: title })}
          placeholder={t('Value')}
          value={value}
          required
          onInput={(event) => onValue({ name, value: textOf(event) })}
        />
      )}
      <button
        type="button"
        class="button small-button"
        aria-label={t('Remove {name}', { name: title })}
        onClick={onRemove}
      >
        {t('Remove')}
      </button>
    </div>
  );
}
