import type { Description } from '../protocols/mqtt';
import type { SeriesLead, SeriesPoint } from '../protocols/series';
import type { RecentMessage } from './recent-message';
import type { StoredPacket } from './stored-packets';

/** A message that waits to be stored. */
export interface WaitingMessage {
  /** Undefined for QoS 0, which is not acknowledged. */
  packet: StoredPacket | undefined;
  /** None if there is nothing to store, and only the acknowledgement waits. */
  points: SeriesPoint[];
  topic: string;
  bytes: number;
  receivedMs: number;
  /** What it said about others. */
  described: readonly Description[];
  /** The series whose devices are known by it. */
  leads: readonly SeriesLead[];
  /** True if the broker may have delivered it before. */
  isRepeated: boolean;
  /** True if the broker had kept it for new subscriptions. */
  isRetained: boolean;
  /** What its owner sees of it. */
  record: RecentMessage;
  /** Why none of its values could be stored at the latest try. */
  refusal?: Refusal | undefined;
}

/** A limit refuses the values of a series. */
export interface Refusal {
  series: string;
  why: string;
}
