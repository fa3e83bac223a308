/** `all` is the mean, the lowest and highest value, and their count. */
export const AGGREGATES = ['mean', 'min', 'max', 'sum', 'count', 'first', 'last', 'all'] as const;

export type Aggregate = (typeof AGGREGATES)[number];
export type SingleAggregate = Exclude<Aggregate, 'all'>;

export const EXTREMES = ['min', 'max', 'count'] as const;

export type Extreme = (typeof EXTREMES)[number];

export type Extremes = Readonly<Record<Extreme, string>>;

/** Values by the name of their aggregate. */
export type ShownAggregates = Partial<Record<SingleAggregate, string>>;
