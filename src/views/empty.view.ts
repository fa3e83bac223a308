/** The answer `{}`: it is done, and there is nothing to tell. */
export type EmptyView = Record<string, never>;
