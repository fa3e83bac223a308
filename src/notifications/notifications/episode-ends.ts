import type { Sequelize } from 'sequelize';
import type { ModelEdit } from '../../access/rule-edit';

/** Sensor triggers whose episodes end. */
interface Ending {
  sensorTriggerIds: readonly number[];
}

/** Ends episodes whose notifications are deleted. The alerts wing gives it. */
export interface EpisodeEnds {
  /** Ends them in the transaction of an edit. */
  end(edit: ModelEdit, ending: Ending): Promise<void>;
  /** Ends most of them before the edit, in small transactions, each of which begins with `before`. */
  endMost(
    sequelize: Sequelize,
    what: { of: Ending; before: (edit: ModelEdit, sensorTriggerIds: number[]) => Promise<unknown> },
  ): Promise<void>;
  /** Gives the ends of these sensor triggers to notifications that are disconnected or disabled in an edit. */
  endFor(edit: ModelEdit, notificationIds: readonly number[], sensorTriggerIds: readonly number[]): Promise<void>;
  /** Gives most of them before the edit, in small transactions. */
  endMostFor(sequelize: Sequelize, notificationId: number, sensorTriggerIds: readonly number[]): Promise<void>;
}
