const WIDTH = 144;
const HEIGHT = 32;

interface SparklineProps {
  points: readonly { date: number; value: number }[];
  /** Start of the period that its width shows. */
  from: number;
  to: number;
  /** True if a value holds until the next one, as true and false do. */
  isStepped?: boolean;
}

/**
 * A small line over a period, without axes. It ends where the data ends. Nothing is drawn for less than two numbers.
 */
export function Sparkline({ points, from, to, isStepped = false }: SparklineProps) {
  const shown = points.filter(({ date, value }) => Number.isFinite(value) && date >= from && date <= to);
  const [first, last] = [shown[0], shown.at(-1)];
  if (!first || !last || shown.length < 2) {
    return <svg class="spark" viewBox={`0 0 ${WIDTH} ${HEIGHT}`} aria-hidden="true" />;
  }
  const numbers = shown.map(({ value }) => value);
  const [low, high] = [Math.min(...numbers), Math.max(...numbers)];
  const x = (date: number) => (((date - from) / (to - from)) * WIDTH).toFixed(1);
  const y = (value: number) => (high === low ? HEIGHT / 2 : HEIGHT - 2 - ((value - low) / (high - low)) * (HEIGHT - 4));
  const line = shown.reduce((path, { date, value }) => {
    const at = [x(date), y(value).toFixed(1)];
    if (path === '') return at.join(' ');
    return path + (isStepped ? `H${at[0]}V${at[1]}` : `L${at.join(' ')}`);
  }, '');
  return (
    <svg class="spark" viewBox={`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none" aria-hidden="true">
      <path class="area" d={`M${line}L${x(last.date)} ${HEIGHT}L${x(first.date)} ${HEIGHT}Z`} />
      <path d={`M${line}`} />
    </svg>
  );
}
