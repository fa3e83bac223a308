import type { ComponentChildren } from 'preact';
import { useEffect, useId, useRef, useState } from 'preact/hooks';
import { messageOf } from '../api';
import { t } from '../language';
import { unsaved } from '../unsaved';
import { useAction } from './action';

/** A form that sends one request at a time, and shows the reason of a refusal. */
export function Form({
  submit,
  children,
  label,
  onCancel,
  kind = 'primary',
  ready = true,
  missing,
}: {
  submit: () => Promise<void>;
  children: ComponentChildren;
  /** Text of the button. */
  label: string;
  onCancel?: () => void;
  kind?: string;
  /** True if there is something to send. */
  ready?: boolean;
  /** What to do while there is nothing to send. */
  missing?: string | false;
}) {
  const { busy, error, run } = useAction();
  const form = useRef({}).current;
  const onSubmit = (event: Event) => {
    event.preventDefault();
    void run(async () => {
      await submit();
      unsaved.delete(form);
    });
  };
  useEffect(() => () => void unsaved.delete(form), [form]);
  return (
    <form class="form" onSubmit={onSubmit} onInput={() => unsaved.add(form)}>
      {error !== undefined && <Refusal error={error} />}
      {children}
      <div class="actions">
        <button type="submit" class={`button ${kind}`} disabled={busy || !ready}>
          {label}
        </button>
        {onCancel && (
          <button type="button" class="button quiet-button" onClick={onCancel}>
            {t('Cancel')}
          </button>
        )}
        {!ready && missing && <span class="hint">{missing}</span>}
      </div>
    </form>
  );
}

/** The reason of a refusal, scrolled into view: the button may be far below. */
export function Refusal({ error }: { error: unknown }) {
  const place = useRef<HTMLParagraphElement>(null);
  useEffect(() => place.current?.scrollIntoView({ block: 'nearest' }), [error]);
  return (
    <p ref={place} class="message error" role="alert">
      {messageOf(error)}
    </p>
  );
}

export interface FieldProps {
  label: string;
  hint?: ComponentChildren;
  value: string;
  onValue: (value: string) => void;
  type?: 'text' | 'password' | 'email' | 'url' | 'number' | 'time';
  required?: boolean;
  autocomplete?: string;
  placeholder?: string;
  min?: number;
  step?: number | 'any';
  rows?: number;
  maxLength?: number;
  /** Why the value was refused. */
  problem?: string | undefined;
  /** True for code, in letters of one width. */
  isCode?: boolean;
  inputMode?: 'decimal';
  /** What browsers require of the text, and say if it differs. */
  pattern?: string | undefined;
  title?: string | undefined;
}

/** A field for text; with several lines if `rows` is given. */
export function Field({ label, hint, value, onValue, rows, problem: known, isCode, ...rest }: FieldProps) {
  const id = useId();
  const [refused, setRefused] = useState<{ value: string; why: string }>();
  const problem = known ?? (refused?.value === value ? refused.why : undefined);
  const attributes: object = { type: 'text', ...rest }; // each type of field has different props
  const shared = {
    id,
    class: isCode ? 'input mono' : 'input',
    value,
    ...(isCode && { spellcheck: false }),
    ...(problem !== undefined && { 'aria-invalid': true }),
    'aria-describedby': [problem && `${id}-problem`, hint && `${id}-hint`].filter(Boolean).join(' ') || undefined,
    onInput: (event: Event) => onValue(textOf(event)),
    onInvalid: (event: Event) => setRefused({ value, why: refusalOf(event) }),
  };
  return (
    <div class="field">
      <label for={id}>{label}</label>
      {rows ? <textarea {...shared} {...rest} rows={rows} /> : <input {...shared} {...attributes} />}
      {problem !== undefined && <FieldProblem id={`${id}-problem`}>{problem}</FieldProblem>}
      {hint && (
        <span class="hint" id={`${id}-hint`}>
          {hint}
        </span>
      )}
    </div>
  );
}

/** Why the browser does not send a field: said in the form, in its language. The first such field gets the focus. */
function refusalOf(event: Event): string {
  event.preventDefault();
  const { form, validity, title, validationMessage } = event.target as HTMLInputElement; // or a text area, alike
  form?.querySelector<HTMLElement>('.input:invalid')?.focus();
  return validity.valueMissing ? t('Please fill this in.') : title || validationMessage;
}

/** The attributes of a field that browsers refuse to send if there is a reason. */
export function refusing(reason: string | undefined) {
  return { pattern: reason === undefined ? '.*' : '(?!)', title: reason };
}

/** Why a field was refused, scrolled into view. */
export function FieldProblem({ id, children }: { id?: string; children: ComponentChildren }) {
  const place = useRef<HTMLSpanElement>(null);
  useEffect(() => place.current?.scrollIntoView({ block: 'nearest' }), [children]);
  return (
    <span ref={place} class="problem" id={id} role="alert">
      {children}
    </span>
  );
}

/** The text of the field that an event is about. */
export function textOf(event: Event): string {
  const { target } = event;
  const isField =
    target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement || target instanceof HTMLSelectElement;
  return isField ? target.value : '';
}

/** A drop-down list. */
export function Select({
  label,
  value,
  onValue,
  options,
  hint,
}: {
  label: string;
  value: string;
  onValue: (value: string) => void;
  options: readonly (readonly [value: string, text: string])[];
  hint?: string;
}) {
  const id = useId();
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <select id={id} class="input" value={value} onChange={(event) => onValue(textOf(event))}>
        {options.map(([key, text]) => (
          <option key={key} value={key}>
            {text}
          </option>
        ))}
      </select>
      {hint && <span class="hint">{hint}</span>}
    </div>
  );
}

/** A check box. */
export function Check({
  label,
  checked,
  isMixed = false,
  isDisabled = false,
  onChecked,
  hint,
}: {
  label: ComponentChildren;
  checked: boolean;
  /** True for a box of several things that are not all alike. */
  isMixed?: boolean;
  isDisabled?: boolean;
  onChecked: (checked: boolean) => void;
  hint?: string;
}) {
  return (
    <label class="check">
      <input
        type="checkbox"
        checked={checked}
        indeterminate={isMixed}
        disabled={isDisabled}
        onChange={(event) => onChecked(event.target instanceof HTMLInputElement && event.target.checked)}
      />
      <span>
        {label}
        {hint && <span class="hint"> {hint}</span>}
      </span>
    </label>
  );
}

/** A few options, all visible. */
export function Choices<T extends string>({
  label,
  value,
  options,
  onValue,
}: {
  label: string;
  value: T | undefined;
  options: readonly (readonly [value: T, text: string])[];
  onValue: (value: T) => void;
}) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset cannot be laid out in a line everywhere
    <div class="choices" role="group" aria-label={label}>
      {options.map(([key, text]) => (
        <button key={key} type="button" aria-pressed={key === value} onClick={() => onValue(key)}>
          {text}
        </button>
      ))}
    </div>
  );
}
