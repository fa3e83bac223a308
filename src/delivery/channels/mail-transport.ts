/** A mail. Its Message-ID is made from `id`, so that a repeated attempt sends the same mail. */
export interface Mail {
  id: string;
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

/** The Message-ID of a mail: its id at the sender's domain. */
export function messageIdOf(id: string, from: string): string {
  const domain = /@([\w.-]+)>?\s*$/.exec(from)?.[1] ?? 'localhost';
  return `<${id}@${domain}>`;
}
