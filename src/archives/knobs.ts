/** How long a file, or the report of an import, is kept after its beginning. */
export const KEPT_MS = 86_400_000;

/** Bytes of a piece of a file, before it is packed. */
export const PIECE_BYTES = 1_000_000;

/** A job does this much, then lets others work. */
export const SLICE_MS = 20_000;

/** Failures in a row that end the work. */
export const MAX_FAILURES = 10;
export const FIRST_PAUSE_MS = 1_000;

/** Without a byte for so long, an upload has ended. */
export const UPLOAD_PAUSE_MS = 120_000;

/** Points of one commit of an import. */
export const POINTS_AT_ONCE = 10_000;
