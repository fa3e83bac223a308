import type { ComponentChildren } from 'preact';
import { t } from '../language';
import { STATES, type StateName, stateWord } from './states';

/** A state by its sign, its colour and its word, or a text about it. */
export function State({ of, children }: { of: StateName; children?: ComponentChildren }) {
  return <span class={`status is-${of}`}>{children ?? stateWord(of)}</span>;
}

/** The states that occur, where signs and colours stand without words. */
export function StateLegend({ of }: { of: Iterable<StateName> }) {
  const found = new Set(of);
  return (
    <ul class="tags states" aria-label={t('Signs')}>
      {STATES.filter((name) => found.has(name)).map((name) => (
        <li key={name}>
          <State of={name} />
        </li>
      ))}
    </ul>
  );
}
