/** Refusals about alerts in groups. */
export const TEAMS = {
  'in the group of this alert you may not handle alerts':
    'in der Gruppe dieses Alarms dürfen Sie Alarme nicht bearbeiten',
  'in this group you may not handle its alerts': 'in dieser Gruppe dürfen Sie die Alarme nicht bearbeiten',
  'in this group you may not see its alerts': 'in dieser Gruppe dürfen Sie die Alarme nicht sehen',
} as const;
