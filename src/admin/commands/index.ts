import type { AddCommands } from '../command';
import { addBacklog } from './backlog';
import { addBackup } from './backup';
import { addCredentials } from './credentials';
import { addFailures } from './failures';
import { addMigrate } from './migrate';
import { addPacking } from './packing';
import { addPurge } from './purge';
import { addQuarantine } from './quarantine';
import { addReceivers } from './receivers';
import { addRedeliver } from './redeliver';
import { addRestore } from './restore';
import { addTrace } from './trace';
import { addUsers } from './users';
import { addVerify } from './verify';
import { addVerifyAudit } from './verify-audit';

/** In the order of the help. */
export const COMMANDS: readonly AddCommands[] = [
  addBacklog,
  addFailures,
  addRedeliver,
  addTrace,
  addReceivers,
  addQuarantine,
  addUsers,
  addCredentials,
  addVerify,
  addVerifyAudit,
  addMigrate,
  addPacking,
  addPurge,
  addBackup,
  addRestore,
];
