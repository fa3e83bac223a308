/** The senders whose mails a recipient decides about. */
export type MailSource = 'user' | 'everybody';

/** The token of a mail's link, and the senders whose mails it is about. */
export interface SubscriptionQuery {
  /**
   * The token of the link in the mail
   * @example "a17.o9Xyx3sJmVbHkGmX4n2f0mY0yqv3m1sG6m4kqz7F1aE"
   */
  token: string;
  /**
   * The mails of the user who caused the mail (`user`), or of all users of the platform (`everybody`)
   * @example "user"
   */
  from?: MailSource;
}
