/** `all` is the mean, the lowest and highest value, and their count. */
export const AGGREGATES = ['mean', 'min', 'max', 'sum', 'count', 'first', 'last', 'all'] as const;

export type Aggregate = (typeof AGGREGATES)[number];
export type SingleAggregate = Exclude<Aggregate, 'all'>;

/** `all` shows these next to the mean. */
export const EXTREMES = ['min', 'max', 'count'] as const;

export type Extreme = (typeof EXTREMES)[number];

/** Texts in the form of a value. */
export type Extremes = Readonly<Record<Extreme, string>>;

/** Values by the name of their aggregate. */
export type ShownAggregates = Partial<Record<SingleAggregate, string>>;
