import assert from 'node:assert/strict';
import { isChallenge, isVerifierOf } from '../../../../../src/people/oauth/oauth2/pkce';

describe('PKCE by S256', () => {
  // RFC 7636, appendix B.
  const verifier = 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk';
  const challenge = 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM';

  it('takes the example of the RFC', () => {
    assert.ok(isChallenge(challenge));
    assert.ok(isVerifierOf(verifier, challenge));
  });

  it('takes no other verifier, and nothing that cannot be one', () => {
    for (const text of [
      challenge,
      `${verifier}x`,
      verifier.toLowerCase(),
      '',
      'x'.repeat(42),
      'x'.repeat(129),
      `${verifier} `,
    ]) {
      assert.equal(isVerifierOf(text, challenge), false, text);
    }
    for (const text of ['', `${challenge}=`, challenge.slice(1), challenge.replace('-', '+')]) {
      assert.equal(isChallenge(text), false, text);
    }
  });
});
