import type { CredentialKind } from '../../operators/user-credentials';
import { type AddCommands, EXIT, positive, type Run } from '../command';
import { count, table, time } from '../text';
import { COMMAND_LINE } from './users';

const GROUPS: readonly [name: string, kind: CredentialKind, about: string][] = [
  ['sessions', 'session', 'logins'],
  ['keys', 'key', 'keys of devices and programs'],
  ['authorizations', 'authorization', 'applications that may use the account'],
];

export const addCredentials: AddCommands = (program, run) => {
  program
    .command('remove-second-factors')
    .description('remove the second factors of a user, who then signs in by the password alone and gets a mail')
    .argument('<user>', 'a username, or id:123')
    .action(removeSecondFactors(run));
  for (const [name, kind, about] of GROUPS) {
    const group = program.command(name).description(`${about} of a user: list, end`);
    group
      .command('list')
      .description(`the ${name} of a user, without any secret`)
      .argument('<user>', 'a username, or id:123')
      .action(list(run, kind));
    group
      .command('end')
      .description(`end one of the ${name} of a user, or all of them; it holds from the next request on`)
      .argument('<user>', 'a username, or id:123')
      .option('--id <id>', 'this one', positive)
      .option('--all', 'all of them')
      .action(end(run, kind));
  }
};

const list = (run: Run, kind: CredentialKind) =>
  run(async (platform, name: string) => {
    const { userCredentials } = platform.container().services.operations;
    const user = await userCredentials.user(name);
    const credentials = await userCredentials.list(kind, user.id);
    const rows = credentials.map(({ id, name: named, scopes, createdMs, usedMs, expiresMs }) => ({
      id,
      name: named,
      scopes,
      created: time(createdMs),
      used: time(usedMs),
      expires: time(expiresMs),
    }));
    return { data: { user, credentials }, lines: table(rows, `${user.username} has none`) };
  });

const removeSecondFactors = (run: Run) =>
  run(async (platform, name: string) => {
    const { userCredentials, userControl } = platform.container().services.operations;
    const user = await userCredentials.user(name);
    const subject = { userId: user.id, username: user.username, operator: COMMAND_LINE };
    const removed = await userControl.removeSecondFactors(subject);
    return {
      data: { user, removed },
      lines: [removed ? `removed from ${user.username}` : `${user.username} has none`],
    };
  });

const end = (run: Run, kind: CredentialKind) =>
  run(async (platform, name: string, { id, all }: { id?: number; all?: boolean }) => {
    if ((id === undefined) === (all !== true)) {
      const line = 'name one with --id, or say --all';
      return { data: { error: line }, lines: [line], exitCode: EXIT.usage };
    }
    const { userCredentials, userControl } = platform.container().services.operations;
    const user = await userCredentials.user(name);
    const subject = { userId: user.id, username: user.username, operator: COMMAND_LINE };
    const ended = await userControl.end(kind, subject, id);
    return { data: { user, ended }, lines: [`${count(ended, kind)} of ${user.username} ended`] };
  });
