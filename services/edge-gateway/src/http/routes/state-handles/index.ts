import { endpoints } from '../../server/endpoints.js';
import { createStateHandle, deleteStateHandle, getStateHandle, listStateHandles } from './state-handles.js';

export const stateHandleRouter = endpoints(createStateHandle, listStateHandles, getStateHandle, deleteStateHandle);
