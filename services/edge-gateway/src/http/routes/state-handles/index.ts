import type { Route } from '../../exchange/route.js';
import { createStateHandle } from './create-state-handle.js';
import { deleteStateHandle } from './delete-state-handle.js';
import { getStateHandle } from './get-state-handle.js';
import { listStateHandles } from './list-state-handles.js';

export const stateHandlesRoutes: Route[] = [createStateHandle, listStateHandles, getStateHandle, deleteStateHandle];
