export const SERIES_COLOURS = 6;
/** Colours that are distinguished without seeing them: every further three lines are dashed in another way. */
const APART = 3;

/** How a line is dashed, by its place among the lines of a chart: 0 for not at all, up to 3. */
export function dashOf(at: number): number {
  return Math.floor(at / APART) % 4;
}

/** Space for the scale at the left, and for half a date at the right, in pixels. Bands below a chart use the same. */
export const GUTTER = 56;
export const MARGIN = 32;
/** Size of the text on scales, in pixels. Everything next to larger text grows with it. */
export const TEXT = 12;

/** Height of the dates below the last panel, with text of the usual size. */
export const DATES = 24;
/** Several panels are together this much higher than one. */
export const STACKED = 1.4;

/** Space for a scale at the left with text of this size. */
export function gutterOf(text: number): number {
  return Math.round((GUTTER * text) / TEXT);
}
