/** The time in which a request for many things begins new ones, in ms. It names the others in its answer. */
export const BULK_MS = 50_000;
