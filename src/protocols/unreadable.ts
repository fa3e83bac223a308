/** A message that can never be read, however often it is sent. The message says what is wrong. */
export class UnreadableMessage extends Error {}
