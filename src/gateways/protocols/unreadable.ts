/** The message can never be read, however often it is sent. The error says what is wrong. */
export class UnreadableMessage extends Error {}

/** The sender may split the message. */
export class MessageTooLarge extends UnreadableMessage {}
