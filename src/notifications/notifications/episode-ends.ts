import type { Sequelize } from 'sequelize';
import type { ModelEdit } from '../../access/rule-edit';

interface Ending {
  sensorTriggerIds: readonly number[];
}

/** The alerts wing ends the episodes of deleted notifications. */
export interface EpisodeEnds {
  /** Requires the transaction of the edit. */
  end(edit: ModelEdit, ending: Ending): Promise<unknown>;
  /** Call it before the edit. Ends most episodes in small transactions, each of which begins with `before`. */
  endMost(
    sequelize: Sequelize,
    what: { of: Ending; before: (edit: ModelEdit, sensorTriggerIds: number[]) => Promise<unknown> },
  ): Promise<unknown>;
  /** Sends ends to notifications that an edit disconnects or disables. */
  endFor(edit: ModelEdit, notificationIds: readonly number[], sensorTriggerIds: readonly number[]): Promise<void>;
  /** Call it before the edit. Sends most ends in small transactions. */
  endMostFor(sequelize: Sequelize, notificationId: number, sensorTriggerIds: readonly number[]): Promise<void>;
}
