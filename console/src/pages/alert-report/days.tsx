import { many, t } from '../../language';
import { formatDay } from '../report/load';
import type { Noise } from './load';

/** How many alerts there were, and how many of them only woke people. */
export function NoiseText(summary: Noise['summary']) {
  const { episodes: total, acknowledged, ended_alone: alone } = summary;
  return (
    <p>
      <strong>
        {t('Nobody acknowledged {n} of {total} alerts; {alone} of these were over within 5 minutes.', {
          ...{ n: total - acknowledged, total, alone },
        })}
      </strong>{' '}
      <span class="quiet">{textOf(summary)}</span>
    </p>
  );
}

/** The messages of each day as a bar; the part of the night is shaded. */
export function NoiseDays({ days }: { days: Noise['days'] }) {
  const most = Math.max(...days.map(({ deliveries }) => deliveries));
  const worst = days.find(({ deliveries }) => deliveries === most);
  const [first, last] = [days[0], days.at(-1)];
  if (!first || !last || !worst || most === 0) return null;
  return (
    <figure class="days">
      <figcaption class="legend small">
        <span class="legend-item">
          <span class="swatch state" />
          {t('Messages of a day, up to {n}', { n: most })}
        </span>
        <span class="legend-item">
          <span class="swatch state night" />
          {t('at night, 22:00 to 7:00')}
        </span>
      </figcaption>
      <div
        class="bars"
        role="img"
        aria-label={t('Most on {day}: {text}', { day: formatDay(worst.start), text: textOf(worst) })}
      >
        {days.map((day) => (
          <div key={day.date} title={`${formatDay(day.start)}: ${textOf(day)}`}>
            <span style={{ height: `${((day.deliveries - day.at_night) / most) * 100}%` }} />
            <span class="night" style={{ height: `${(day.at_night / most) * 100}%` }} />
          </div>
        ))}
      </div>
      <div class="line spread small quiet numbers">
        <span>{formatDay(first.start)}</span>
        {days.length > 1 && <span>{formatDay(last.start)}</span>}
      </div>
    </figure>
  );
}

function textOf({ deliveries, at_night: night }: Pick<Noise['summary'], 'deliveries' | 'at_night'>): string {
  return many(deliveries, '{n} message, {night} at night.', '{n} messages, {night} of them at night.', { night });
}
