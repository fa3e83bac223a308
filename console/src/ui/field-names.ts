import { type PlainText, t } from '../language';

/** Names of the API's fields in the console, where they differ. */
const NAMES: Readonly<Record<string, PlainText>> = {
  access_password: 'Password of the group',
  data_type: 'Values',
  destination: 'Address',
  device_type: 'Model of the device',
  display_name: 'Shown as',
  expression: 'Fires when',
  gps_outline: 'Outline',
  hold: 'For at least',
  inactivity: 'Or when no data arrives for',
  keep_firing_for: 'Over for at least',
  metatag_name: 'Metatag',
  mobile: 'Phone',
  notification_id: 'To',
  parameters: 'Settings',
  resolve_expression: 'Ends when',
  resolved_text: 'Text when it is over',
  selector: 'Also follows',
  source_id: 'Only in this',
  to: 'To|time',
  url: 'Broker',
};

/** The name of a field of the API, as the forms label it. */
export function labelOf(field: string): string {
  const words = field.replaceAll('_', ' ');
  const name = NAMES[field] ?? `${words.charAt(0).toUpperCase()}${words.slice(1)}`;
  return t(name as PlainText); // a name without a translation stays
}

/** The name of a field in a refusal, for example `mute.weekly.from`, in the form: “From”. */
export function fieldName(path: string): string {
  const last =
    path
      .replace(/\[\d+\]/g, '')
      .split('.')
      .pop() ?? path;
  return t('“{name}”', { name: labelOf(last) });
}
