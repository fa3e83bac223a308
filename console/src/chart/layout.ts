export const SERIES_COLOURS = 6;
/** Space for the scale at the left, and for half a date at the right, in pixels. Bands below a chart use the same. */
export const GUTTER = 56;
export const MARGIN = 32;
/** Size of the text on scales, in pixels. Everything next to larger text grows with it. */
export const TEXT = 12;

/** Space for a scale at the left with text of this size. */
export function gutterOf(text: number): number {
  return Math.round((GUTTER * text) / TEXT);
}
