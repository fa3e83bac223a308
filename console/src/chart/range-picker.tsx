import { useState } from 'preact/hooks';
import { TIME_ZONE } from '../format';
import { t } from '../language';
import { DateTimeField, fieldOf, readDateTime } from '../ui/date-time-field';
import { DialogButton } from '../ui/dialog';
import { Form } from '../ui/form';
import type { View } from './view';

type Shown = Pick<View, 'range' | 'show'>;

/** Chooses a range by its two dates. */
export function RangeButton({ view, text = t('From … to …') }: { view: Shown; text?: string }) {
  return (
    <DialogButton text={text} title={t('Show a range')} kind="small-button">
      {(close) => <RangeForm view={view} close={close} />}
    </DialogButton>
  );
}

function RangeForm({ view, close }: { view: Shown; close: () => void }) {
  const [from, setFrom] = useState(() => fieldOf(view.range.from));
  const [to, setTo] = useState(() => fieldOf(view.range.to));
  const [start, end] = [readDateTime(from).seconds, readDateTime(to).seconds];
  const isKnown = start !== undefined && end !== undefined;
  const submit = async () => {
    if (isKnown) view.show({ from: start, to: end });
    close();
  };
  return (
    <Form label={t('Show')} submit={submit} onCancel={close} ready={isKnown && start < end}>
      <DateTimeField label={t('From')} value={from} onValue={setFrom} />
      <DateTimeField label={t('To')} value={to} onValue={setTo} />
      <p class="hint">{t('Times are in {zone}.', { zone: TIME_ZONE })}</p>
      {isKnown && start >= end && <p class="problem">{t('“To” must be after “From”.')}</p>}
    </Form>
  );
}
