import assert from 'node:assert/strict';
import { spreadsheetQuery } from '../../../console/src/spreadsheet';

describe('the download for spreadsheets', () => {
  it('has semicolons where the language writes decimal commas, and dates in the zone of the user', () => {
    const plain = 'dates=local&timezone=Europe%2FBerlin&bom=1';
    for (const language of ['de', 'fr-FR', 'nl-NL', 'pt-BR', 'pl'])
      assert.equal(spreadsheetQuery('Europe/Berlin', language), `${plain}&separator=semicolon`, language);
    for (const language of ['en', 'en-GB', 'ja', 'de-CH', 'th'])
      assert.equal(spreadsheetQuery('Europe/Berlin', language), plain, language);
  });
});
