import { testToolHookResponse } from '@tollgate/api/hooks';
import { testResultJson } from '../endpoint-routes.js';
import { endpointRoute } from './tool-hook-route.js';

/** Answers 200 even for a hook that fails: the test was made, and the body has its result. */
export const testToolHook = endpointRoute({
  method: 'POST',
  action: '/test',
  summary: 'Send a sample call to the hook now',
  operationId: 'testToolHook',
  description: 'Returns the hook’s answer. No tool call depends on it.',
  success: { status: 200, schema: testToolHookResponse },
  // A hook has up to 60 s to answer.
  timeoutMs: 70_000,
  async handler({ id, call }, { clients }) {
    return { body: testResultJson(await clients.toolHooks.testToolHook({ id }, call)) };
  },
});
