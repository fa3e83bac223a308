/** What becomes of points that are older than the last evaluated one: nothing, or a report of what they would have caused. */
export type LateHandling = 'ignore' | 'report';

export const DEFAULT_LATE: LateHandling = 'ignore';
