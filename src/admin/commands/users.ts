import { Option } from 'commander';
import { SORTS, type UserSort } from '../../operators/user-usage';
import { type AddCommands, positive, type Run } from '../command';
import { table, time } from '../text';

export const COMMAND_LINE = 'command line';

export const addUsers: AddCommands = (program, run) => {
  const users = program.command('users').description('users: list, disable, enable; what operators did');
  users
    .command('list')
    .description('users, with what they used in the last 24 hours')
    .option('--search <text>', 'a part of the username or of the email address', '')
    .addOption(new Option('--sort <by>', 'what comes first').choices(Object.keys(SORTS)).default('username'))
    .option('--limit <count>', 'maximum number of users', positive, 50)
    .action(list(run));
  users
    .command('disable')
    .description('refuse the password, sessions, keys and uploads of an account, and stop its triggers; its data stays')
    .argument('<user>', 'a username, or id:123')
    .action(change(run, 'disable'));
  users
    .command('enable')
    .description('let a disabled account work again')
    .argument('<user>', 'a username, or id:123')
    .action(change(run, 'enable'));
  users
    .command('log')
    .description('what operators did, newest first')
    .option('--limit <count>', 'maximum number of actions', positive, 50)
    .action(log(run));
};

const list = (run: Run) =>
  run(async (platform, { search, sort, limit }: { search: string; sort: UserSort; limit: number }) => {
    const { userUsages } = platform.container().services.operations;
    const { users, total } = await userUsages.list({ search, sort, limit, offset: 0 });
    const rows = users.map((user) => ({
      id: user.id,
      user: user.username,
      email: user.emailState,
      created: time(user.createdMs),
      seen: time(user.seenMs),
      sensors: user.sensors,
      points: user.points,
      deliveries: user.deliveries,
      disabled: time(user.disabledMs),
    }));
    return { data: { users, total }, lines: table(rows, 'no user matches') };
  });

const change = (run: Run, name: 'disable' | 'enable') =>
  run(async (platform, text: string) => {
    const { userCredentials, userControl } = platform.container().services.operations;
    const user = await userCredentials.user(text);
    const changed = await userControl[name]({ userId: user.id, username: user.username, operator: COMMAND_LINE });
    const lines = [`${user.username} ${changed ? 'is' : 'was already'} ${name}d`];
    return { data: { user, disabled: name === 'disable', changed }, lines };
  });

const log = (run: Run) =>
  run(async (platform, { limit }: { limit: number }) => {
    const actions = await platform.container().services.operations.actions.latest(limit);
    const rows = actions.map(({ dateMs, operator, action, userId, subject }) => ({
      when: time(dateMs),
      operator,
      action,
      subject: userId === null ? subject : `${subject} (id:${userId})`,
    }));
    return { data: actions, lines: table(rows, 'operators did nothing in the last year') };
  });
