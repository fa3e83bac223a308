import { useEffect, useRef } from 'preact/hooks';
import { t } from './language';

/** The forms on this page with input that was not sent. */
export const unsaved = new Set<object>();

/** True if the page may be left: nothing on it is unsaved, or the user says so. */
export function mayLeave(): boolean {
  return unsaved.size === 0 || window.confirm(t('Leave this page? What you have typed is lost.'));
}

/** Counts input as unsaved while `isUnsaved`, and no longer than its page is shown. */
export function useUnsaved(isUnsaved: boolean): void {
  const input = useRef({}).current;
  useEffect(() => {
    if (isUnsaved) unsaved.add(input);
    return () => void unsaved.delete(input);
  }, [isUnsaved, input]);
}
