import { t } from '../../language';
import { DialogButton } from '../../ui/dialog';
import { ViewFields } from '../forms';
import type { ViewProps } from './view-fields';

/** Opens the choice of columns, order, rows and density, which apply at once. */
export function ViewButton(props: ViewProps) {
  return (
    <DialogButton text={t('View')} title={t('View')}>
      {(close) => (
        <div class="form">
          <ViewFields {...props} />
          <div class="actions">
            <button type="button" class="button primary" onClick={close}>
              {t('Done')}
            </button>
          </div>
        </div>
      )}
    </DialogButton>
  );
}
