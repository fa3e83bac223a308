/** A message and where it goes. */
export interface NewNotification {
  type: 'email' | 'url';
  /**
   * May hold variables: `$sensor_data_value`, `{{trigger_name}}` and the others of an expression.
   * @maxLength 10000
   */
  text?: string;
  /**
   * An email address, or an http or https URL.
   * @maxLength 2000
   */
  destination: string;
}

/** Makes a notification. */
export interface CreateNotificationRequest {
  notification: NewNotification;
}

/** The fields of a notification to change; those not given stay. */
export interface NotificationChanges {
  type?: 'email' | 'url';
  /** @maxLength 10000 */
  text?: string;
  /** @maxLength 2000 */
  destination?: string;
}

/** Changes a notification. */
export interface UpdateNotificationRequest {
  notification: NotificationChanges;
}
