/** How long a request for many things begins new ones, in ms. The answer names the others. */
export const BULK_MS = 50_000;
