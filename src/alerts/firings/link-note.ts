/** Begins the note of an acknowledgement, or the name of a mute, by a link. The rest names its notification. */
export const BY_LINK = 'by the link in ';
export const BY_MAIL = `${BY_LINK}a mail`;

/** Only the owner of an alert sees who gets its messages. */
export function noteForOthers(note: string): string {
  return note.startsWith(BY_LINK) ? `${BY_LINK}a message` : note;
}
