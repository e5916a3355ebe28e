import { endpoints } from '../../server/endpoints.js';
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
import { approveOwnerDevice } from './owner-devices/approve-owner-device.js';
import { previewOwnerDevice } from './owner-devices/preview-owner-device.js';
import { startOwnerDevice } from './owner-devices/start-owner-device.js';
import { takeOwnerTokens } from './owner-devices/take-owner-tokens.js';
import { completePasswordReset } from './password-reset/complete-password-reset.js';
import { requestPasswordReset } from './password-reset/request-password-reset.js';
import { devLogin } from './sessions/dev-login.js';
import { endMySignIn } from './sessions/end-my-sign-in.js';
import { getMe } from './sessions/get-me.js';
import { listMySignIns } from './sessions/list-my-sign-ins.js';
import { login } from './sessions/login.js';
import { logout } from './sessions/logout.js';
import { refresh } from './sessions/refresh.js';
import { register } from './sessions/register.js';
export const authRouter = endpoints(
  register,
  login,
  refresh,
  logout,
  getMe,
  listMySignIns,
  endMySignIn,
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
  startOwnerDevice,
  takeOwnerTokens,
  previewOwnerDevice,
  approveOwnerDevice,
  mintCustomerToken,
  requestPasswordReset,
  completePasswordReset,
  devLogin,
  getJwks,
);
