export const SHOWN_DETAILS = {
  show_first_name: 'showFirstName',
  show_surname: 'showSurname',
  show_email: 'showEmail',
  show_phone_number: 'showPhoneNumber',
  show_username: 'showUsername',
  show_id: 'showId',
} as const;

export type ShownDetail = (typeof SHOWN_DETAILS)[keyof typeof SHOWN_DETAILS];

export type DisplaySettings = Record<ShownDetail, boolean>;

/** Members begin with only the details that they agreed to show. */
export const SHOW_NOTHING: Readonly<DisplaySettings> = {
  showFirstName: false,
  showSurname: false,
  showEmail: false,
  showPhoneNumber: false,
  showUsername: false,
  showId: false,
};

export interface DisplayDemands {
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

/** What a group may ask for, by what a member then agrees to show. */
const DEMAND_OF = {
  agreedFirstName: 'requiredShowFirstName',
  agreedSurname: 'requiredShowSurname',
  agreedEmail: 'requiredShowEmail',
  agreedPhoneNumber: 'requiredShowPhoneNumber',
  agreedUsername: 'requiredShowUsername',
  agreedId: 'requiredShowId',
  agreedZipcode: 'requiredShowZipcode',
  agreedAddress: 'requiredShowAddress',
  agreedCountry: 'requiredShowCountry',
} as const satisfies Record<string, keyof DisplayDemands>;

export type AgreedDetail = keyof typeof DEMAND_OF;

/** The group's demands when the member joined or asked to join. */
export type AgreedDetails = Record<AgreedDetail, boolean>;

/** What a user agrees to show by joining now, or asking to join. */
export function agreedDetails(group: DisplayDemands): AgreedDetails {
  const agreed = AGREED_DETAILS.map((detail) => [detail, !group.isAnonymous && group[DEMAND_OF[detail]]]);
  return Object.fromEntries(agreed) as AgreedDetails; // one entry for each detail
}

/** What current members no longer need to show after a change of demands. */
export function detailsGivenUp(changes: Partial<DisplayDemands>): AgreedDetail[] {
  return AGREED_DETAILS.filter((detail) => changes.isAnonymous === true || changes[DEMAND_OF[detail]] === false);
}

/** Chosen and agreed details. */
export function shownDetails(member: DisplaySettings & AgreedDetails) {
  return {
    id: member.showId || member.agreedId,
    username: member.showUsername || member.agreedUsername,
    name: member.showFirstName || member.agreedFirstName,
    surname: member.showSurname || member.agreedSurname,
    email: member.showEmail || member.agreedEmail,
    mobile: member.showPhoneNumber || member.agreedPhoneNumber,
    address: member.agreedAddress,
    zipcode: member.agreedZipcode,
    country: member.agreedCountry,
  };
}

const AGREED_DETAILS = Object.keys(DEMAND_OF) as AgreedDetail[]; // the keys of the table
