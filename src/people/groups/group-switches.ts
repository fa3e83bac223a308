export const GROUP_SWITCHES = {
  public: 'isPublic',
  hidden: 'isHidden',
  anonymous: 'isAnonymous',
  default_list_users: 'defaultListUsers',
  default_add_users: 'defaultAddUsers',
  default_remove_users: 'defaultRemoveUsers',
  default_list_sensors: 'defaultListSensors',
  default_add_sensors: 'defaultAddSensors',
  default_remove_sensors: 'defaultRemoveSensors',
  required_show_first_name: 'requiredShowFirstName',
  required_show_surname: 'requiredShowSurname',
  required_show_email: 'requiredShowEmail',
  required_show_phone_number: 'requiredShowPhoneNumber',
  required_show_username: 'requiredShowUsername',
  required_show_id: 'requiredShowId',
  required_show_zipcode: 'requiredShowZipcode',
  required_show_address: 'requiredShowAddress',
  required_show_country: 'requiredShowCountry',
} as const;

export type GroupSwitch = (typeof GROUP_SWITCHES)[keyof typeof GROUP_SWITCHES];
