import type { Route } from '../../route.js';
import { compileSkill } from './compile-skill.js';

export const skillsRoutes: Route[] = [compileSkill];
