import { bareCall, lastArgument, requireArguments } from './expression-calls';
import { type Group, newGroup } from './expression-group';
import { unexpected, variableProblem } from './expression-hints';
import { SyntaxProblem, type Token, tokensOf } from './expression-tokens';
import { type CheckedSyntax, namesIn, type Placeholder, type Vocabulary } from './expression-vocabulary';
import { TokenCursor } from './token-cursor';
import { isWindowFunction, type WindowFunction } from './windows/window-call';

const MAX_NESTING = 100;
const CONSTANTS: ReadonlySet<string> = new Set(['true', 'false', 'null']);

/** Throws SyntaxProblem. */
export function checkSyntax(text: string, vocabulary: Vocabulary): CheckedSyntax {
  return new Rewriter(tokensOf(text), vocabulary).run();
}

/**
 * Wraps operands of `and`, `or` and `?` in `truth(..)`, and the operand of `not` in brackets: the evaluator would read
 * `not a > 5` as `(not a) > 5`.
 */
class Rewriter {
  private readonly out: string[] = [];
  private readonly placeholders: Placeholder[] = [];
  private readonly placeholderIndexes = new Map<string, number>();
  private readonly groups: Group[] = [];
  private group = newGroup('', null, 0);
  private depth = 0;
  private readonly tokens: TokenCursor;

  constructor(
    tokens: readonly Token[],
    private readonly vocabulary: Vocabulary,
  ) {
    this.tokens = new TokenCursor(tokens);
  }

  run(): CheckedSyntax {
    let wantsOperand = true;
    for (let token = this.tokens.take(); token.kind !== 'end'; token = this.tokens.take()) {
      wantsOperand = wantsOperand ? this.operand(token) : this.operator(token);
    }
    const { end } = this.tokens;
    if (wantsOperand) throw new SyntaxProblem('the expression ends where a value is needed', end);
    this.endOperand('');
    this.refuseOpenQuestion();
    if (this.groups.length > 0) throw new SyntaxProblem(`"${this.group.close}" is missing`, end);
    return { text: this.out.join(' '), placeholders: this.placeholders };
  }

  /** Returns true while a value is still needed. */
  private operand(token: Token): boolean {
    switch (token.kind) {
      case 'number':
        this.out.push(token.value);
        return false;
      case 'text':
        this.pushPlaceholder(`"${token.value}`, { kind: 'constant', value: token.value });
        return false;
      case 'name':
        return this.name(token);
      case 'open':
        this.open(token.value === '(' ? ')' : ']', null, token);
        return true;
      case 'close':
        return this.closeEmpty(token);
      case 'operator':
        return this.prefix(token);
      default:
        throw unexpected(token);
    }
  }

  private operator(token: Token): boolean {
    if (token.kind === 'close') return this.close(token);
    if (token.kind === 'comma') {
      if (this.group.close === '' || (this.group.close === ')' && !this.group.callee)) throw unexpected(token);
      this.endOperand(',');
      this.refuseOpenQuestion();
      this.depth -= this.group.conditionals;
      this.group.conditionals = 0;
      this.group.commas += 1;
      this.out.push(',');
      return true;
    }
    if (token.kind !== 'operator' || token.value === 'not') throw unexpected(token);
    if (token.value === '?') {
      this.deepen(token);
      this.endOperand('?');
      this.group.conditionals += 1;
      this.group.questions.push(token.position);
    } else if (token.value === ':') {
      this.endOperand(':');
      if (this.group.questions.pop() === undefined) throw unexpected(token);
    } else if (token.value === 'and' || token.value === 'or') {
      this.endOperand(token.value);
    }
    this.out.push(token.value);
    return true;
  }

  private name(token: Token): boolean {
    const { value, path, position } = token;
    const called = this.tokens.isNext('(');
    if (path.length === 0 && !called && CONSTANTS.has(value)) return this.constant(value);
    const arity = path.length === 0 && !this.vocabulary.isVariable(value) ? this.vocabulary.arity(value) : undefined;
    if (arity !== undefined) {
      const needed = arity === 0 ? 'brackets, without arguments' : 'its arguments in brackets';
      if (!called) throw new SyntaxProblem(`the function "${value}" needs ${needed}`, position);
      if (arity === 0) return this.time(token);
      this.out.push(value);
      this.open(')', token, this.tokens.take());
      return true;
    }
    const special = path.length === 0 ? this.special(token, called) : undefined;
    if (special !== undefined) return special;
    const problem = variableProblem(token, called, this.vocabulary);
    if (problem) throw problem;
    return this.variable(token);
  }

