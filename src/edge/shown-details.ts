/** What a member can choose to show, by the columns. */
export const SHOWN_DETAILS = [
  'showFirstName',
  'showSurname',
  'showEmail',
  'showPhoneNumber',
  'showUsername',
  'showId',
] as const;

export type ShownDetail = (typeof SHOWN_DETAILS)[number];

export type DisplaySettings = Record<ShownDetail, boolean>;

/** Members begin with only the details that they agreed to show. */
export const SHOW_NOTHING = Object.fromEntries(
  SHOWN_DETAILS.map((detail) => [detail, false]),
) as Readonly<DisplaySettings>; // one for each detail

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
} as const;

/** The columns of a group with what it asks for. */
export const DEMANDED_DETAILS = Object.values(DEMAND_OF);

export type DisplayDemands = Record<'isAnonymous' | (typeof DEMANDED_DETAILS)[number], boolean>;

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
