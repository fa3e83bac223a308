import type { Sequelize } from 'sequelize';
import type { EpisodeCause } from '../../rules/episode';
import { EPISODE_COLUMNS } from '../../trigger-store/episode-ends';
import { editRules, type ModelEdit } from '../../trigger-store/rule-edit';
import type { DeliveredEnds } from '../firings/delivered-ends';

/** A transaction that locks more sensor triggers, and writes the deliveries of their ends, would delay passes. */
const EPISODES_PER_STEP = 200;

/**
 * Ends the episodes of these causes of a trigger that is about to change, in small transactions, until few of them are
 * left.
 */
export async function endMost(
  sequelize: Sequelize,
  ends: DeliveredEnds,
  triggerId: number,
  causes: readonly EpisodeCause[],
): Promise<void> {
  if (causes.length === 0) return;
  const lasting = causes.map((cause) => `${EPISODE_COLUMNS[cause]}_ms IS NOT NULL`).join(' OR ');
  const hasMany = async (edit: ModelEdit) => {
    const rows = await edit.run(
      `SELECT id, sensor_id AS sensorId FROM sensor_triggers WHERE trigger_id = ? AND (${lasting}) ORDER BY sensor_id LIMIT ?`,
      [triggerId, EPISODES_PER_STEP + 1],
    );
    if (rows.length <= EPISODES_PER_STEP) return false;
    await edit.affects({ sensorIds: rows.map(({ sensorId }) => Number(sensorId)) });
    await ends.end(edit, { sensorTriggerIds: rows.map(({ id }) => Number(id)) }, { causes });
    return true;
  };
  while (await editRules(sequelize, hasMany));
}
