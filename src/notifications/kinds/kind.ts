import type { DeliveryRow } from '../delivery/attempt';
import type { DeliveryCause, EventNames } from '../delivery/channels/channel';
import type { ReportedState } from '../requests/webhook-request';

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
  /** Beyond a limit it goes out in a digest, with others of its notification. */
  isAggregated?: true;
  /** Goes to the owner, so it says nothing about the destination of the notification. */
  isForOwner?: true;
  /** Belongs to the account, and to no notification. */
  isOfAccount?: true;
  /** The text shows values of a sensor. */
  showsValues?: true;
  /** Gets a link that acknowledges it. */
  isAcknowledgeable?: true;
  /** What the requests of a notification report with it. */
  reports: ReportedState;
  /** Undefined for a digest, whose cause are its parts. */
  causeOf(row: DeliveryRow, names: EventNames | undefined): DeliveryCause | undefined;
}
