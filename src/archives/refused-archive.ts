/** What is wrong with a file, and in which entry. */
export class RefusedArchive extends Error {
  constructor(
    readonly entry: string | undefined,
    readonly why: string,
  ) {
    super(why);
  }
}
