/** A part of the rows of a task, so that several workers can do it at a time. */
export interface Slice {
  number: number;
  of: number;
}

/** Ids that follow each other are in the same slice, so many at a time: a slice is read by ranges of the primary key. */
export const IDS_PER_BLOCK = 256;

/** All slices of a task. */
export function slicesOf(count: number): Slice[] {
  return Array.from({ length: count }, (_, number) => ({ number, of: count }));
}

/** The slice of an id. */
export function sliceOf(id: number, of: number): Slice {
  return { number: Math.floor(id / IDS_PER_BLOCK) % of, of };
}

/** The first id of a slice that is not less than this one, and the end of its block, which is not part of it. */
export function blockFrom(id: number, { number, of }: Slice): { from: number; end: number } {
  const block = Math.floor(id / IDS_PER_BLOCK);
  const ahead = (number + of - (block % of)) % of;
  return { from: ahead === 0 ? id : (block + ahead) * IDS_PER_BLOCK, end: (block + ahead + 1) * IDS_PER_BLOCK };
}
