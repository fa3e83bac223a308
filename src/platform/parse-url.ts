/**
 * Undefined if invalid. `URL.canParse` is not used: after some thousand calls in Node 20 and 22 it rejects a URL with
 * letters such as `ü` (https://github.com/AikidoSec/firewall-node/pull/1086).
 */
export function parseUrl(text: string): URL | undefined {
  try {
    return new URL(text);
  } catch {
    return undefined;
  }
}
