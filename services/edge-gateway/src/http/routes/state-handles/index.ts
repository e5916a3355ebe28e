import { endpoints } from '../../server/endpoints.js';
import { createStateHandle } from './create-state-handle.js';
import { deleteStateHandle } from './delete-state-handle.js';
import { getStateHandle } from './get-state-handle.js';
import { listStateHandles } from './list-state-handles.js';

export const stateHandleRouter = endpoints(createStateHandle, listStateHandles, getStateHandle, deleteStateHandle);
