import { useRef } from 'preact/hooks';
import { t } from '../language';
import { say } from './toast';

/** A button that copies a text, even if the page is not served by HTTPS and has no clipboard. */
export function CopyButton({ text, label }: { text: string; label: string }) {
  const button = useRef<HTMLButtonElement>(null);
  const copy = async () => {
    const isCopied = await navigator.clipboard?.writeText(text).then(
      () => true,
      () => false,
    );
    say(isCopied || copyBySelection(text, button.current) ? t('Copied.') : t('Select the text and copy it.'));
  };
  return (
    <button ref={button} type="button" class="button small-button" aria-label={label} onClick={() => void copy()}>
      {t('Copy')}
    </button>
  );
}

/** A secret that is shown only once; in a dialog with a button that closes it. */
export function NewSecret({ secret, label, close }: { secret: string; label: string; close?: () => void }) {
  return (
    <div class="line">
      <span>{t('Copy it now. You will not see it again.')}</span>
      <code class="secret">{secret}</code>
      <CopyButton text={secret} label={label} />
      {close && (
        <button type="button" class="button small-button" onClick={close}>
          {t('Done')}
        </button>
      )}
    </div>
  );
}

/** Uses a temporary field next to the button: elsewhere a dialog would keep the focus from it. */
function copyBySelection(text: string, button: HTMLButtonElement | null): boolean {
  const field = document.createElement('textarea');
  field.value = text;
  field.className = 'only-read';
  button?.after(field);
  field.select();
  const isCopied = document.execCommand('copy');
  field.remove();
  button?.focus();
  return isCopied;
}
