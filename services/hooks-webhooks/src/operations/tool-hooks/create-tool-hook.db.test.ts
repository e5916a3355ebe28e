import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { TOOL_HOOKS_PER_PROJECT_MAX } from '../../domain/tool-hooks/tool-hook.js';
import { type Harness, startHarness } from '../../testing/harness.js';
import { createToolHook } from './tool-hooks.js';

let h: Harness;

beforeAll(async () => {
  h = await startHarness(import.meta.url);
});
afterAll(() => h.stop());

it('creates no more tool hooks than a project can have, however many calls arrive together', async () => {
  const command = {
    hookType: 'pre_tool_use',
    endpointUrl: 'http://127.0.0.1:9/',
    failBehavior: '',
    toolsAllowlist: [],
  };
  const create = (project = h.projectId) => createToolHook(h.ctx, project, command);
  const calls = await Promise.allSettled(Array.from({ length: TOOL_HOOKS_PER_PROJECT_MAX + 20 }, () => create()));
  expect(calls.filter(({ status }) => status === 'fulfilled').length).toBe(TOOL_HOOKS_PER_PROJECT_MAX);
  for (const call of calls)
    if (call.status === 'rejected') expect(call.reason).toMatchObject({ code: 'INVALID_INPUT' });
  await create(randomUUID());
});
