/** The newest 100 points of each sensor are always rows, so reads of the latest values and arrivals need no chunks. */
export const NEWEST_AS_ROWS = 100;
