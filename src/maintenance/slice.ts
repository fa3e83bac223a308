/** A part of the rows of a task, so that several workers can do the task at the same time. */
export interface Slice {
  number: number;
  of: number;
}

/** Number of consecutive ids in the same slice: a slice is read by ranges of the primary key. */
export const IDS_PER_BLOCK = 256;

export function slicesOf(count: number): Slice[] {
  return Array.from({ length: count }, (_, number) => ({ number, of: count }));
}

export function sliceOf(id: number, of: number): Slice {
  return { number: Math.floor(id / IDS_PER_BLOCK) % of, of };
}

/** The first id of a slice that is not less than this one, and the exclusive end of its block. */
export function blockFrom(id: number, { number, of }: Slice): { from: number; end: number } {
  const block = Math.floor(id / IDS_PER_BLOCK);
  const ahead = (number + of - (block % of)) % of;
  return { from: ahead === 0 ? id : (block + ahead) * IDS_PER_BLOCK, end: (block + ahead + 1) * IDS_PER_BLOCK };
}
