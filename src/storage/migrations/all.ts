import { createArchives } from './archives';
import { createAudit } from './audit';
import { addPreviousToHeads } from './audit-head-previous';
import { createBaseline } from './baseline';
import { createInvitations } from './create-invitations';
import { createFleets } from './fleets';
import { addGroupAlerts } from './group-alerts';
import { createIdentities } from './identities';
import { createLoginNetworks } from './login-networks';
import type { Migration } from './migration';
import { createPasskeys } from './passkeys';
import { createRuleSets } from './rule-sets';
import { createSecondFactors } from './second-factors';
import { sessionBrowsers } from './session-browsers';
import { addTriggerDependencies } from './trigger-dependencies';
import { createTriggerShadows } from './trigger-shadows';
import { createTriggerVersions } from './trigger-versions';
import { addUserLanguage } from './user-language';
import { addWeeklyReports } from './weekly-reports';

/** Every migration, oldest first. */
export const migrations: readonly Migration[] = [
  createBaseline,
  createInvitations,
  sessionBrowsers,
  addUserLanguage,
  createTriggerVersions,
  createTriggerShadows,
  addWeeklyReports,
  createRuleSets,
  createFleets,
  addTriggerDependencies,
  createIdentities,
  addGroupAlerts,
  createSecondFactors,
  createPasskeys,
  createLoginNetworks,
  createAudit,
  addPreviousToHeads,
  createArchives,
];
