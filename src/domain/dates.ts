/** The last instant that has a date of four digits; data points and ranges of time end here. */
export const LAST_DATE_MS = Date.UTC(9999, 11, 31, 23, 59, 59, 999);
