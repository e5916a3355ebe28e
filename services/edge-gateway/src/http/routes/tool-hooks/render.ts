import { type Timestamp, timestampDate } from '@bufbuild/protobuf/wkt';
import type { ToolHook, ToolHookEvent } from '@tollgate/contracts/hooks/v1/tool_hooks_pb.js';

export function toolHookJson(hook: ToolHook | undefined) {
  const { id, projectId, hookType, endpointUrl, enabled, timeoutMs, failBehavior, toolsAllowlist } = hook!;
  return {
    id,
    project_id: projectId,
    hook_type: hookType,
    endpoint_url: endpointUrl,
    enabled,
    timeout_ms: timeoutMs,
    fail_behavior: failBehavior,
    tools_allowlist: toolsAllowlist,
    allow_mutation: hook!.allowMutation,
    created_at: time(hook!.createdAt),
    updated_at: time(hook!.updatedAt),
  };
}

export function toolHookEventJson(event: ToolHookEvent) {
  return {
    id: event.id,
    hook_config_id: event.hookConfigId,
    request_id: event.requestId,
    tool_call_id: event.toolCallId,
    status: event.status,
    response_status: event.responseStatus,
    response_body: event.responseBody,
    latency_ms: event.latencyMs ?? 0,
    error: event.error ?? null,
    created_at: time(event.createdAt),
  };
}

function time(value: Timestamp | undefined): string | undefined {
  return value && timestampDate(value).toISOString();
}
