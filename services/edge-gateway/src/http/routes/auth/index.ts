import { endpoints } from '../../server/endpoints.js';
import {
  endBrowserSession,
  getSignInOptions,
  keepBrowserSession,
  resumeBrowserSession,
  signUpInBrowser,
} from './browser-session.js';
import { getJwks, mintCustomerToken } from './customer-tokens.js';
import { approveDevice, continueDevice, showDevicePage, startDevice, takeDeviceToken } from './devices.js';
import { authorizeOAuth, startOAuth } from './oauth.js';
import { oauthCallback } from './oauth-callback.js';
import { approveOwnerDevice, previewOwnerDevice, startOwnerDevice, takeOwnerTokens } from './owner-devices.js';
import { completePasswordReset, requestPasswordReset } from './password-reset.js';
import { devLogin, endMySignIn, getMe, listMySignIns, login, logout, refresh, register } from './sessions.js';

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
