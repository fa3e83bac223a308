import type { Records } from '../../api';
import { formatMs } from '../../format';
import { type PlainText, t } from '../../language';

type Timing = Records['DeliveryTiming'];

const STAGES: readonly (readonly [from: keyof Timing, to: keyof Timing, name: PlainText, until: PlainText])[] = [
  ['received', 'stored', 'stored', 'until stored'],
  ['stored', 'evaluated', 'evaluated', 'until evaluated'],
  ['evaluated', 'queued', 'queued', 'until queued'],
  ['queued', 'sent', 'sent', 'until sent'],
  ['sent', 'answered', 'answered', 'until answered'],
];

/** Duration of each stage, in ms; stages that it did not pass are left out. */
export function stagesOf(timing: Timing): { name: PlainText; until: PlainText; index: number; ms: number }[] {
  return STAGES.flatMap(([from, to, name, until], index) => {
    const [start, end] = [timing[from], timing[to]];
    return start === null || end === null ? [] : [{ name, until, index, ms: Math.max(0, (end - start) * 1000) }];
  });
}

/** From the first stage to the answer; undefined while there is none. */
export function totalMs(timing: Timing): number | undefined {
  const { answered } = timing;
  return answered === null ? undefined : (answered - (timing.received ?? timing.queued)) * 1000;
}

/** The stages of a delivery as parts of a bar. */
export function Stages({ timing }: { timing: Timing }) {
  const stages = stagesOf(timing);
  const label = stages.map(({ name, ms }) => `${t(name)} ${formatMs(ms)}`).join(', ');
  return (
    <div class="stages" role="img" aria-label={label || t('not sent yet')} title={label}>
      {stages.map(({ name, index, ms }) => (
        <span key={name} class={`s${index + 1}`} style={{ flexGrow: String(Math.max(ms, 0.1)) }} />
      ))}
    </div>
  );
}

/** The legend of the bars. */
export function StagesKey() {
  return (
    <ul class="legend small quiet">
      {STAGES.map(([, , name, until], index) => (
        <li key={name} class="legend-item">
          <span class={`swatch s${index + 1}`} />
          {t(until)}
        </li>
      ))}
    </ul>
  );
}
