const WIDTH = 144;
const HEIGHT = 32;

interface SparklineProps {
  points: readonly { date: number; value: number }[];
  /** Start of the period that its width shows. */
  from: number;
  to: number;
}

/**
 * A small line over a period, without axes. It ends where the data ends. Nothing is drawn for less than two numbers.
 */
export function Sparkline({ points, from, to }: SparklineProps) {
  const shown = points.filter(({ date, value }) => Number.isFinite(value) && date >= from && date <= to);
  const [first, last] = [shown[0], shown.at(-1)];
  if (!first || !last || shown.length < 2) {
    return <svg class="spark" viewBox={`0 0 ${WIDTH} ${HEIGHT}`} aria-hidden="true" />;
  }
  const numbers = shown.map(({ value }) => value);
  const [low, high] = [Math.min(...numbers), Math.max(...numbers)];
  const x = (date: number) => (((date - from) / (to - from)) * WIDTH).toFixed(1);
  const y = (value: number) => (high === low ? HEIGHT / 2 : HEIGHT - 2 - ((value - low) / (high - low)) * (HEIGHT - 4));
  const line = shown.map(({ date, value }) => `${x(date)} ${y(value).toFixed(1)}`).join('L');
  return (
    <svg class="spark" viewBox={`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none" aria-hidden="true">
      <path class="area" d={`M${line}L${x(last.date)} ${HEIGHT}L${x(first.date)} ${HEIGHT}Z`} />
      <path d={`M${line}`} />
    </svg>
  );
}
