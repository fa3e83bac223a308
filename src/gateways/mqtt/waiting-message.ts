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
  leads: readonly SeriesLead[];
  isRepeated: boolean;
  isRetained: boolean;
  record: RecentMessage;
  refusal?: Refusal | undefined;
}

export interface Refusal {
  series: string;
  why: string;
}
