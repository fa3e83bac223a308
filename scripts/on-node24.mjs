// Runs a script on Node 24, whatever node runs this: node scripts/on-node24.mjs FILE [ARGUMENTS]
// Packages of npm bring the binary, one for each system.
import { spawnSync } from 'node:child_process';

const system = `${process.platform}-${process.arch}`;
const name = system === 'darwin-arm64' ? `node-bin-${system}` : `node-${system}`;
const args = ['exec', '--yes', `--package=${name}@24`, '--', 'node', ...process.argv.slice(2)];
const { status } = spawnSync('npm', args, { stdio: 'inherit' });
process.exit(status ?? 1);
