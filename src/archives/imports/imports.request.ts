/** The zip file of an export, as it is. */
// biome-ignore lint/suspicious/noEmptyInterface: the body is read as it arrives
export interface ArchiveFile {}
