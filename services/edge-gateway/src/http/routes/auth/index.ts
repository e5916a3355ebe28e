import type { Route } from '../../route.js';
import { devLogin } from './dev-login.js';
import { getJwks } from './get-jwks.js';
import { getMe } from './get-me.js';
import { login } from './login.js';
import { logout } from './logout.js';
import { mintCustomerToken } from './mint-customer-token.js';
import { refresh } from './refresh.js';
import { register } from './register.js';

export const authRoutes: Route[] = [register, login, refresh, logout, getMe, mintCustomerToken, devLogin, getJwks];
