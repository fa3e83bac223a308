import type { Token } from './expression-tokens';
import { type LabelCall, readLabelCall } from './labels';
import { readWindow, type WindowFunction, type WrittenWindow } from './windows/window-call';

export class TokenCursor {
  private at = 0;

  constructor(private readonly tokens: readonly Token[]) {}

  get end(): number {
    return this.tokens.at(-1)?.position ?? 0;
  }

  isNext(bracket: string): boolean {
    const next = this.tokens[this.at];
    return next !== undefined && (next.kind === 'open' || next.kind === 'close') && next.value === bracket;
  }

  take(): Token {
    const token = this.tokens[this.at] ?? { kind: 'end', value: 'the end', path: [], position: 0 };
    this.at += 1;
    return token;
  }

  takeLabel(): LabelCall {
    const { call, next } = readLabelCall(this.tokens, this.at - 1);
    this.at = next;
    return call;
  }

  takeWindow(name: WindowFunction): WrittenWindow {
    const { window, next } = readWindow(this.tokens, this.at - 1, name);
    this.at = next;
    return window;
  }
}
