import type { Line } from './shape';

/** Lines that share a scale of numbers. */
export interface Panel {
  /** Empty if no line has a unit. */
  unit: string;
  lines: Line[];
}

/** Lines without a unit share a panel up to this ratio of their largest numbers; a larger one would flatten a line. */
const RATIO = 5;

/** Groups lines by their units, and lines without a unit by the size of their numbers. The order of lines is kept. */
export function panelsOf(lines: readonly Line[]): Panel[] {
  const panels: Panel[] = [];
  for (const line of lines) {
    const panel = panels.find(({ unit, lines: [first] }) => unit === line.unit && (unit || isNear(line, first)));
    if (panel) panel.lines.push(line);
    else panels.push({ unit: line.unit, lines: [line] });
  }
  return panels;
}

function isNear(line: Line, first: Line | undefined): boolean {
  const [small = 0, large = 0] = [sizeOf(line), first ? sizeOf(first) : 0].sort((a, b) => a - b);
  return small === 0 || large / small <= RATIO;
}

/** The largest absolute number of a line. */
function sizeOf({ values, low = values, high = values }: Line): number {
  return [...low, ...high].reduce<number>((size, value) => Math.max(size, Math.abs(value ?? 0)), 0);
}
