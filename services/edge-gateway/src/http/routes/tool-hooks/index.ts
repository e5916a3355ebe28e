import { endpoints } from '../../server/endpoints.js';
import { createToolHook } from './create-tool-hook.js';
import { deleteToolHook } from './delete-tool-hook.js';
import { getToolHook } from './get-tool-hook.js';
import { listToolHookEvents } from './list-tool-hook-events.js';
import { listToolHooks } from './list-tool-hooks.js';
import { testToolHook } from './test-tool-hook.js';
import { updateToolHook } from './update-tool-hook.js';

export const toolHookRouter = endpoints(
  listToolHooks,
  createToolHook,
  getToolHook,
  updateToolHook,
  deleteToolHook,
  testToolHook,
  listToolHookEvents,
);
