/** Why a trigger cannot depend on another one. */
export const DEPENDENCIES = {
  'at most {n} triggers in a row may depend on each other':
    'höchstens {n} Regeln nacheinander dürfen voneinander abhängen',
  'makes more than {n} triggers in a row depend on each other':
    'lässt mehr als {n} Regeln nacheinander voneinander abhängen',
  'makes triggers depend on each other in a cycle: {chain}': 'lässt Regeln im Kreis voneinander abhängen: {chain}',
  'the trigger that it depends on': 'die Regel, von der sie abhängt',
  'the trigger that this version depends on was deleted': 'die Regel, von der diese Version abhängt, wurde gelöscht',
  'the triggers would depend on each other in a cycle: {chain}':
    'die Regeln würden im Kreis voneinander abhängen: {chain}',
} as const;
