import type { RemovalStep } from '../../access/removal-step';
import { Application } from '../../storage/models/application.model';
import { Authorization } from '../../storage/models/authorization.model';

const ROWS_PER_STEP = 500;

/** Deletes authorizations by other users as well. */
export const removeApplications: RemovalStep = async (userId, { transaction }) => {
  const some = { limit: ROWS_PER_STEP, transaction };
  if ((await Authorization.destroy({ where: { userId }, ...some })) === ROWS_PER_STEP) return true;
  const application = await Application.findOne({ where: { ownerId: userId }, order: ['id'], transaction });
  if (!application) return false;
  const where = { applicationId: application.id };
  if ((await Authorization.destroy({ where, ...some })) < ROWS_PER_STEP) await application.destroy({ transaction });
  return true;
};
