/** One mail. `id` makes its Message-ID, so that a repeated attempt is the same mail. */
export interface Mail {
  id: string;
  to: string;
  subject: string;
  text: string;
  html?: string;
  headers?: Record<string, string>;
}

/** Hands a mail over; throws what the SMTP server said (`responseCode`) or the connection's error. */
export interface MailTransport {
  send(mail: Mail): Promise<void>;
  close(): Promise<void>;
}

/** The Message-ID of a mail: its id at the domain that it comes from. */
export function messageIdOf(id: string, from: string): string {
  const domain = /@([\w.-]+)>?\s*$/.exec(from)?.[1] ?? 'localhost';
  return `<${id}@${domain}>`;
}
