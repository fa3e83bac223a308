import type { AttemptOutcome } from '../domain/delivery-schedule';

/** One delivery, ready to be sent. */
export interface OutgoingDelivery {
  id: number;
  /** The same for every attempt, for ever: receivers tell repeats by it. */
  webhookId: string;
  type: 'email' | 'url';
  destination: string;
  text: string;
  /** The form fields of a URL delivery, in order. */
  form: Record<string, string>;
  /** The subject of a mail. */
  subject: string;
  /** Where the recipient of a mail can end the mails of this notification. */
  unsubscribeUrl?: string;
  /** `whsec_…`, the newest first. */
  signingSecrets: string[];
}

/** A way out of the platform. */
export interface Channel {
  /**
   * Makes one attempt. Never throws for what the outside world did, and always says why it failed. A channel that can tell
   * calls `onItsWay` as soon as no later delivery to the same receiver can overtake this one.
   */
  send(delivery: OutgoingDelivery, onItsWay?: () => void): Promise<AttemptOutcome>;
  close(): Promise<void>;
}
