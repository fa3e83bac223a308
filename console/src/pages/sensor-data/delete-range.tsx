import { t } from '../../language';
import { DialogButton } from '../../ui/dialog';
import { RangeForm } from '../forms';

/** A button that deletes the points of a range after a confirmation, and reports their number. */
export function DeleteRange({ id, onDone }: { id: string; onDone: () => void }) {
  return (
    <DialogButton text={t('Delete a range')} title={t('Delete the data of a range')} kind="danger small-button">
      {(close) => <RangeForm id={id} close={close} onDone={onDone} />}
    </DialogButton>
  );
}
