import type { ComponentChildren } from 'preact';
import { useEffect, useId, useRef, useState } from 'preact/hooks';
import { t } from '../language';
import { Form } from './form';

/** A dialog in front of the page, which Escape also closes. */
function Dialog({ title, onClose, children }: { title: string; onClose: () => void; children: ComponentChildren }) {
  const dialog = useRef<HTMLDialogElement>(null);
  const id = useId();
  useEffect(() => {
    if (!dialog.current?.open) dialog.current?.showModal();
  }, []);
  return (
    <dialog ref={dialog} aria-labelledby={id} onClose={onClose}>
      <div class="stack">
        <h2 id={id}>{title}</h2>
        {children}
      </div>
    </dialog>
  );
}

/** A button that opens a dialog; the content gets a function that closes it. */
export function DialogButton({
  text,
  title,
  kind = '',
  label,
  children,
}: {
  text: ComponentChildren;
  title: string;
  kind?: string;
  label?: string;
  children: (close: () => void) => ComponentChildren;
}) {
  const [open, setOpen] = useState(false);
  const close = () => setOpen(false);
  return (
    <>
      <button
        type="button"
        class={`button ${kind}`}
        aria-haspopup="dialog"
        aria-label={label}
        onClick={() => setOpen(true)}
      >
        {text}
      </button>
      {open && (
        <Dialog title={title} onClose={close}>
          {children(close)}
        </Dialog>
      )}
    </>
  );
}

/** A button for an action that cannot be undone: it asks first, and names the loss. */
export function DangerButton({
  text,
  title,
  consequence,
  act,
  kind = 'danger',
  label,
}: {
  text: string;
  title: string;
  consequence: ComponentChildren;
  act: () => Promise<void>;
  kind?: string;
  label?: string;
}) {
  return (
    <DialogButton text={text} title={title} kind={kind} label={label}>
      {(close) => (
        <Form
          label={text}
          kind="danger"
          onCancel={close}
          submit={async () => {
            await act();
            close();
          }}
        >
          <p>{consequence}</p>
        </Form>
      )}
    </DialogButton>
  );
}

/** Deletes a thing of a list, after a question. */
export function DeleteButton({
  name,
  ...rest
}: {
  name: string;
  consequence: ComponentChildren;
  act: () => Promise<void>;
}) {
  return (
    <DangerButton
      text={t('Delete')}
      kind="danger small-button"
      label={t('Delete {name}', { name })}
      title={t('Delete {name}?', { name })}
      {...rest}
    />
  );
}
