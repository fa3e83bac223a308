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
