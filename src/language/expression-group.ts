import type { Token } from './expression-tokens';

/** The state of one pair of brackets, or of the whole text. */
export interface Group {
  close: ')' | ']' | '';
  callee: Token | null;
  commas: number;
  /** Positions of `?` that have no `:` yet. */
  questions: number[];
  conditionals: number;
  // Start of the operand after the last `and or ? : ,` or bracket.
  operandStart: number;
  operandLed: boolean;
  negations: number;
}

export function newGroup(close: Group['close'], callee: Token | null, operandStart: number): Group {
  return { close, callee, commas: 0, questions: [], conditionals: 0, operandStart, operandLed: false, negations: 0 };
}
