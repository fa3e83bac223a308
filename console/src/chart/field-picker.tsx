import { useState } from 'preact/hooks';
import { t } from '../language';
import { setQuery, usePlace } from '../router';
import { DialogButton } from '../ui/dialog';
import { Check, Form } from '../ui/form';
import { FIRST_LINES, MOST_LINES } from './shape';

const NAME = 'fields';

/** The fields of JSON values that the address chooses; undefined if it chooses none. */
export function useChosenFields(): readonly string[] | undefined {
  const text = usePlace().query.get(NAME);
  return text === null ? undefined : text.split(',').map(decodeURIComponent);
}

/** Says how many of the fields of JSON values are shown, and chooses others. */
export function FieldPicker({
  all,
  shown,
  most = MOST_LINES,
}: {
  all: readonly string[];
  shown: number;
  most?: number;
}) {
  if (all.length < 2) return null;
  return (
    <span class="line small quiet">
      {t('{n} of {total} fields', { n: shown, total: all.length })}
      <DialogButton text={t('Choose fields')} title={t('Choose fields')} kind="small-button">
        {(close) => <Picker {...{ all, most, close }} />}
      </DialogButton>
    </span>
  );
}

function Picker({ all, most, close }: { all: readonly string[]; most: number; close: () => void }) {
  const [chosen, setChosen] = useState<readonly string[]>(useChosenFields() ?? all.slice(0, FIRST_LINES));
  const submit = async () => {
    setQuery({ [NAME]: chosen.map(encodeURIComponent).join(',') });
    close();
  };
  return (
    <Form label={t('Show')} submit={submit} onCancel={close} ready={chosen.length > 0}>
      <p class="hint">{t('At most {n} fields are shown; {chosen} are chosen.', { n: most, chosen: chosen.length })}</p>
      <div class="pick grid">
        {all.map((name) => (
          <Check
            key={name}
            label={name}
            checked={chosen.includes(name)}
            isDisabled={chosen.length >= most && !chosen.includes(name)}
            onChecked={(on) => setChosen(on ? [...chosen, name] : chosen.filter((one) => one !== name))}
          />
        ))}
      </div>
    </Form>
  );
}
