import { useState } from 'preact/hooks';
import { type PlainText, t } from '../language';
import { DateTimeField, fieldOf, readDateTime } from './date-time-field';
import { Select } from './form';

/** Unix seconds. The end does not belong to it. */
interface DateRange {
  from: number;
  to: number;
}

const NAMES: readonly (readonly [name: string, text: PlainText])[] = [
  ['last-week', 'Last week'],
  ['week', 'This week'],
  ['last-month', 'Last month'],
  ['month', 'This month'],
  ['days', 'Last 30 days'],
];

/** The range of a name in the zone of the browser; the last week for other names. Weeks begin on Monday. */
function rangeNamed(name: string, now = new Date()): DateRange {
  const [month, date] = [now.getMonth(), now.getDate()];
  const monday = date - ((now.getDay() + 6) % 7);
  const at = (inMonth: number, day: number) => new Date(now.getFullYear(), inMonth, day).getTime() / 1000;
  switch (name) {
    case 'week':
      return { from: at(month, monday), to: at(month, monday + 7) };
    case 'days':
      return { from: at(month, date - 29), to: at(month, date + 1) };
    case 'month':
      return { from: at(month, 1), to: at(month + 1, 1) };
    case 'last-month':
      return { from: at(month - 1, 1), to: at(month, 1) };
    default:
      return { from: at(month, monday - 7), to: at(month, monday) };
  }
}

interface RangeProps {
  /** The name of a range, or `from-to` in unix seconds. */
  value: string;
  onValue: (value: string) => void;
}

/** The range of a value of the choice. */
export function rangeOf(value: string): DateRange {
  const [, from, to] = /^(\d+)-(\d+)$/.exec(value) ?? [];
  return from && to ? { from: Number(from), to: Number(to) } : rangeNamed(value);
}

/** Chooses a week, a month, or a range by its two dates. */
export function RangeChoice({ value, onValue }: RangeProps) {
  const isOwn = /^\d/.test(value);
  const { from, to } = rangeOf(value);
  const choose = (name: string) => onValue(name === 'own' ? `${from}-${to}` : name);
  return (
    <>
      <Select
        label={t('Period')}
        value={isOwn ? 'own' : value}
        options={[...NAMES.map(([name, text]) => [name, t(text)] as const), ['own', t('From … to …')]]}
        onValue={choose}
      />
      {isOwn && <OwnRange {...{ from, to, onValue }} />}
    </>
  );
}

function OwnRange({ from, to, onValue }: DateRange & Pick<RangeProps, 'onValue'>) {
  const [fields, setFields] = useState({ from: fieldOf(from), to: fieldOf(to) });
  const change = (next: typeof fields) => {
    setFields(next);
    const [start, end] = [readDateTime(next.from).seconds, readDateTime(next.to).seconds];
    if (start && end && start < end) onValue(`${start}-${end}`);
  };
  return (
    <>
      <DateTimeField label={t('From')} value={fields.from} onValue={(text) => change({ ...fields, from: text })} />
      <DateTimeField label={t('To|time')} value={fields.to} onValue={(text) => change({ ...fields, to: text })} />
    </>
  );
}
