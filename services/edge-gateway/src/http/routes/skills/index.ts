import type { Route } from '../../exchange/route.js';
import { compileSkill } from './compile-skill.js';

export const skillsRoutes: Route[] = [compileSkill];
