import { APPLICATIONS } from './applications';
import { ARCHIVES } from './archives';
import { DEPENDENCIES } from './dependencies';
import { EVENTS } from './events';
import { EXPRESSIONS } from './expressions';
import { FLEETS } from './fleets';
import { IDENTITIES } from './identities';
import { INVITATIONS } from './invitations';
import { LIMITS } from './limits';
import { LINKS } from './links';
import { MAILS } from './mails';
import { OPERATORS } from './operators';
import { PROBLEMS } from './problems';
import { REASONS } from './reasons';
import { REFUSALS } from './refusals';
import { RULE_SETS } from './rule-sets';
import { RULES } from './rules';
import { SECOND_FACTORS } from './second-factors';
import { SHADOWS } from './shadows';
import { TEAMS } from './teams';
import { WARNINGS } from './warnings';
import { WEEKLY_MAILS } from './weekly-mails';

/** What `Words.said` knows: texts that are written where no reader is known, such as errors. */
export const GERMAN_WRITTEN = {
  ...ARCHIVES,
  ...DEPENDENCIES,
  ...EVENTS,
  ...EXPRESSIONS,
  ...FLEETS,
  ...IDENTITIES,
  ...INVITATIONS,
  ...LIMITS,
  ...PROBLEMS,
  ...REASONS,
  ...REFUSALS,
  ...RULES,
  ...SECOND_FACTORS,
  ...SHADOWS,
  ...RULE_SETS,
  ...TEAMS,
  ...WARNINGS,
} as const;

/** Texts of the platform in German, by their English texts. */
export const GERMAN = {
  ...APPLICATIONS,
  ...LINKS,
  ...MAILS,
  ...OPERATORS,
  ...WEEKLY_MAILS,
  ...GERMAN_WRITTEN,
} as const;
