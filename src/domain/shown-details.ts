/** What members choose to show of themselves: as requests and answers name it, and as the membership does. */
export const SHOWN_DETAILS = {
  show_first_name: 'showFirstName',
  show_surname: 'showSurname',
  show_email: 'showEmail',
  show_phone_number: 'showPhoneNumber',
  show_username: 'showUsername',
  show_id: 'showId',
} as const;

export type ShownDetail = (typeof SHOWN_DETAILS)[keyof typeof SHOWN_DETAILS];

/** What a member chose to show. */
export type DisplaySettings = Record<ShownDetail, boolean>;

/** What a member shows by default: only what the group asks for. */
export const SHOW_NOTHING: Readonly<DisplaySettings> = {
  showFirstName: false,
  showSurname: false,
  showEmail: false,
  showPhoneNumber: false,
  showUsername: false,
  showId: false,
};

/** What a group asks of its members. */
export interface DisplayDemands {
  /** true: nothing is asked for, whatever else is set. */
  isAnonymous: boolean;
  requiredShowFirstName: boolean;
  requiredShowSurname: boolean;
  requiredShowEmail: boolean;
  requiredShowPhoneNumber: boolean;
  requiredShowUsername: boolean;
  requiredShowId: boolean;
  requiredShowZipcode: boolean;
  requiredShowAddress: boolean;
  requiredShowCountry: boolean;
}

/** What others see of a member: what they chose to show, and what the group asks for. */
export function shownDetails(group: DisplayDemands, chosen: DisplaySettings) {
  const asks = (required: boolean) => required && !group.isAnonymous;
  return {
    id: chosen.showId || asks(group.requiredShowId),
    username: chosen.showUsername || asks(group.requiredShowUsername),
    name: chosen.showFirstName || asks(group.requiredShowFirstName),
    surname: chosen.showSurname || asks(group.requiredShowSurname),
    email: chosen.showEmail || asks(group.requiredShowEmail),
    mobile: chosen.showPhoneNumber || asks(group.requiredShowPhoneNumber),
    address: asks(group.requiredShowAddress),
    zipcode: asks(group.requiredShowZipcode),
    country: asks(group.requiredShowCountry),
  };
}
