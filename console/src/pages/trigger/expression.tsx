import { useId, useRef } from 'preact/hooks';
import { t } from '../../language';
import { textOf } from '../../ui/form';
import { variableOf } from './built-rule';
import type { Mistake } from './rule';

const NAMES = [
  'sensor_data_value',
  'last_sensor_data_value',
  'sensor_data_date',
  'last_sensor_data_date',
  'last_triggered',
  'times_triggered',
  'current_time',
];
const WORDS = [
  'and',
  'or',
  'not',
  'in',
  'abs()',
  'round()',
  'min()',
  'max()',
  'sqrt()',
  'length()',
  'contains()',
  'hour()',
  'day_of_week()',
];

interface ExpressionProps {
  label: string;
  hint?: string;
  placeholder: string;
  value: string;
  onValue: (value: string) => void;
  mistake: Mistake | undefined;
  /** The fields of the sensor's values; undefined if no names are offered. */
  fields?: readonly string[];
}

/** A condition of a trigger: the position of an error is underlined, and names can be inserted by a click. */
export function Expression({ label, hint, placeholder, value, onValue, mistake, fields }: ExpressionProps) {
  const id = useId();
  const area = useRef<HTMLTextAreaElement>(null);
  const insert = (name: string) => {
    const { selectionStart = value.length, selectionEnd = value.length } = area.current ?? {};
    const before = value.slice(0, selectionStart);
    const text = `${before && !/[\s(]$/.test(before) ? ' ' : ''}${name}`;
    onValue(before + text + value.slice(selectionEnd));
    const at = selectionStart + text.length - (name.endsWith(')') ? 1 : 0);
    requestAnimationFrame(() => {
      area.current?.focus();
      area.current?.setSelectionRange(at, at);
    });
  };
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <div class="expression">
        <Mirror value={value} position={mistake?.position} />
        <textarea
          id={id}
          ref={area}
          value={value}
          onInput={(event) => onValue(textOf(event))}
          placeholder={placeholder}
          spellcheck={false}
          autocapitalize="none"
          maxLength={2000}
          rows={fields ? 3 : 2}
          aria-invalid={mistake !== undefined}
          aria-describedby={hint ? `${id}-mistake ${id}-hint` : `${id}-mistake`}
        />
      </div>
      <MistakeText id={`${id}-mistake`} mistake={mistake} />
      {hint && (
        <span class="hint" id={`${id}-hint`}>
          {hint}
        </span>
      )}
      {fields && <Names fields={fields} insert={insert} />}
    </div>
  );
}

/** The text of an error, announced by screen readers. */
export function MistakeText({ id, mistake }: { id?: string; mistake: Mistake | undefined }) {
  return (
    <span class="problem" id={id} aria-live="polite">
      {mistake && (
        <>
          {mistake.position !== undefined && `${t('Character {n}', { n: mistake.position + 1 })}: `}
          {mistake.text}
        </>
      )}
    </span>
  );
}

/** The names for an expression, each inserted by a click. */
function Names({ fields, insert }: { fields: readonly string[]; insert: (name: string) => void }) {
  return (
    <div class="tags">
      {[...fields.map(variableOf), ...NAMES, ...WORDS].map((name) => (
        <button key={name} type="button" class="tag" onClick={() => insert(name)}>
          {name}
        </button>
      ))}
    </div>
  );
}

/** The same text behind the field, with a line under the wrong word. */
function Mirror({ value, position }: { value: string; position: number | undefined }) {
  if (position === undefined) return null;
  const word = /^(?:[\w.]+|[^\w\s]+)/.exec(value.slice(position))?.[0] ?? ' ';
  return (
    <div class="mirror" aria-hidden="true">
      {value.slice(0, position)}
      <mark>{word}</mark>
      {value.slice(position + word.length)}
    </div>
  );
}
