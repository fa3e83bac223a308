import { t } from '../../language';
import { NumberField } from '../../ui/number-field';
import { type Label, writeLabel } from './built-rule';
import { Offered, useMetatags } from './conditions';

interface LabelFieldsProps extends Label {
  /** The label of the number field that these fields replace. */
  label: string;
  onValue: (bound: string) => void;
}

/** The name of a label, and the number where a sensor lacks it. */
export function LabelFields({ label, name, missing, onValue }: LabelFieldsProps) {
  const names = [...useMetatags()].flatMap(([namespace, known]) =>
    [...known.keys()].map((one) => (namespace === 'default' ? one : `${namespace}:${one}`)),
  );
  return (
    <>
      <Offered
        label={label}
        required
        placeholder="limit"
        title={t('The name of a metatag')}
        value={name}
        offered={names}
        onValue={(typed) => onValue(writeLabel({ name: typed, missing }))}
      />
      <NumberField
        label={t('{label}, where it is missing', { label })}
        hint={t('Empty: such sensors cannot be evaluated.')}
        value={missing}
        onValue={(number) => onValue(writeLabel({ name, missing: number }))}
      />
    </>
  );
}
