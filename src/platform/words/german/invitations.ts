/** Why an invitation is refused. */
export const INVITATIONS = {
  'the user has asked to join: accept the request instead':
    'der Benutzer hat schon um Aufnahme gebeten: Nehmen Sie stattdessen die Anfrage an',
  'the user is a member already': 'der Benutzer ist schon Mitglied',
  'the user sees the sensor already': 'der Benutzer sieht den Sensor schon',
  'this user takes no invitations from you': 'dieser Benutzer nimmt von Ihnen keine Einladungen an',
  'too many invitations in this hour; try again later':
    'zu viele Einladungen in dieser Stunde; versuchen Sie es später noch einmal',
  'you block the owner of this sensor: unblock them first':
    'Sie blockieren den Eigentümer dieses Sensors: Heben Sie das zuerst auf',
  '{n} invitations are open, which is as many as there can be: withdraw some':
    '{n} Einladungen sind offen, mehr sind nicht möglich: Ziehen Sie einige zurück',
} as const;
