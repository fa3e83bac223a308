/** Exports and imports. */
export const ARCHIVES = {
  'a file must not be encoded again': 'eine Datei darf nicht noch einmal kodiert sein',
  'an application may not export the account': 'eine Anwendung darf das Konto nicht exportieren',
  'must be percent-encoded, and at most {n} characters': 'muss prozentkodiert sein, mit höchstens {n} Zeichen',
  'the body must be the zip file of an export': 'der Inhalt muss die Zip-Datei eines Exports sein',
  'the export': 'der Export',
  'the export before this one is not over: wait for it, or cancel it':
    'der Export davor ist noch nicht fertig: Warten Sie auf ihn, oder brechen Sie ihn ab',
  'the file': 'die Datei',
  'the file is larger than {n} MB': 'die Datei ist größer als {n} MB',
  'the import': 'der Import',
  'the import before this one is not over: wait for it, or cancel it':
    'der Import davor ist noch nicht fertig: Warten Sie auf ihn, oder brechen Sie ihn ab',
  'the import was cancelled': 'der Import wurde abgebrochen',
} as const;
