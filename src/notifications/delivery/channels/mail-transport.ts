/** The Message-ID is made from `id`, so that a repeated attempt sends an identical mail. */
export interface Mail {
  id: string;
  /** Mail programs show both mails as one thread. */
  firstId?: string;
  to: string;
  subject: string;
  text: string;
  html?: string;
  headers?: Record<string, string>;
}

/** Throws an error with the server's `responseCode`, or the connection's error. */
export interface MailTransport {
  send(mail: Mail): Promise<void>;
  close(): Promise<void>;
}

export function threadingOf({ id, firstId }: Pick<Mail, 'id' | 'firstId'>, from: string) {
  const first = firstId === undefined ? undefined : messageIdOf(firstId, from);
  return { messageId: messageIdOf(id, from), ...(first && { inReplyTo: first, references: first }) };
}

function messageIdOf(id: string, from: string): string {
  const domain = /@([\w.-]+)>?\s*$/.exec(from)?.[1] ?? 'localhost';
  return `<${id}@${domain}>`;
}
