import type { Transaction } from 'sequelize';
import { Service } from '../../storage/models/service.model';
import { ServiceInputRow } from '../../storage/models/service-input-row.model';

/** Those without a feeding sensor, with a fixed number of statements. */
export async function deleteUnfedServices(serviceIds: readonly number[], transaction: Transaction): Promise<void> {
  const inputs = await ServiceInputRow.findAll({
    attributes: ['serviceId'],
    where: { serviceId: [...serviceIds] },
    transaction,
    raw: true,
  });
  const fed = new Set(inputs.map(({ serviceId }) => serviceId));
  await Service.destroy({ where: { id: serviceIds.filter((id) => !fed.has(id)) }, transaction });
}
