/** One mail. `id` makes its Message-ID, so that a repeated attempt is the same mail. */
export interface Mail {
  id: string;
  to: string;
  subject: string;
  text: string;
  html?: string;
}

/** Hands a mail over; throws what the SMTP server said (`responseCode`) or the connection's error. */
export interface MailTransport {
  send(mail: Mail): Promise<void>;
  close(): Promise<void>;
}