  /** A call that the evaluator does not know. */
  private special(token: Token, called: boolean): boolean | undefined {
    if (isWindowFunction(token.value)) return this.window(token, token.value);
    if (!called || token.value !== 'label') return undefined;
    if (!this.vocabulary.hasLabels) throw new SyntaxProblem('the function "label" cannot be used here', token.position);
    const call = this.tokens.takeLabel();
    this.pushPlaceholder(`label ${JSON.stringify(call)}`, { kind: 'label', ...call });
    return false;
  }

  private variable({ value: name, path }: Token): boolean {
    const [first] = path;
    const owner = first === undefined ? name : (this.vocabulary.ownerOf(name, first) ?? name);
    this.pushPlaceholder(`${name} ${JSON.stringify(path)}`, { kind: 'variable', name, owner, path });
    return false;
  }

  private constant(value: string): boolean {
    if (value === 'null') this.pushPlaceholder('null', { kind: 'constant', value: null });
    else this.out.push(value);
    return false;
  }

  private time({ value, position }: Token): boolean {
    this.tokens.take();
    if (!this.tokens.isNext(')')) throw new SyntaxProblem(`"${value}" takes no arguments`, position);
    this.tokens.take();
    this.pushPlaceholder(`${value}()`, bareCall(value));
    return false;
  }

  private window({ position }: Token, name: WindowFunction): boolean {
    if (!this.tokens.isNext('('))
      throw new SyntaxProblem(`the function "${name}" needs its arguments in brackets`, position);
    const { windows } = this.vocabulary;
    if (windows === 'inside') throw new SyntaxProblem(`the window function "${name}" within another one`, position);
    if (!windows) throw new SyntaxProblem(`the window function "${name}" cannot be used here`, position);
    const { inner, seconds, parameter } = this.tokens.takeWindow(name);
    const x = new Rewriter(inner, windows).run();
    const problem = windows.windowProblem?.(namesIn(x.placeholders));
    if (problem !== undefined) throw new SyntaxProblem(`the window function "${name}" ${problem}`, position);
    const placeholder: Placeholder = { kind: 'window', name, key: JSON.stringify(x), x, seconds, parameter };
    this.pushPlaceholder(JSON.stringify(placeholder), placeholder);
    return false;
  }

  private prefix(token: Token): boolean {
    if (token.value === 'not') {
      this.deepen(token);
      this.group.negations += 1;
      this.out.push('not', '(');
    } else if (token.value === '-' || token.value === '+') {
      this.out.push(token.value);
    } else {
      throw unexpected(token);
    }
    return true;
  }

  private open(close: ')' | ']', callee: Token | null, token: Token): void {
    this.deepen(token);
    this.out.push(token.value);
    this.groups.push(this.group);
    this.group = newGroup(close, callee, this.out.length);
  }

  /** `[]` is a list; `()` is nothing. */
  private closeEmpty(token: Token): boolean {
    if (token.value !== ']' || this.out.at(-1) !== '[') throw unexpected(token);
    return this.leave(token);
  }

  private close(token: Token): boolean {
    if (token.value !== this.group.close) throw unexpected(token);
    this.endOperand('');
    this.refuseOpenQuestion();
    const { callee, commas } = this.group;
    if (callee) this.endCall(callee, commas + 1);
    return this.leave(token);
  }

  private endCall(callee: Token, given: number): void {
    requireArguments(callee, given, this.vocabulary);
    const unwritten = lastArgument(callee.value, this.vocabulary);
    if (!unwritten) return;
    this.out.push(',');
    this.pushPlaceholder(JSON.stringify(unwritten), unwritten);
  }

  private leave(token: Token): boolean {
    this.out.push(token.value);
    this.depth -= this.group.conditionals + 1;
    this.group = this.groups.pop() ?? this.group;
    return false;
  }

  private refuseOpenQuestion(): void {
    const open = this.group.questions.at(-1);
    if (open !== undefined) throw new SyntaxProblem('the "?" without a ":"', open);
  }

  private endOperand(separator: string): void {
    const { group, out } = this;
    for (; group.negations > 0; group.negations -= 1) {
      out.push(')');
      this.depth -= 1;
    }
    if (group.operandLed || separator === 'and' || separator === 'or' || separator === '?') {
      out[group.operandStart] = `truth ( ${out[group.operandStart]}`;
      out.push(')');
    }
    group.operandLed = separator === 'and' || separator === 'or';
    // The separator itself comes first.
    group.operandStart = out.length + 1;
  }

  private pushPlaceholder(key: string, placeholder: Placeholder): void {
    let index = this.placeholderIndexes.get(key);
    if (index === undefined) {
      index = this.placeholders.push(placeholder) - 1;
      this.placeholderIndexes.set(key, index);
    }
    this.out.push(`v${index}`);
  }

  private deepen(token: Token): void {
    this.depth += 1;
    if (this.depth > MAX_NESTING) throw new SyntaxProblem('the expression is nested too deeply', token.position);
  }
}
