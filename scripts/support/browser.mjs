import { aptInstall, findBinary, mayInstall } from './binaries.mjs';

const names = ['chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome'];

/** The path of a Chromium, installed if allowed; undefined if there is none and it cannot be installed. */
export function ensureBrowser(log) {
  if (!findBinary(...names) && mayInstall()) aptInstall(['chromium'], log);
  return findBinary(...names);
}
