/** Refusals about alerts in groups. */
export const TEAMS = {
  'in the group of this alert you may not handle alerts':
    'in der Gruppe dieses Alarms dürfen Sie Alarme nicht bearbeiten',
  'in this group you may not handle its alerts': 'in dieser Gruppe dürfen Sie die Alarme nicht bearbeiten',
  'in this group you may not see its alerts': 'in dieser Gruppe dürfen Sie die Alarme nicht sehen',
  'members have {n} mutes on alerts of this user, which is as many as they can':
    'Mitglieder haben {n} Stummschaltungen für Alarme dieses Benutzers, mehr geht nicht',
  'you have {n} mutes on alerts of this user, which is as many as you can':
    'Sie haben {n} Stummschaltungen für Alarme dieses Benutzers, mehr geht nicht',
} as const;
