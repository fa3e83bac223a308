import type { DeliveryRow } from '../delivery/attempt';
import type { DeliveryCause, EventNames } from '../delivery/channels/channel';
import type { ReportedState } from '../requests/webhook-request';

export type DeliveryKind = 'firing' | 'end' | 'acknowledgement' | 'event' | 'digest' | 'test' | 'probe' | 'notice';

/** The columns that tell the kind of a delivery. */
export type KindRow = Pick<
  DeliveryRow,
  'mail_subject' | 'digest_minute_ms' | 'event' | 'acknowledges' | 'trigger_id' | 'resolved' | 'probe'
>;

/** How deliveries of a kind are sent, and what they show. */
export interface KindDescriptor {
  /** Sent although the notification is disabled: a person asked for the delivery, or it is about the notification. */
  isSentWhileOff?: true;
  /** Sent although its sensor, its trigger or its notification is gone: the receiver knows of the beginning. */
  outlivesItsCause?: true;
  /** Goes out after the firings of its episode, and after the acknowledgement. */
  waitsForEarlier?: true;
  /** Waits for the end of a mute that covers its episode. */
  waitsForMute?: true;
  /** Goes to the owner, so it says nothing about the destination of the notification. */
  isForOwner?: true;
  /** Gets a link that acknowledges it. */
  isAcknowledgeable?: true;
  /** What the requests of a notification report with it. */
  reports: ReportedState;
  /** Undefined for a digest, whose cause are its parts. */
  causeOf(row: DeliveryRow, names: EventNames | undefined): DeliveryCause | undefined;
}
