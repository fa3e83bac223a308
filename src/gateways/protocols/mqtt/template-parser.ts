import { FUNCTIONS, isTrue } from './template-functions';
import { COMPARISONS, computed, type Evaluate, valueAt } from './template-operations';
import { NotUnderstood, TemplateTokens } from './template-tokens';

/** Maximum nesting of brackets and operators. */
const MAX_DEPTH = 40;
const CONSTANTS: ReadonlyMap<string, unknown> = new Map<string, unknown>([
  ...([
    ['true', true],
    ['True', true],
    ['false', false],
    ['False', false],
    ['none', null],
    ['None', null],
  ] as const),
]);

/**
 * Reads Jinja as far as configurations use it: paths, constants, four operations, comparisons, `and`, `or`, `not`, `is
 * defined`, `a if b else c`, filters. Throws NotUnderstood.
 */
export class TemplateParser {
  private readonly tokens: TemplateTokens;
  private depth = 0;

  constructor(text: string) {
    this.tokens = new TemplateTokens(text);
  }

  parse(): Evaluate {
    const whole = this.choice();
    if (this.tokens.next.kind !== 'end') throw new NotUnderstood();
    return whole;
  }

  /** Refuses what is too deep, because evaluation is recursive. */
  private inner<T>(read: () => T): T {
    this.depth += 1;
    if (this.depth > MAX_DEPTH) throw new NotUnderstood();
    const result = read();
    this.depth -= 1;
    return result;
  }

  private choice(): Evaluate {
    const first = this.either();
    if (!this.tokens.takes('if')) return first;
    const condition = this.either();
    const other = this.tokens.takes('else') ? this.inner(() => this.choice()) : () => undefined;
    return (payload) => (isTrue(condition(payload)) ? first(payload) : other(payload));
  }

  private either(): Evaluate {
    return this.chain(
      ['or'],
      () => this.both(),
      (one, other) => (payload) => {
        const value = one(payload);
        return isTrue(value) ? value : other(payload);
      },
    );
  }

  private both(): Evaluate {
    return this.chain(
      ['and'],
      () => this.negated(),
      (one, other) => (payload) => {
        const value = one(payload);
        return isTrue(value) ? other(payload) : value;
      },
    );
  }

  private negated(): Evaluate {
    if (!this.tokens.takes('not')) return this.compared();
    const inner = this.inner(() => this.negated());
    return (payload) => !isTrue(inner(payload));
  }

  private compared(): Evaluate {
    return this.chain(
      [...COMPARISONS.keys()],
      () => this.sum(),
      (one, other, sign) => {
        const compare = COMPARISONS.get(sign) ?? (() => undefined);
        return (payload) => compare(one(payload), other(payload));
      },
    );
  }

  private sum(): Evaluate {
    return this.chain(['+', '-'], () => this.product(), computed);
  }

  private product(): Evaluate {
    return this.chain(['*', '/'], () => this.signed(), computed);
  }

  private signed(): Evaluate {
    if (!this.tokens.takes('-')) return this.filtered();
    const inner = this.inner(() => this.signed());
    return computed(() => 0, inner, '-');
  }

  private chain(
    signs: readonly string[],
    operand: () => Evaluate,
    combine: (one: Evaluate, other: Evaluate, sign: string) => Evaluate,
  ): Evaluate {
    return this.inner(() => {
      let whole = operand();
      for (let links = 0; ; links += 1) {
        const sign = signs.find((each) => this.tokens.takes(each));
        if (sign === undefined) return whole;
        if (links > MAX_DEPTH) throw new NotUnderstood();
        whole = combine(whole, operand(), sign);
      }
    });
  }

  private filtered(): Evaluate {
    let value = this.value();
    for (;;) {
      if (this.tokens.takes('|')) value = this.call(value, this.tokens.take().text);
      else if (this.tokens.takes('is')) value = this.tested(value);
      else return value;
    }
  }

  private tested(value: Evaluate): Evaluate {
    const isNegated = this.tokens.takes('not');
    this.tokens.need('defined');
    return (payload) => (value(payload) !== undefined) !== isNegated;
  }

  private value(): Evaluate {
    const { kind, text } = this.tokens.take();
    if (kind === 'number') return () => Number(text);
    if (kind === 'text') return () => text;
    if (kind === 'sign' && text === '(') {
      const inner = this.inner(() => this.choice());
      this.tokens.need(')');
      return inner;
    }
    if (kind !== 'name') throw new NotUnderstood();
    if (text === 'value') return ({ text: whole }) => whole;
    if (text === 'value_json') return this.path();
    if (CONSTANTS.has(text)) return () => CONSTANTS.get(text);
    return this.calledByName(text);
  }

  /** `float(x)` is `x | float`. */
  private calledByName(name: string): Evaluate {
    this.tokens.need('(');
    const value = this.inner(() => this.choice());
    if (!this.tokens.takes(',')) {
      this.tokens.need(')');
      return this.called(value, name, []);
    }
    return this.called(value, name, this.given());
  }

  private path(): Evaluate {
    const steps: (string | number)[] = [];
    for (;;) {
      if (this.tokens.takes('.')) steps.push(this.tokens.needKind('name'));
      else if (this.tokens.takes('[')) {
        steps.push(this.index());
        this.tokens.need(']');
      } else return (payload) => valueAt(payload.json(), steps);
    }
  }

  private index(): string | number {
    if (this.tokens.next.kind !== 'number') return this.tokens.needKind('text');
    const index = Number(this.tokens.needKind('number'));
    if (!Number.isInteger(index)) throw new NotUnderstood();
    return index;
  }

  private call(value: Evaluate, name: string): Evaluate {
    return this.called(value, name, this.tokens.takes('(') ? this.given() : []);
  }

  private called(value: Evaluate, name: string, given: readonly Given[]): Evaluate {
    const known = FUNCTIONS.get(name);
    if (!known || given.length > known.names.length) throw new NotUnderstood();
    const named = given.map(({ name: own, value: inner }, index) => ({
      name: own ?? known.names[index],
      inner: inner,
    }));
    if (named.some((one) => one.name === undefined || !known.names.includes(one.name))) throw new NotUnderstood();
    return (payload) =>
      known.apply(
        value(payload),
        named.map((one) => ({ name: one.name, value: one.inner(payload) })),
      );
  }

  /** Reads up to the closing bracket. */
  private given(): Given[] {
    const given: Given[] = [];
    while (!this.tokens.takes(')')) {
      if (given.length > 0) this.tokens.need(',');
      const isNamed = this.tokens.isNaming;
      const name = isNamed ? this.tokens.take().text : undefined;
      if (isNamed) this.tokens.need('=');
      given.push({ name, value: this.inner(() => this.choice()) });
    }
    return given;
  }
}

interface Given {
  name: string | undefined;
  value: Evaluate;
}
