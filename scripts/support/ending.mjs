/**
 * Calls `end` once, when this process is asked to end or when the npm process that runs it has ended: npm passes signals
 * on, but not if it is killed.
 */
export function whenAskedToEnd(scriptName, end) {
  let asked = false;
  const once = (reason) => {
    if (asked) return;
    asked = true;
    end(reason);
  };
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(name, () => once(name));
  if (!process.env.npm_lifecycle_script?.includes(scriptName)) return;
  const parent = process.ppid;
  setInterval(() => process.ppid !== parent && once('npm has ended'), 500).unref();
}
