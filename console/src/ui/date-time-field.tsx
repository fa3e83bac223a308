import { useId } from 'preact/hooks';
import { clockIn } from '../csv/zones';
import { TIME_ZONE } from '../format';
import { LOCALE, t } from '../language';
import { textOf } from './form';

/** The content of a field for a date and a time: the moment in unix seconds, or the error. */
export interface DateTime {
  seconds?: number;
  problem?: string;
  /** The interpretation of a time that means two moments. */
  note?: string;
}

const clock = clockIn(TIME_ZONE);

/** Reads the value of such a field in the zone of the browser. */
export function readDateTime(text: string): DateTime {
  const wallMs = Date.parse(`${text}Z`);
  if (Number.isNaN(wallMs)) return {};
  const { ms, shown } = clock(wallMs);
  const time = timeOf(wallMs);
  if (shown === 'never')
    return { problem: t('{time} does not exist in {zone}: the clocks go forward.', { time, zone: TIME_ZONE }) };
  const note =
    shown === 'twice'
      ? t('{time} occurs twice in {zone}, because the clocks go back: the first is meant.', { time, zone: TIME_ZONE })
      : '';
  return { seconds: ms / 1000, note };
}

/** Unix seconds as the content of a field for a date and a time, in the zone of the browser. */
export function fieldOf(seconds: number): string {
  const date = new Date(seconds * 1000);
  return new Date(date.getTime() - date.getTimezoneOffset() * 60_000).toISOString().slice(0, 19);
}

const written = new Intl.DateTimeFormat(LOCALE, { dateStyle: 'medium', timeStyle: 'medium', timeZone: 'UTC' });

/** The time of a clock, in the user's format. */
function timeOf(wallMs: number): string {
  return written.format(wallMs);
}

/** A field for a date and a time, to the second; an impossible time is a problem under it. */
export function DateTimeField({
  label,
  value,
  onValue,
}: {
  label: string;
  value: string;
  onValue: (value: string) => void;
}) {
  const id = useId();
  const { problem, note } = readDateTime(value);
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <input
        id={id}
        class="input"
        type="datetime-local"
        step={1}
        required
        value={value}
        aria-invalid={problem !== undefined}
        aria-describedby={`${id}-said`}
        onInput={(event) => onValue(textOf(event))}
      />
      <span id={`${id}-said`} class={problem ? 'problem' : 'hint'} aria-live="polite">
        {problem ?? note}
      </span>
    </div>
  );
}
