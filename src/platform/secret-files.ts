import { readFileSync } from 'node:fs';

/** Settings that hold a secret: a process also takes each of them from the file that `<name>_FILE` names. */
export const SECRET_SETTINGS = [
  'MYSQL_URL',
  'REDIS_URL',
  'SECRETS_KEY',
  'METRICS_TOKEN',
  'SMTP_URL',
  'BOARD_PASSWORD',
  'BOARD_VIEWER_PASSWORD',
  'REGISTRATION_CODE',
  'OIDC_CLIENT_SECRET',
] as const;

type Environment = Readonly<Record<string, string | undefined>>;

/** True if the environment has this secret, itself or as a file. */
export function namesSecret(environment: Environment, name: (typeof SECRET_SETTINGS)[number]): boolean {
  return Boolean(environment[name] || environment[`${name}_FILE`]);
}

/**
 * The variables that are not empty, with secrets from files, without white space around them, where the variable itself is not
 * set; and a line for each file that is no use.
 */
export function readGiven(environment: Environment): { given: Record<string, string>; mistakes: string[] } {
  const given: Record<string, string> = {};
  for (const [name, value] of Object.entries(environment)) if (value) given[name] = value;
  const mistakes: string[] = [];
  for (const name of SECRET_SETTINGS) {
    const file = given[`${name}_FILE`];
    if (file === undefined || given[name] !== undefined) continue;
    const read = readSecret(file);
    if ('text' in read) given[name] = read.text;
    else mistakes.push(`${name}_FILE: ${read.mistake}`);
  }
  return { given, mistakes };
}

function readSecret(file: string): { text: string } | { mistake: string } {
  try {
    const text = readFileSync(file, 'utf8').trim();
    return text === '' ? { mistake: `${file} is empty` } : { text };
  } catch (error) {
    const reason = error instanceof Error && 'code' in error ? String(error.code) : String(error);
    return { mistake: `${file} cannot be read (${reason})` };
  }
}
