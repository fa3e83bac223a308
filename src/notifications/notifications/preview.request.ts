import { parseId } from '../../edge/id';
import { InvalidInput } from '../../platform/errors';
import type { Words } from '../../platform/words/words';
import type { ReportedState } from '../requests/webhook-request';
import { readNewNotification } from './new-notification.request';
import { type NewNotification, readNotification } from './notifications.request';
import { splitPreset } from './presets.request';

/** What a preview is of. */
export interface PreviewRequest {
  /** The fields as they would be saved. */
  notification: NewNotification;
  /**
   * The notification that the fields would change; a secret that is `…` there keeps its value. Without it, a new
   * notification.
   * @example "17"
   */
  id?: string;
  /**
   * The firing that is reported, one of your triggers; the latest one by default. Without firings it is a test with
   * marked samples.
   * @example "207"
   */
  firing_id?: string;
  /**
   * What is reported: the firing, the end of its episode, or its acknowledgement, which needs a `body_acknowledged`.
   * @example "firing"
   */
  state?: ReportedState;
}

/** Reads what a preview is of. InvalidInput names the wrong field. */
export function readPreview({ notification, id, firing_id, state = 'firing' }: PreviewRequest, words: Words) {
  const about = { firingId: idOf('firing_id', firing_id), state };
  const changedId = idOf('id', id);
  if (changedId === undefined)
    return { id: changedId, notification: readNewNotification(notification, words), ...about };
  if (notification.preset) throw InvalidInput.field('notification.preset', 'must be absent with an id');
  return { id: changedId, notification: readNotification(splitPreset(notification).own), ...about };
}

function idOf(field: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const id = parseId(text);
  if (id === null) throw InvalidInput.field(field, 'must be an id');
  return id;
}
