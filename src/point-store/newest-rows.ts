/**
 * The newest points of a sensor are always rows, so many of them: reads of the latest values and arrivals need no
 * chunks.
 */
export const NEWEST_AS_ROWS = 100;
