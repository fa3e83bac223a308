/**
 * The URL that a text spells, or undefined. Never by `URL.canParse`: once it has run some thousand times, that of Node 20
 * and 22 takes a URL with letters such as `ü` for none (https://github.com/AikidoSec/firewall-node/pull/1086).
 */
export function parseUrl(text: string): URL | undefined {
  try {
    return new URL(text);
  } catch {
    return undefined;
  }
}
