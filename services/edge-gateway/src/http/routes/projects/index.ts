import { endpoints } from '../../server/endpoints.js';
import { createProject, deleteProject, getProject, listProjects, updateProject } from './projects.js';

export const projectRouter = endpoints(listProjects, createProject, getProject, updateProject, deleteProject);
