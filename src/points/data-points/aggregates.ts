/** The aggregates of an interval; `all` is the mean with the lowest value, the highest and their count. */
export const AGGREGATES = ['mean', 'min', 'max', 'sum', 'count', 'first', 'last', 'all'] as const;

export type Aggregate = (typeof AGGREGATES)[number];
export type SingleAggregate = Exclude<Aggregate, 'all'>;

/** The aggregates that `all` shows next to the mean. */
export const EXTREMES = ['min', 'max', 'count'] as const;

export type Extreme = (typeof EXTREMES)[number];

/** The extremes of `all`, each in the form of a value. */
export type Extremes = Readonly<Record<Extreme, string>>;

/** The values of an interval by the name of their aggregate, for example `mean`. */
export type ShownAggregates = Partial<Record<SingleAggregate, string>>;
