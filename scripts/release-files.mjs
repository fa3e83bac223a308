// node scripts/release-files.mjs OWNER/REPOSITORY FOLDER [DIGEST]: writes what a release publishes besides the image and the client: its
// notes, compose.yml and the chart, which name the image by this digest.
import { fileURLToPath } from 'node:url';
import { writeReleaseFiles } from './support/release.mjs';

const [repository, out, digest] = process.argv.slice(2);
if (!/^[\w.-]+\/[\w.-]+$/.test(repository ?? '') || !out || !/^(sha256:[0-9a-f]{64})?$/.test(digest ?? '')) {
  console.error('usage: node scripts/release-files.mjs OWNER/REPOSITORY FOLDER [sha256:…]');
  process.exit(64);
}
writeReleaseFiles(fileURLToPath(new URL('..', import.meta.url)), out, { repository, digest });
