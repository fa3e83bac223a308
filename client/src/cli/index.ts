import { runCommand } from './command';

// The status is set, and the process left to end by itself: output to a pipe is not cut.
void runCommand(process.argv.slice(2), process).then((status) => {
  process.exitCode = status;
});
