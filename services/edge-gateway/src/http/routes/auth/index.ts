import type { Route } from '../../exchange/route.js';
import { endBrowserSession } from './browser-session/end-browser-session.js';
import { getSignInOptions } from './browser-session/get-sign-in-options.js';
import { keepBrowserSession } from './browser-session/keep-browser-session.js';
import { resumeBrowserSession } from './browser-session/resume-browser-session.js';
import { signUpInBrowser } from './browser-session/sign-up-in-browser.js';
import { approveDevice } from './devices/approve-device.js';
import { continueDevice } from './devices/continue-device.js';
import { showDevicePage } from './devices/show-device-page.js';
import { startDevice } from './devices/start-device.js';
import { takeDeviceToken } from './devices/take-device-token.js';
import { getJwks } from './get-jwks.js';
import { mintCustomerToken } from './mint-customer-token.js';
import { authorizeOAuth } from './oauth/authorize-oauth.js';
import { oauthCallback } from './oauth/oauth-callback.js';
import { startOAuth } from './oauth/start-oauth.js';
import { completePasswordReset } from './password-reset/complete-password-reset.js';
import { requestPasswordReset } from './password-reset/request-password-reset.js';
import { devLogin } from './sessions/dev-login.js';
import { getMe } from './sessions/get-me.js';
import { login } from './sessions/login.js';
import { logout } from './sessions/logout.js';
import { refresh } from './sessions/refresh.js';
import { register } from './sessions/register.js';
export const authRoutes: Route[] = [
  register,
  login,
  refresh,
  logout,
  getMe,
  getSignInOptions,
  keepBrowserSession,
  resumeBrowserSession,
  endBrowserSession,
  signUpInBrowser,
  startOAuth,
  authorizeOAuth,
  oauthCallback,
  startDevice,
  takeDeviceToken,
  approveDevice,
  showDevicePage,
  continueDevice,
  mintCustomerToken,
  requestPasswordReset,
  completePasswordReset,
  devLogin,
  getJwks,
];
