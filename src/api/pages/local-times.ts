/** Adds the time of the browser's zone to each `<time>` of a page, which is in UTC. */
export const LOCAL_TIMES = `const fields = { year: 'numeric', month: 'short', day: 'numeric', hour: '2-digit', minute: '2-digit', second: '2-digit' };
const format = new Intl.DateTimeFormat(undefined, { ...fields, timeZoneName: 'short' });
for (const time of document.querySelectorAll('time')) {
  const date = new Date(time.dateTime);
  if (date.getTimezoneOffset() === 0) continue;
  const local = document.createElement('span');
  local.className = 'quiet small';
  local.textContent = format.format(date);
  time.append(document.createElement('br'), local);
}
`;
