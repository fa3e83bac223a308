import type { Records } from '../../api';
import { formatMs } from '../../format';

type Timing = Records['DeliveryTiming'];

const STAGES = [
  ['received', 'stored', 'stored'],
  ['stored', 'evaluated', 'evaluated'],
  ['evaluated', 'queued', 'queued'],
  ['queued', 'sent', 'sent'],
  ['sent', 'answered', 'answered'],
] as const;

/** Duration of each stage, in ms; stages that it did not pass are left out. */
export function stagesOf(timing: Timing): { name: string; index: number; ms: number }[] {
  return STAGES.flatMap(([from, to, name], index) => {
    const [start, end] = [timing[from], timing[to]];
    return start === null || end === null ? [] : [{ name, index, ms: Math.max(0, (end - start) * 1000) }];
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
  const label = stages.map(({ name, ms }) => `${name} ${formatMs(ms)}`).join(', ');
  return (
    <div class="stages" role="img" aria-label={label || 'not sent yet'} title={label}>
      {stages.map(({ name, index, ms }) => (
        <span key={name} class={`s${index + 1}`} style={{ flexGrow: String(Math.max(ms, 0.1)) }} />
      ))}
    </div>
  );
}

const NAMES = ['stored', 'evaluated', 'queued', 'sent', 'answered'];

/** The legend of the bars. */
export function StagesKey() {
  return (
    <ul class="legend small quiet">
      {NAMES.map((name, index) => (
        <li key={name} class="legend-item">
          <span class={`swatch s${index + 1}`} />
          until {name}
        </li>
      ))}
    </ul>
  );
}
