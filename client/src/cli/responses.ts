import type { components } from '../generated/api';

type Schemas = components['schemas'];

export type Plan = Schemas['RulePlanView'];
export type RuleTest = Schemas['RuleTestView'];
export type Tested = Schemas['RuleTestsResponse'];
export type Applied = Schemas['AppliedRulesView'];
