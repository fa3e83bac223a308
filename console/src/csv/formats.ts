/** What separates cells if nothing else does: loggers align their columns so. */
export const BLANKS = ' ';
/** Instead of a separator. */
export const JSON_FORMAT = 'JSON';
export const WORKBOOK_FORMAT = 'XLSX';
