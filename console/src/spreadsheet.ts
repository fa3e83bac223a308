/**
 * The parameters of a download in CSV for a spreadsheet: ISO dates, a byte order mark, and semicolons with decimal commas where the
 * language of the browser writes these. Without a language it is that of the browser.
 */
export function spreadsheetQuery(language?: string): string {
  const decimal = new Intl.NumberFormat(language).formatToParts(1.5).find(({ type }) => type === 'decimal');
  return `dates=iso&bom=1${decimal?.value === ',' ? '&separator=semicolon' : ''}`;
}
