import { PrincipalKind } from '@tollgate/contracts/common/v1/principal_pb.js';
import { type AppError, asAppError, errorForAudience } from '@tollgate/errors';
import type { Call } from '@tollgate/rpc';
import { type ToolError, toolError } from '@tollgate/tools';

/** A contract error as the result of a tool call, in the words that whoever asks may read. */
export function toToolError(thrown: unknown, call: Call): ToolError {
  const { code, message } = forAudienceOf(call, asAppError(thrown));
  return toolError(code, message);
}

/** Whether another attempt of the same call may go better, because a part of the house is away. */
export function isPassing(error: AppError): boolean {
  return error.retryable && error.layer === 'modelrelay';
}

/** The error as the caller's kind of reader may see it. */
export function forAudienceOf(call: Call, error: AppError): AppError {
  return errorForAudience(error, call.principal?.kind === PrincipalKind.CUSTOMER ? 'customer' : 'project');
}
