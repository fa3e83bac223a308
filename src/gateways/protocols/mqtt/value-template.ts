import type { Evaluate } from './template-operations';
import { TemplateParser } from './template-parser';
import { NotUnderstood } from './template-tokens';

export type ValueTemplate = Evaluate;

const MAX_TEMPLATE = 1_000;

/** One expression in `{{ }}`. Undefined if it is not understood. */
export function readValueTemplate(template: string): ValueTemplate | undefined {
  const inner = template.length > MAX_TEMPLATE ? undefined : innerOf(template.trim());
  if (inner === undefined) return undefined;
  try {
    return new TemplateParser(inner).parse();
  } catch (error) {
    if (error instanceof NotUnderstood) return undefined;
    throw error;
  }
}

function innerOf(template: string): string | undefined {
  if (!template.startsWith('{{') || !template.endsWith('}}') || template.length < 4) return undefined;
  return template.slice(2, -2).replace(/^-/, '').replace(/-$/, '');
}
