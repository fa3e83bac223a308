import assert from 'node:assert/strict';
import { spreadsheetQuery } from '../../../console/src/spreadsheet';

describe('the download for spreadsheets', () => {
  it('has semicolons where the language writes decimal commas', () => {
    for (const language of ['de', 'fr-FR', 'nl-NL', 'pt-BR', 'pl'])
      assert.equal(spreadsheetQuery(language), 'dates=iso&bom=1&separator=semicolon', language);
    for (const language of ['en', 'en-GB', 'ja', 'de-CH', 'th'])
      assert.equal(spreadsheetQuery(language), 'dates=iso&bom=1', language);
  });
});
