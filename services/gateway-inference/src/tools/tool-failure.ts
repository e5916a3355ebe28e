import { PrincipalKind } from '@tollgate/contracts/common/v1/principal_pb.js';
import { type AppError, asAppError, errorForAudience } from '@tollgate/errors';
import type { Call } from '@tollgate/rpc';
import { type ToolError, toolError } from '@tollgate/tools';

/** Converts an error of the contract to a tool result, with the message that the caller may read. */
export function toToolError(thrown: unknown, call: Call): ToolError {
  const { code, message } = toAudienceError(call, asAppError(thrown));
  return toolError(code, message);
}

/** Whether a retry of the same call may succeed, because a dependency is unavailable. */
export function isPassing(error: AppError): boolean {
  return error.retryable && error.layer === 'modelrelay';
}

/** Returns the error in the form that the caller's audience may see. */
export function toAudienceError(call: Call, error: AppError): AppError {
  return errorForAudience(error, call.principal?.kind === PrincipalKind.CUSTOMER ? 'customer' : 'project');
}
