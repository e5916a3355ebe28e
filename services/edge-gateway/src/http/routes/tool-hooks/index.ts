import { endpoints } from '../../server/endpoints.js';
import {
  createToolHook,
  deleteToolHook,
  getToolHook,
  listToolHookEvents,
  listToolHooks,
  testToolHook,
  updateToolHook,
} from './tool-hooks.js';

export const toolHookRouter = endpoints(
  listToolHooks,
  createToolHook,
  getToolHook,
  updateToolHook,
  deleteToolHook,
  testToolHook,
  listToolHookEvents,
);
