import { parse } from 'yaml';

/**
 * A compose file as compose reads it with these variables: `${NAME}`, `:-` and `:?`, also in the defaults of others. `refused` has
 * the variables whose lack compose does not accept.
 */
export function readCompose(file, variables = {}) {
  let text = file.replace(/^ *#.*$/gm, '');
  const refused = new Set();
  const replace = (_, name, how = '', instead = '') => {
    const value = variables[name];
    if (value) return value;
    if (how === ':?') refused.add(name);
    return how === ':-' ? instead : '';
  };
  // The innermost first: none that has another one in it.
  for (let before = ''; before !== text; ) {
    before = text;
    text = text.replace(/(?<!\$)\$\{(\w+)(:[-?])?([^${}]*)\}/g, replace);
  }
  return { file: parse(text, { merge: true }), refused: [...refused].sort() };
}
