import type { Description } from '../protocols/mqtt';
import type { SeriesLead, SeriesPoint } from '../protocols/series';
import type { RecentMessage } from './recent-message';
import type { StoredPacket } from './stored-packets';

export interface WaitingMessage {
  /** Undefined for QoS 0, which is not acknowledged. */
  packet: StoredPacket | undefined;
  /** Empty if only the acknowledgement waits. */
  points: SeriesPoint[];
  topic: string;
  bytes: number;
  receivedMs: number;
  described: readonly Description[];
  /** Series whose devices are known by it. */
  leads: readonly SeriesLead[];
  /** The broker may have delivered it before. */
  isRepeated: boolean;
  /** The broker had kept it for new subscriptions. */
  isRetained: boolean;
  record: RecentMessage;
  /** Why none of its values could be stored at the latest try. */
  refusal?: Refusal | undefined;
}

/** A limit refuses the values of a series. */
export interface Refusal {
  series: string;
  why: string;
}
