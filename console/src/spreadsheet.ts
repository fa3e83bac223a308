/**
 * The parameters of a download in CSV for a spreadsheet: ISO dates, a byte order mark, and semicolons with decimal
 * commas if the language uses them. The language is the browser's by default.
 */
export function spreadsheetQuery(language?: string): string {
  const decimal = new Intl.NumberFormat(language).formatToParts(1.5).find(({ type }) => type === 'decimal');
  return `dates=iso&bom=1${decimal?.value === ',' ? '&separator=semicolon' : ''}`;
}
