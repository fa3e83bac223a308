import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { t } from '../../language';
import { Field, Form } from '../../ui/form';
import { isThisComputer } from './ways';

/** Asks for a name, and makes a key with it; the children say what the key may do. */
export function KeyForm({
  label,
  field,
  name: initial,
  make,
  onCancel,
  children,
}: {
  label: string;
  field: string;
  name: string;
  make: (name: string) => Promise<void>;
  onCancel?: () => void;
  children: ComponentChildren;
}) {
  const [name, setName] = useState(initial);
  return (
    <Form label={label} submit={() => make(name)} {...(onCancel && { onCancel })}>
      <Field label={field} value={name} onValue={setName} required maxLength={255} />
      <p class="quiet">{children}</p>
    </Form>
  );
}

/** Warns of an address that no device can use. */
export function AddressNote() {
  if (!isThisComputer()) return null;
  return (
    <p class="small quiet">
      {t('{host} is this computer. A device needs the address of this computer in the network.', {
        host: window.location.hostname,
      })}
    </p>
  );
}
