import { InvalidInput } from '../../platform/errors';
import { readId } from '../formats/id';

/** Connects a trigger. */
export interface BulkConnectTrigger {
  /**
   * @maxLength 20
   * @example "5"
   */
  id: string;
  /**
   * The ids of the notifications that the trigger has on these sensors from now on: others are disconnected. Without
   * this list, its notifications do not change.
   * @maxItems 20
   * @example ["7"]
   */
  notifications?: string[];
}

/** Disconnects a trigger, and its notifications. */
export interface BulkDisconnectTrigger {
  /**
   * @maxLength 20
   * @example "5"
   */
  id: string;
}

/** The action on each sensor: exactly one of these. */
export interface BulkActions {
  connect_trigger?: BulkConnectTrigger;
  disconnect_trigger?: BulkDisconnectTrigger;
}

/** One action on many sensors. */
export interface BulkRequest {
  /**
   * The ids of the sensors.
   * @minItems 1
   * @maxItems 500
   * @example ["1", "2"]
   */
  sensors: string[];
  /** @example {"connect_trigger": {"id": "5", "notifications": ["7"]}} */
  action: BulkActions;
}

/** The action of a request. InvalidInput unless it names exactly one. */
export function readAction({ connect_trigger: connect, disconnect_trigger: disconnect }: BulkActions) {
  if (connect && !disconnect) {
    const notificationIds = connect.notifications?.map((id) => readId(id, `notification ${id}`));
    return { kind: 'connect_trigger' as const, triggerId: readId(connect.id, 'trigger'), notificationIds };
  }
  if (disconnect && !connect) {
    return { kind: 'disconnect_trigger' as const, triggerId: readId(disconnect.id, 'trigger') };
  }
  throw InvalidInput.field('action', 'must be exactly one of connect_trigger and disconnect_trigger');
}
