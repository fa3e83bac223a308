import type { Transaction } from 'sequelize';
import { Service } from '../../models/service.model';
import { ServiceInputRow } from '../../models/service-input-row.model';

/** Ends those of these services that no sensor feeds any more. */
export async function deleteUnfedServices(serviceIds: readonly number[], transaction: Transaction): Promise<void> {
  for (const id of serviceIds) {
    const left = await ServiceInputRow.count({ where: { serviceId: id }, transaction });
    if (left === 0) await Service.destroy({ where: { id }, transaction });
  }
}
