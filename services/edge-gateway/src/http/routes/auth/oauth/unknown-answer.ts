import { AppError } from '@tollgate/errors';
import { readStatePlace } from '../../../../domain/oauth-state.js';
import { prefersHtml } from '../../../answer/accept.js';
import type { JsonResult } from '../../../exchange/route.js';
import { devicePage } from '../devices/device-page.js';
import { leadToSignIn } from './console-answer.js';
import type { CallbackInput } from './oauth-parts.js';

const REASONS = {
  other_browser: 'this sign-in was not started in this browser; start again',
  expired: 'this sign-in is unknown, was used before, or has expired',
} as const;

/** Answers a callback whose sign-in is not known: on the page where the person waits for it, or with an error for programs. */
export function unknownAnswer(
  reason: keyof typeof REASONS,
  { query, headers }: Pick<CallbackInput, 'query' | 'headers'>,
): JsonResult {
  const place = readStatePlace(query.state);
  if (place === 'device') {
    return { ...devicePage({ message: 'This sign-in has expired. Start again on your device.' }), status: 400 };
  }
  const isForPerson = place === 'console' || prefersHtml(headers.accept);
  if (isForPerson) return leadToSignIn(undefined, reason);
  throw new AppError('VALIDATION_ERROR', REASONS[reason]);
}
