export class UnreadableMessage extends Error {}

/** The sender may split the message. */
export class MessageTooLarge extends UnreadableMessage {}
