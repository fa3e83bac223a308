// Installs the packages that package-lock.json lists, before scripts that need them at once and may be the first that is run.
import { fileURLToPath } from 'node:url';
import { ensurePackages } from './support/packages.mjs';

ensurePackages(fileURLToPath(new URL('..', import.meta.url)), console.error);
