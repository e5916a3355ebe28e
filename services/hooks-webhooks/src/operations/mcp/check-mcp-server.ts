import { AppError } from '@tollgate/errors';
import { checkUrl } from '@tollgate/safe-fetch';
import type { EndpointRules } from '../../domain/endpoint-rules.js';
import { mcpServerSettingsFault, type ProposedMcpServer } from '../../domain/mcp/mcp-server-rules.js';

/** @throws AppError VALIDATION_ERROR naming the first invalid field */
export function checkMcpServer(proposed: ProposedMcpServer, rules: EndpointRules): void {
  const fault = mcpServerSettingsFault(proposed, rules);
  if (fault) throw invalid(fault.field, fault.message);
  // Checks the text only; the addresses of a host name are checked at every call.
  const refusal = checkUrl(proposed.endpointUrl, rules);
  if (refusal) throw invalid('endpoint_url', `endpoint_url is not allowed: ${refusal.message}`);
}

function invalid(field: string, message: string): AppError {
  return new AppError('VALIDATION_ERROR', message, { fields: [{ field, message }] });
}
