import assert from 'node:assert/strict';
import { HELP, helpOf } from '../../../console/src/help';
import { GUIDES } from '../../../src/api/docs/guide-table';
import { renderGuide } from '../../../src/api/docs/guides';
import { ApiReference } from '../../../src/api/docs/reference';
import { completeDocument } from '../../../src/api/openapi';
import openapi from '../../../src/generated/openapi.json';

describe('the help of the console', () => {
  const reference = new ApiReference(completeDocument(openapi), undefined);

  for (const [path, section] of HELP) {
    it(`is a section that exists: ${path || 'any other page'}`, () => {
      const [name, anchor] = section.split('#');
      const guide = GUIDES.find((one) => one.name === name);
      if (!guide) return assert.ok(reference.find(`docs/${name}`), section);
      const { headings } = renderGuide(guide, '');
      assert.ok(anchor === undefined || headings.some(({ id }) => id === anchor), section);
    });
  }

  it('is the most special one for a page', () => {
    assert.equal(helpOf('/triggers/5'), 'console#the-rule-builder');
    assert.equal(helpOf('/triggers'), 'alerts#the-fields-of-a-trigger');
    assert.equal(helpOf('/sensors/42/triggers/5'), 'expressions#when-a-trigger-fires');
    assert.equal(helpOf('/sensors/42'), 'console#charts');
    assert.equal(helpOf('/'), 'console#pages');
  });
});
