/** What an interval can show of its numbers; `all` is the mean with the lowest, the highest and their count. */
export const AGGREGATES = ['mean', 'min', 'max', 'sum', 'count', 'first', 'last', 'all'] as const;

export type Aggregate = (typeof AGGREGATES)[number];
export type SingleAggregate = Exclude<Aggregate, 'all'>;

/** What `all` shows next to the mean. */
export const EXTREMES = ['min', 'max', 'count'] as const;

export type Extreme = (typeof EXTREMES)[number];

/** What `all` shows next to the mean, each in the form of a value. */
export type Extremes = Readonly<Record<Extreme, string>>;
