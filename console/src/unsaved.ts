import { t } from './language';

/** The forms on this page with input that was not sent. */
export const unsaved = new Set<object>();

/** True if the page may be left: nothing on it is unsaved, or the user says so. */
export function mayLeave(): boolean {
  return unsaved.size === 0 || window.confirm(t('Leave this page? What you have typed is lost.'));
}
