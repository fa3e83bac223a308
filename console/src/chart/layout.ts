export const SERIES_COLOURS = 6;
/** Space for the scale at the left, and for half a date at the right, in pixels. Bands below a chart use the same. */
export const GUTTER = 56;
export const MARGIN = 32;
