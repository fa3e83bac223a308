import { aptInstall, findBinary, mayInstall } from './binaries.mjs';

const names = ['chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome'];

/** The path of a Chromium, which is installed where we may; undefined where there is none and we may not. */
export function ensureBrowser(log) {
  if (!findBinary(...names) && mayInstall()) aptInstall(['chromium'], log);
  return findBinary(...names);
}
