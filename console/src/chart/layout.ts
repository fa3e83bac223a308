export const SERIES_COLOURS = 6;
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
