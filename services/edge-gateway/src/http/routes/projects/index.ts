import { endpoints } from '../../server/endpoints.js';
import { createProject } from './create-project.js';
import { deleteProject } from './delete-project.js';
import { getProject } from './get-project.js';
import { listProjects } from './list-projects.js';
import { updateProject } from './update-project.js';

export const projectRouter = endpoints(listProjects, createProject, getProject, updateProject, deleteProject);
