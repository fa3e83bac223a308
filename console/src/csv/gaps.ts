const GAP =
  /^(?:-{1,3}|\.|\?+|n\/?a|[-+]?nan|[-+]?inf|[-+]?infinity|null|nil|none|undefined|unavailable|unknown|missing|no ?data|n\.\s?v\.|k\.\s?a\.|s\/d)?$/i;
/** The errors of spreadsheets, in any language: #DIV/0!, #WERT!, #N/A. */
const SPREADSHEET_ERROR = /^#[\p{Lu}¡¿][\p{Lu}\d/]*[!?]?$/u;

/** True if a cell means that there is no value. */
export function isGap(cell: string): boolean {
  const text = cell.trim();
  return GAP.test(text) || SPREADSHEET_ERROR.test(text);
}
