import type { ComponentChildren } from 'preact';
import { many, t } from '../language';
import { MARGIN } from './layout';
import type { Range } from './points';
import type { Band } from './shape';

const COLOURS = 6;

interface BandsProps {
  bands: readonly Band[];
  range: Range;
  /** Width of the scale of the chart above, in pixels. */
  gutter: number;
  /** The dates below them. */
  children?: ComponentChildren;
}

/** Text and booleans over time, aligned with the chart above. */
export function Bands({ bands, range, gutter, children }: BandsProps) {
  if (bands.length === 0) return <>{children}</>;
  const values = [...new Set(bands.flatMap(({ parts }) => parts.map(({ value }) => value)))];
  const colourOf = (value: string) => values.indexOf(value) % COLOURS;
  return (
    <>
      <div style={{ paddingInline: `${gutter}px ${MARGIN}px` }}>
        {bands.map(({ name, parts }) => (
          <div key={name}>
            {bands.length > 1 && <div class="small quiet">{name}</div>}
            <div class="band-row" role="img" aria-label={`${name}: ${describe(parts)}`}>
              {placed(parts, range).map(({ from, value, style }) => (
                <span key={from} class={`b${colourOf(value)}`} title={value} style={style}>
                  <span>{value}</span>
                </span>
              ))}
            </div>
          </div>
        ))}
      </div>
      {children}
      {values.length <= COLOURS && (
        <ul class="legend small" style={{ paddingLeft: `${gutter}px` }}>
          {values.map((value) => (
            <li key={value} class="legend-item quiet">
              <span class={`swatch state s${colourOf(value) + 1}`} />
              {value}
            </li>
          ))}
        </ul>
      )}
    </>
  );
}

function describe(parts: Band['parts']): string {
  const last = parts.at(-1);
  if (!last) return t('no values');
  return many(parts.length, '{n} state, {value} at the end', '{n} states, {value} at the end', { value: last.value });
}

/** The parts of a row that are in the range, with their places. */
export function placed<T extends Range>(parts: readonly T[], range: Range) {
  const place = (date: number) => Math.min(100, Math.max(0, ((date - range.from) / (range.to - range.from)) * 100));
  return parts
    .filter(({ from, to }) => to >= range.from && from <= range.to)
    .map((part) => {
      const width = place(part.to) - place(part.from);
      // A short part is over its longer neighbours.
      const style = { left: `min(${place(part.from)}%, 100% - 4px)`, width: `${width}%`, zIndex: Number(width < 2) };
      return { ...part, style };
    });
}
