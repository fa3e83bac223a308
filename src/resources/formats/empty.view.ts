/** The response `{}`: done, with nothing to report. */
export type EmptyResponse = Record<string, never>;
