import type { Route } from '../../route.js';
import { approveDevice } from './approve-device.js';
import { authorizeOAuth } from './authorize-oauth.js';
import { continueDevice } from './continue-device.js';
import { devLogin } from './dev-login.js';
import { getJwks } from './get-jwks.js';
import { getMe } from './get-me.js';
import { login } from './login.js';
import { logout } from './logout.js';
import { mintCustomerToken } from './mint-customer-token.js';
import { oauthCallback } from './oauth-callback.js';
import { refresh } from './refresh.js';
import { register } from './register.js';
import { showDevicePage } from './show-device-page.js';
import { startDevice } from './start-device.js';
import { startOAuth } from './start-oauth.js';
import { takeDeviceToken } from './take-device-token.js';

export const authRoutes: Route[] = [
  register,
  login,
  refresh,
  logout,
  getMe,
  startOAuth,
  authorizeOAuth,
  oauthCallback,
  startDevice,
  takeDeviceToken,
  approveDevice,
  showDevicePage,
  continueDevice,
  mintCustomerToken,
  devLogin,
  getJwks,
];
