const WIDTH = 144;
const HEIGHT = 32;

/** A small line without axes. Nothing is drawn for less than two numbers. */
export function Sparkline({ values }: { values: readonly number[] }) {
  const numbers = values.filter(Number.isFinite);
  if (numbers.length < 2) return <svg class="spark" viewBox={`0 0 ${WIDTH} ${HEIGHT}`} aria-hidden="true" />;
  const [low, high] = [Math.min(...numbers), Math.max(...numbers)];
  const step = WIDTH / (numbers.length - 1);
  const y = (value: number) => (high === low ? HEIGHT / 2 : HEIGHT - 2 - ((value - low) / (high - low)) * (HEIGHT - 4));
  const line = numbers.map((value, at) => `${(at * step).toFixed(1)} ${y(value).toFixed(1)}`).join('L');
  return (
    <svg class="spark" viewBox={`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none" aria-hidden="true">
      <path class="area" d={`M${line}L${WIDTH} ${HEIGHT}L0 ${HEIGHT}Z`} />
      <path d={`M${line}`} />
    </svg>
  );
}
