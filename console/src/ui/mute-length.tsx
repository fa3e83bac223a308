import { formatTimeOfDay } from '../format';
import { t } from '../language';
import { Select } from './form';

/** The hour at which a night ends. */
const MORNING = 7;

/** The usual lengths of a mute in seconds, with their texts; one of them ends in the morning. */
export function muteLengths(): readonly (readonly [seconds: number, text: string])[] {
  const morning = new Date();
  morning.setHours(MORNING, 0, 0, 0);
  if (morning.getTime() <= Date.now()) morning.setDate(morning.getDate() + 1);
  const untilMorning = Math.ceil((morning.getTime() - Date.now()) / 1000);
  return [
    [3_600, t('an hour')],
    [untilMorning, t('until {time}', { time: formatTimeOfDay(morning) })],
    [28_800, t('8 hours')],
    [86_400, t('a day')],
    [604_800, t('a week')],
  ];
}

/** How many seconds a mute lasts. */
export function MuteLength({ value, onValue }: { value: string; onValue: (seconds: string) => void }) {
  const options = muteLengths().map(([seconds, text]) => [String(seconds), text] as const);
  const isListed = options.some(([seconds]) => seconds === value);
  // The time until the morning becomes shorter while the field is open.
  const chosen = isListed ? value : (options[1]?.[0] ?? value);
  return <Select label={t('For|duration')} options={options} value={chosen} onValue={onValue} />;
}
