/** The response `{}`: done, with nothing to report. */
export type EmptyView = Record<string, never>;
