/** A message that can never be read, however often it is sent. The message says what is wrong. */
export class UnreadableMessage extends Error {}

/** A message that exceeds a bound of the platform. Its sender may split it. */
export class MessageTooLarge extends UnreadableMessage {}
