import { t } from '../../language';
import { Check, Choices, Select } from '../../ui/form';
import type { Order } from '../../ui/table';
import type { SensorColumn } from './columns';
import { SIZES, type View } from './view';

export interface ViewProps {
  columns: readonly SensorColumn[];
  view: View;
  onView: (view: View) => void;
  order: Order;
  onOrder: (order: Order) => void;
}

/** The choice of columns, order, rows and density, which apply at once. */
export function ViewFields({ columns, view, onView, order, onOrder }: ViewProps) {
  const toggle = (key: string, on: boolean) =>
    onView({ ...view, columns: on ? [...view.columns, key] : view.columns.filter((one) => one !== key) });
  const orders = columns
    .filter(({ sortBy }) => sortBy)
    .flatMap(({ key, name }) => [
      [key, t('{name}, ascending', { name })] as const,
      [`-${key}`, t('{name}, descending', { name })] as const,
    ]);
  return (
    <>
      <fieldset class="field">
        <legend class="label">{t('Columns')}</legend>
        <div class="pick grid">
          {columns
            .filter(({ key }) => key !== 'name')
            .map(({ key, name }) => (
              <Check key={key} label={name} checked={view.columns.includes(key)} onChecked={(on) => toggle(key, on)} />
            ))}
        </div>
      </fieldset>
      <Select label={t('Sort by')} value={order} onValue={onOrder} options={orders} />
      <div class="pair">
        <Select
          label={t('Rows on a page')}
          value={String(view.size)}
          onValue={(size) => onView({ ...view, size: Number(size) })}
          options={SIZES.map((size) => [String(size), String(size)] as const)}
        />
        <div class="field">
          <span class="label">{t('Density')}</span>
          <Choices<'airy' | 'compact'>
            label={t('Density')}
            value={view.isCompact ? 'compact' : 'airy'}
            options={[
              ['airy', t('Comfortable')],
              ['compact', t('Compact')],
            ]}
            onValue={(density) => onView({ ...view, isCompact: density === 'compact' })}
          />
        </div>
      </div>
    </>
  );
}
