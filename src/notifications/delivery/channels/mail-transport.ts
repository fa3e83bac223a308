/** A mail. Its Message-ID is made from `id`, so that a repeated attempt sends the same mail. */
export interface Mail {
  id: string;
  /** The `id` of an earlier mail to which it belongs, so that mail programs show both as one thread. */
  firstId?: string;
  to: string;
  subject: string;
  text: string;
  html?: string;
  headers?: Record<string, string>;
}

/** Hands a mail over. Throws an error with the SMTP server's `responseCode`, or the connection's error. */
export interface MailTransport {
  send(mail: Mail): Promise<void>;
  close(): Promise<void>;
}

/** What identifies a mail, and the mail to which it belongs. */
export function threadingOf({ id, firstId }: Pick<Mail, 'id' | 'firstId'>, from: string) {
  const first = firstId === undefined ? undefined : messageIdOf(firstId, from);
  return { messageId: messageIdOf(id, from), ...(first && { inReplyTo: first, references: first }) };
}

/** The Message-ID of a mail: its id at the sender's domain. */
function messageIdOf(id: string, from: string): string {
  const domain = /@([\w.-]+)>?\s*$/.exec(from)?.[1] ?? 'localhost';
  return `<${id}@${domain}>`;
}
