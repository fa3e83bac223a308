import { useState } from 'preact/hooks';
import { readTyped, showTyped, typedProblem } from '../typed-number';
import { Field, type FieldProps, refusing } from './form';

type NumberProps = Omit<FieldProps, 'inputMode' | 'pattern' | 'title' | 'type'>;

/** A field for a number in the user's format; the value is as JavaScript writes it, and empty for an unclear number. */
export function NumberField({ value, onValue, problem, ...rest }: NumberProps) {
  const [typed, setTyped] = useState('');
  const shown = (readTyped(typed) ?? '') === value ? typed : showTyped(value);
  const onTyped = (text: string) => {
    setTyped(text);
    onValue(readTyped(text) ?? '');
  };
  const unclear = typedProblem(shown);
  return (
    <Field
      {...rest}
      {...refusing(unclear)}
      inputMode="decimal"
      value={shown}
      onValue={onTyped}
      problem={unclear ?? problem}
    />
  );
}
