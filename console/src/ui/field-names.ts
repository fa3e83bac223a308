/** Names of the API's fields in the console, where they differ. */
const NAMES: Readonly<Record<string, string>> = {
  access_password: 'password of the group',
  data_type: 'values',
  destination: 'address',
  device_type: 'model of the device',
  display_name: 'shown as',
  expression: 'fires when',
  gps_outline: 'outline',
  hold: 'for at least',
  inactivity: 'or when no data comes for',
  keep_firing_for: 'over for at least',
  metatag_name: 'metatag',
  mobile: 'phone',
  name: 'name',
  note: 'note',
  notification_id: 'to',
  resolve_expression: 'ends when',
  resolved_text: 'text when it is over',
  selector: 'also follows',
  source_id: 'only in this',
  url: 'broker',
};

/** The name of a field in a refusal, for example `mute.weekly.from`, in the form: “From”. */
export function fieldName(path: string): string {
  const last =
    path
      .replace(/\[\d+\]/g, '')
      .split('.')
      .pop() ?? path;
  const name = NAMES[last] ?? last.replaceAll('_', ' ');
  return `“${name.charAt(0).toUpperCase()}${name.slice(1)}”`;
}
