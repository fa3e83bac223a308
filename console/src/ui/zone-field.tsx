import { TIME_ZONE } from '../format';
import { t } from '../language';
import { Select } from './form';

interface ZoneProps {
  label: string;
  hint: string;
  value: string;
  onValue: (zone: string) => void;
  /** A zone with the reason why it is likely; it comes first. */
  likely?: { zone: string; why: string };
}

/** A list of time zones; the chosen one, a likely one, the zone of the browser and UTC come first. */
export function ZoneField({ label, hint, value, onValue, likely }: ZoneProps) {
  const first = [...new Set([...(likely ? [likely.zone] : []), TIME_ZONE, 'UTC', value])];
  const others = Intl.supportedValuesOf('timeZone').filter((one) => !first.includes(one));
  const nameOf = (one: string) => {
    if (one === likely?.zone) return `${one} (${likely.why})`;
    return one === TIME_ZONE ? t('{zone} (of this browser)', { zone: one }) : one;
  };
  return (
    <Select
      label={label}
      hint={hint}
      value={value}
      onValue={onValue}
      options={[...first, ...others].map((one) => [one, nameOf(one)] as const)}
    />
  );
}
