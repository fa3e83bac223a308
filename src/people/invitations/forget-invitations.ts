import { Op } from 'sequelize';
import type { RemovalStep } from '../../access/removal-step';
import { Invitation } from '../../storage/models/invitation.model';

const ROWS_PER_STEP = 1_000;

/** Sent and received ones. */
export const forgetInvitations: RemovalStep = async (userId, { transaction }) => {
  const where = { [Op.or]: [{ inviterId: userId }, { userId }] };
  return (await Invitation.destroy({ where, limit: ROWS_PER_STEP, transaction })) > 0;
};
