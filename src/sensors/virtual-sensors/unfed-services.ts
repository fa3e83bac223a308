import type { ModelEdit } from '../../access/rule-edit';
import { Service } from '../../storage/models/service.model';
import { ServiceInputRow } from '../../storage/models/service-input-row.model';
import { markFleets, selectingFleets } from '../fleets/fleet-members';

/** Those without a feeding sensor, with a fixed number of statements. A fleet with a filter stays: sensors may join it. */
export async function deleteUnfedServices(
  serviceIds: readonly number[],
  { run, transaction }: ModelEdit,
): Promise<void> {
  await markFleets(run, serviceIds);
  const inputs = await ServiceInputRow.findAll({
    attributes: ['serviceId'],
    where: { serviceId: [...serviceIds] },
    transaction,
    raw: true,
  });
  const kept = await selectingFleets(run, serviceIds);
  for (const { serviceId } of inputs) kept.add(serviceId);
  await Service.destroy({ where: { id: serviceIds.filter((id) => !kept.has(id)) }, transaction });
}
