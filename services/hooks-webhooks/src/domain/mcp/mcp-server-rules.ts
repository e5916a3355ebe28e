import { type EndpointRules, endpointUrlFault } from '../endpoint-rules.js';
import { MCP_TIMEOUT_MS_MAX, type McpHeaders } from './mcp-server.js';

const NAME_LENGTH_MAX = 20;
const TOOLS_MAX = 200;
const HEADERS_MAX = 16;
const HEADER_CHARS_MAX = 8_192;
const TOOL_NAME_LENGTH_MAX = 128;

/** Headers that the protocol or the connection sets. */
const reservedHeaders = new Set([
  'accept',
  'accept-encoding',
  'connection',
  'content-length',
  'content-type',
  'expect',
  'host',
  'keep-alive',
  'last-event-id',
  'mcp-protocol-version',
  'mcp-session-id',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);

/** Unchecked settings as they would be after the change. */
export interface ProposedMcpServer {
  name: string;
  endpointUrl: string;
  timeoutMs: number;
  toolsAllowlist: readonly string[];
  /** Undefined when they do not change. */
  headers: McpHeaders | undefined;
}

export interface McpServerFault {
  field: string;
  message: string;
}

/** Returns the first invalid field. */
export function mcpServerSettingsFault(proposed: ProposedMcpServer, rules: EndpointRules): McpServerFault | undefined {
  const { name, endpointUrl, timeoutMs, toolsAllowlist, headers } = proposed;
  if (name === '') return fault('name', 'name required');
  if (name.length > NAME_LENGTH_MAX || !/^[a-z0-9]+(?:-[a-z0-9]+)*$/.test(name)) {
    const form = 'lower-case letters and digits, in words joined by "-"';
    return fault('name', `name must have at most ${NAME_LENGTH_MAX} characters: ${form}`);
  }
  const urlFault = endpointUrlFault(endpointUrl, rules);
  if (urlFault) return fault('endpoint_url', urlFault);
  if (!Number.isInteger(timeoutMs) || timeoutMs < 1 || timeoutMs > MCP_TIMEOUT_MS_MAX) {
    return fault('timeout_ms', `timeout_ms must be between 1 and ${MCP_TIMEOUT_MS_MAX}`);
  }
  return allowlistFault(toolsAllowlist) ?? (headers && headersFault(headers));
}

function allowlistFault(tools: readonly string[]): McpServerFault | undefined {
  if (tools.length > TOOLS_MAX) return fault('tools_allowlist', `tools_allowlist has more than ${TOOLS_MAX} entries`);
  const isName = (tool: string) => /^[\w.:/-]+$/.test(tool) && tool.length <= TOOL_NAME_LENGTH_MAX;
  return tools.every(isName) ? undefined : fault('tools_allowlist', 'tools_allowlist must hold tool names');
}

/** Messages contain names only: a value may be a credential. */
function headersFault(headers: McpHeaders): McpServerFault | undefined {
  const names = Object.keys(headers);
  if (names.length > HEADERS_MAX) return fault('headers', `headers has more than ${HEADERS_MAX} entries`);
  if (new Set(names.map((name) => name.toLowerCase())).size < names.length) {
    return fault('headers', 'headers has a name twice: names ignore case');
  }
  if (JSON.stringify(headers).length > HEADER_CHARS_MAX) {
    return fault('headers', `headers may have at most ${HEADER_CHARS_MAX} characters together`);
  }
  for (const name of names) {
    if (!/^[!#$%&'*+.^_`|~\w-]{1,64}$/.test(name)) return fault('headers', 'headers must hold names of HTTP headers');
    if (reservedHeaders.has(name.toLowerCase())) {
      return fault('headers', `headers must not contain ${name}: the protocol sets it`);
    }
    if (!/^[!-~](?:[ -~]*[!-~])?$/.test(headers[name] ?? '')) {
      return fault('headers', `the value of ${name} must be visible ASCII characters, without spaces at its ends`);
    }
  }
  return undefined;
}

function fault(field: string, message: string): McpServerFault {
  return { field, message };
}
