import { Fragment } from 'preact';
import type { Records } from '../../api';
import { formatMs } from '../../format';
import { type PlainText, t } from '../../language';

type Timing = Records['DeliveryTiming'];

const STAGES: readonly (readonly [from: keyof Timing, to: keyof Timing, until: PlainText])[] = [
  ['received', 'stored', 'until stored'],
  ['stored', 'evaluated', 'until evaluated'],
  ['evaluated', 'queued', 'until queued'],
  ['queued', 'sent', 'until sent'],
  ['sent', 'answered', 'until answered'],
];

/** Duration of each stage, in ms; stages that it did not pass are left out. */
function stagesOf(timing: Timing): { until: PlainText; index: number; ms: number }[] {
  return STAGES.flatMap(([from, to, until], index) => {
    const [start, end] = [timing[from], timing[to]];
    return start === null || end === null ? [] : [{ until, index, ms: Math.max(0, (end - start) * 1000) }];
  });
}

/** The whole time of an answered delivery, and its longest stage. */
export function Took({ timing }: { timing: Timing }) {
  const stages = stagesOf(timing).sort((a, b) => b.ms - a.ms);
  const [longest] = stages;
  if (timing.answered === null || !longest) return null;
  return (
    <div class="took numbers nowrap">
      {formatMs(stages.reduce((sum, { ms }) => sum + ms, 0))}
      <div class="small quiet">
        {t(longest.until)} {formatMs(longest.ms)}
      </div>
    </div>
  );
}

/** The stages of a delivery as parts of a bar, above their durations. */
export function Stages({ timing }: { timing: Timing }) {
  const stages = stagesOf(timing);
  return (
    <>
      <div class="stages" aria-hidden="true">
        {stages.map(({ until, index, ms }) => (
          <span key={until} class={`s${index + 1}`} style={{ flexGrow: String(Math.max(ms, 0.1)) }} />
        ))}
      </div>
      <dl class="facts numbers">
        {stages.map(({ until, index, ms }) => (
          <Fragment key={until}>
            <dt>
              <span class="legend-item">
                <span class={`swatch s${index + 1}`} />
                {t(until)}
              </span>
            </dt>
            <dd>{formatMs(ms)}</dd>
          </Fragment>
        ))}
      </dl>
    </>
  );
}
