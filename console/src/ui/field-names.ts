/** What fields of the API are called in the console, where that is not the name itself. */
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
  mobile: 'phone',
  name: 'name',
  note: 'note',
  notification_id: 'to',
  resolved_text: 'text when it is over',
  source_id: 'only in this',
};

/** The name of a field in a refusal, `mute.weekly.from` for instance, as the form has it: “From”. */
export function fieldName(path: string): string {
  const last =
    path
      .replace(/\[\d+\]/g, '')
      .split('.')
      .pop() ?? path;
  const name = NAMES[last] ?? last.replaceAll('_', ' ');
  return `“${name.charAt(0).toUpperCase()}${name.slice(1)}”`;
}
