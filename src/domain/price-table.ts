/** USD per million tokens. `cached` is the price of input that the provider takes from its prompt cache. */
export interface Price {
  readonly input: number;
  readonly cached: number;
  readonly output: number;
}

/** The month in which the list prices below were last compared with the providers' pages. */
export const PRICE_TABLE_DATE = '2025-12';

/**
 * List prices by model name, without date suffix or provider prefix. Where a provider has tiers, the tier of prompts
 * below 200k tokens; where a discount for cached input is not certain, the full input price.
 */
export const PRICE_TABLE: Readonly<Record<string, Price>> = {
  'gpt-5.2': { input: 1.75, cached: 0.175, output: 14 },
  'gpt-5.1': { input: 1.25, cached: 0.125, output: 10 },
  'gpt-5': { input: 1.25, cached: 0.125, output: 10 },
  'gpt-5-codex': { input: 1.25, cached: 0.125, output: 10 },
  'gpt-5-mini': { input: 0.25, cached: 0.025, output: 2 },
  'gpt-5-nano': { input: 0.05, cached: 0.005, output: 0.4 },
  'gpt-5-pro': { input: 15, cached: 15, output: 120 },
  'gpt-4.1': { input: 2, cached: 0.5, output: 8 },
  'gpt-4.1-mini': { input: 0.4, cached: 0.1, output: 1.6 },
  'gpt-4.1-nano': { input: 0.1, cached: 0.025, output: 0.4 },
  'gpt-4o': { input: 2.5, cached: 1.25, output: 10 },
  'gpt-4o-mini': { input: 0.15, cached: 0.075, output: 0.6 },
  'gpt-4-turbo': { input: 10, cached: 10, output: 30 },
  'gpt-4': { input: 30, cached: 30, output: 60 },
  'gpt-3.5-turbo': { input: 0.5, cached: 0.5, output: 1.5 },
  o1: { input: 15, cached: 7.5, output: 60 },
  o3: { input: 2, cached: 0.5, output: 8 },
  'o3-pro': { input: 20, cached: 20, output: 80 },
  'o3-mini': { input: 1.1, cached: 0.55, output: 4.4 },
  'o4-mini': { input: 1.1, cached: 0.275, output: 4.4 },
  'deepseek-chat': { input: 0.28, cached: 0.028, output: 0.42 },
  'deepseek-reasoner': { input: 0.28, cached: 0.028, output: 0.42 },
  'claude-opus-4-5': { input: 5, cached: 0.5, output: 25 },
  'claude-opus-4-1': { input: 15, cached: 1.5, output: 75 },
  'claude-opus-4': { input: 15, cached: 1.5, output: 75 },
  'claude-sonnet-4-5': { input: 3, cached: 0.3, output: 15 },
  'claude-sonnet-4': { input: 3, cached: 0.3, output: 15 },
  'claude-haiku-4-5': { input: 1, cached: 0.1, output: 5 },
  'claude-3-7-sonnet': { input: 3, cached: 0.3, output: 15 },
  'claude-3-5-sonnet': { input: 3, cached: 0.3, output: 15 },
  'claude-3-5-haiku': { input: 0.8, cached: 0.08, output: 4 },
  'claude-3-haiku': { input: 0.25, cached: 0.03, output: 1.25 },
  'gemini-3-pro': { input: 2, cached: 0.2, output: 12 },
  'gemini-2.5-pro': { input: 1.25, cached: 0.125, output: 10 },
  'gemini-2.5-flash': { input: 0.3, cached: 0.03, output: 2.5 },
  'gemini-2.5-flash-lite': { input: 0.1, cached: 0.01, output: 0.4 },
  'gemini-2.0-flash': { input: 0.1, cached: 0.025, output: 0.4 },
  'qwen3-max': { input: 1.2, cached: 1.2, output: 6 },
  'qwen3-coder-plus': { input: 1, cached: 1, output: 5 },
  'qwen-max': { input: 1.6, cached: 1.6, output: 6.4 },
  'qwen-plus': { input: 0.4, cached: 0.4, output: 1.2 },
  'qwen-turbo': { input: 0.05, cached: 0.05, output: 0.2 },
  'qwen-flash': { input: 0.05, cached: 0.05, output: 0.4 },
  'mistral-large': { input: 2, cached: 2, output: 6 },
  'mistral-medium': { input: 0.4, cached: 0.4, output: 2 },
  codestral: { input: 0.3, cached: 0.3, output: 0.9 },
  'grok-4': { input: 3, cached: 0.75, output: 15 },
  'kimi-k2': { input: 0.6, cached: 0.6, output: 2.5 },
  'glm-4.6': { input: 0.6, cached: 0.6, output: 2.2 },
};
