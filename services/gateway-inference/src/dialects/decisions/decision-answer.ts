import type { DecisionsBody } from '@tollgate/api/model-requests';
import { AppError } from '@tollgate/errors';
import type { ModelAnswer, TokenUsage } from '../../domain/model-answer.js';
import { nativeUsage } from '../../domain/usage.js';

interface Decision {
  id: string;
  confidence: number;
  reason: string;
}

/** Returns the model's choice as JSON. @throws AppError INVALID_OUTPUT if it is not one of the options */
export function decisionAnswer(answer: ModelAnswer, usage: TokenUsage, body: DecisionsBody): string {
  const decision = readDecision(answer.text);
  if (!decision || !body.options.some(({ id }) => id === decision.id)) {
    const why = answer.stopReason === 'max_tokens' ? ': its answer did not fit into max_output_tokens' : '';
    throw new AppError('INVALID_OUTPUT', `the model did not choose one of the options${why}`);
  }
  return JSON.stringify({ decision, usage: nativeUsage(usage) });
}

function readDecision(text: string): Decision | undefined {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return undefined;
  }
  if (typeof value !== 'object' || value === null) return undefined;
  const { id, confidence, reason } = value as Partial<Record<keyof Decision, unknown>>;
  if (typeof id !== 'string') return undefined;
  return { id, confidence: clamp(Number(confidence)), reason: typeof reason === 'string' ? reason : '' };
}

/** Limits the model's own estimate to its range. Returns undefined if it is not a number. */
function clamp(value: number): number {
  return Number.isNaN(value) ? 0 : Math.min(1, Math.max(0, value));
}
