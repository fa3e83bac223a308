import { useId, useState } from 'preact/hooks';
import { type PlainText, t } from '../language';
import { readTyped, showTyped, typedProblem } from '../typed-number';
import { FieldProblem, refusing, textOf } from './form';

const UNITS = [
  ['1', 'seconds'],
  ['60', 'minutes'],
  ['3600', 'hours'],
  ['86400', 'days'],
] as const satisfies readonly (readonly [seconds: string, name: PlainText])[];

interface DurationProps {
  label: string;
  hint?: string;
  required?: boolean;
  /** Seconds, as text; empty for none. */
  value: string;
  onValue: (seconds: string) => void;
  /** The unit of an empty field, in seconds; minutes by default. */
  unit?: (typeof UNITS)[number][0];
  /** Why the value was refused. */
  problem?: string | undefined;
}

/** A field for a duration, with its unit. */
export function DurationField({ label, hint, required, value, onValue, unit: first = '60', ...rest }: DurationProps) {
  const id = useId();
  const [unit, setUnit] = useState<string>(() => unitOf(Number(value)) ?? first);
  const [text, setText] = useState(() => (Number(value) > 0 ? showTyped(String(Number(value) / Number(unit))) : ''));
  const unclear = typedProblem(text.replace(/^-/, 'x'));
  const problem = unclear ?? rest.problem;
  const change = (nextText: string, nextUnit: string) => {
    setText(nextText);
    setUnit(nextUnit);
    const seconds = Math.round(Number(readTyped(nextText)) * Number(nextUnit));
    onValue(seconds > 0 ? String(seconds) : '');
  };
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <div class="duration">
        <input
          id={id}
          class="input"
          type="text"
          inputMode="decimal"
          {...refusing(unclear)}
          required={required}
          value={text}
          aria-invalid={problem !== undefined || undefined}
          aria-describedby={[problem && `${id}-problem`, hint && `${id}-hint`].filter(Boolean).join(' ') || undefined}
          onInput={(event) => change(textOf(event), unit)}
        />
        <select
          class="input"
          aria-label={t('Unit of “{label}”', { label })}
          value={unit}
          onChange={(event) => change(text, textOf(event))}
        >
          {UNITS.map(([seconds, name]) => (
            <option key={seconds} value={seconds}>
              {t(name)}
            </option>
          ))}
        </select>
      </div>
      {problem !== undefined && <FieldProblem id={`${id}-problem`}>{problem}</FieldProblem>}
      {hint && (
        <span class="hint" id={`${id}-hint`}>
          {hint}
        </span>
      )}
    </div>
  );
}

/** The largest unit that divides it; undefined for none. */
function unitOf(seconds: number): string | undefined {
  if (!(seconds > 0)) return undefined;
  return UNITS.findLast(([unit]) => seconds % Number(unit) === 0)?.[0] ?? '1';
}
