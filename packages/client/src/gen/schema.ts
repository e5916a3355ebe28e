// Generated from the OpenAPI document by openapi-typescript. Do not edit.
export interface paths {
    "/api/v1/responses": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Ask a model; JSON, or a stream as NDJSON (responses-stream/v2) or SSE by the Accept header
         * @description Answers with one JSON object, or streams events when the `Accept` header names `application/x-ndjson` or `text/event-stream`. Only a secret key without a customer must name a model; a customer gets the default model of its tier. Tools that the service runs itself are executed within the call. Needs a secret key, or a customer token. With `X-Service-Customer-Id`, a secret key acts for that customer. A repeat with the same `Idempotency-Key` has no second effect.
         */
        post: operations["createResponse"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/projects/{id}/responses": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Ask a model; JSON, or a stream as NDJSON (responses-stream/v2) or SSE by the Accept header; by the owner's session
         * @description Answers with one JSON object, or streams events when the `Accept` header names `application/x-ndjson` or `text/event-stream`. Only a secret key without a customer must name a model; a customer gets the default model of its tier. Tools that the service runs itself are executed within the call. Needs an access token of the owner. The owner’s session acts in the project of the path, as its secret key would. A repeat with the same `Idempotency-Key` has no second effect.
         */
        post: operations["createProjectResponse"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/chat/completions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Ask a model in OpenAI's chat-completions dialect
         * @description For client libraries that use the chat-completions protocol of OpenAI: set their base URL to this server. With `stream`, the answer is a stream of server-sent events that ends with `[DONE]`. Fields that the model’s provider does not support are refused by name. Needs a secret key, or a customer token. With `X-Service-Customer-Id`, a secret key acts for that customer. A repeat with the same `Idempotency-Key` has no second effect.
         */
        post: operations["createChatCompletion"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/completions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Complete a text in OpenAI's older dialect
         * @description For client libraries that use the completions protocol of OpenAI. The prompt is sent as the only message of a chat. As at the vendor, an answer has at most 16 tokens unless `max_tokens` is set. With `stream`, the answer is a stream of server-sent events that ends with `[DONE]`. Needs a secret key, or a customer token. With `X-Service-Customer-Id`, a secret key acts for that customer. A repeat with the same `Idempotency-Key` has no second effect.
         */
        post: operations["createCompletion"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/responses": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Ask a model in OpenAI's responses dialect
         * @description For client libraries that use the responses protocol of OpenAI: set their base URL to this server. Where the project stores responses, a request may continue one by `previous_response_id`, or name its items by `item_reference`; a request with `store: false` is not stored. Needs a secret key, or a customer token. With `X-Service-Customer-Id`, a secret key acts for that customer. A repeat with the same `Idempotency-Key` has no second effect.
         */
        post: operations["createOpenAiResponse"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/messages": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Ask a model in Anthropic's messages dialect; the key may come as x-api-key
         * @description For client libraries that use the messages protocol of Anthropic: set their base URL to this server. With `stream`, the answer is a stream of server-sent events. Needs a secret key, or a customer token. With `X-Service-Customer-Id`, a secret key acts for that customer. A repeat with the same `Idempotency-Key` has no second effect.
         */
        post: operations["createAnthropicMessage"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/decisions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Let a model choose between options
         * @description The model chooses one of the given options for the input. Needs a secret key, or a customer token. With `X-Service-Customer-Id`, a secret key acts for that customer. A repeat with the same `Idempotency-Key` has no second effect.
         */
        post: operations["createDecision"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1beta/models/{model}:generateContent": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Ask a model in Google's generateContent dialect; the key comes as x-goog-api-key
         * @description For client libraries that use the Gemini API of Google: set their base URL to this server. A slash in the id of the model may be written as `%2F`. The same endpoints answer under `/v1/models`, which version 3 of the library calls. Needs a secret key, or a customer token. With `X-Service-Customer-Id`, a secret key acts for that customer. A repeat with the same `Idempotency-Key` has no second effect.
         */
        post: operations["generateGoogleContent"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1beta/models/{model}:streamGenerateContent": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Ask a model in Google's generateContent dialect, with a streamed answer
         * @description Streams server-sent events with `alt=sse`, and the elements of one JSON list without. A failure after the first event ends the events with an error that is not framed as one. Needs a secret key, or a customer token. With `X-Service-Customer-Id`, a secret key acts for that customer. A repeat with the same `Idempotency-Key` has no second effect.
         */
        post: operations["streamGoogleContent"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/auth/register": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Create an account with a first project and its first secret key
         * @description The answer has the session’s tokens and, only this once, the value of the first secret key. Attempts are limited per email and per address. Needs no credential.
         */
        post: operations["register"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/auth/login": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Sign in with email and password
         * @description The answer has an access token and a refresh token. After ten wrong passwords in a row the source has to wait, longer each time. Needs no credential.
         */
        post: operations["login"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/auth/refresh": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Exchange a refresh token for a new pair, once
         * @description Each refresh token works once. Its second use ends the session, because it may have been stolen. Needs no credential.
         */
        post: operations["refreshSession"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/auth/logout": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * End the session of a refresh token
         * @description The tokens of the session are refused within five seconds. Needs no credential.
         */
        post: operations["logout"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/auth/me": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the signed-in user
         * @description Returns the user of the access token. Needs an access token of the owner.
         */
        get: operations["getCurrentUser"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/auth/sign-in-options": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the ways to sign in that this deployment offers
         * @description For a page that signs owners in: the providers that are configured, and whether there is a demo owner. Needs no credential.
         */
        get: operations["getSignInOptions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/auth/browser-session": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Move a session into a cookie of this browser that scripts cannot read
         * @description Exchanges the refresh token of a sign-in for a new one, which the browser gets as a cookie that scripts cannot read and other sites do not send. Rejects pages of other origins. Needs no credential.
         */
        put: operations["keepBrowserSession"];
        /**
         * Get an access token for the session in the cookie of this browser
         * @description The refresh token in the cookie stays valid, so that several tabs can share it. Rejects pages of other origins. Needs no credential.
         */
        post: operations["resumeBrowserSession"];
        /**
         * End the session in the cookie of this browser
         * @description Revokes the session and makes the browser delete its cookie. Rejects pages of other origins. Needs no credential.
         */
        delete: operations["endBrowserSession"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/auth/browser-session/sign-up": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Create an account and sign this browser in
         * @description Creates an account with a first project and no key. The browser gets the session as a cookie that scripts cannot read. Rejects pages of other origins. Needs no credential.
         */
        post: operations["signUpInBrowser"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/auth/oauth/start": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Start a sign-in with GitHub or Google; returns the URL to open in a browser
         * @description The URL is of this server; it redirects to the provider. The browser that opens it must also complete the sign-in. Needs no credential.
         */
        post: operations["startOAuth"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/auth/oauth/authorize": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Redirect a browser to GitHub or Google; called by browsers only
         * @description Sets a cookie that binds the sign-in to the browser, and redirects to the provider. Needs no credential.
         */
        get: operations["authorizeOAuth"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/auth/oauth/callback": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Complete a sign-in with GitHub or Google; called by browsers only
         * @description The provider redirects the browser to this address with a code or an error. Answers with the session’s tokens, or redirects to the address that the sign-in was started with. Needs no credential.
         */
        get: operations["completeOAuth"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/auth/device/start": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Start a device sign-in (RFC 8628)
         * @description Returns a code for the person and a code for the device. The device shows the first and polls with the second. Needs a secret key, or a publishable key. With `X-Service-Customer-Id`, a secret key acts for that customer.
         */
        post: operations["startDevice"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/auth/device/token": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Poll for the token of a device sign-in
         * @description Call it at the interval that the start returned. Until the device is approved, the answer is 400 with `authorization_pending` or `slow_down`. Needs a secret key, or a publishable key. With `X-Service-Customer-Id`, a secret key acts for that customer.
         */
        post: operations["pollDeviceToken"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/auth/device/approve": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Approve or deny a device by the code it shows
         * @description For apps with a sign-in of their own: a backend names the customer, or the customer approves with its own token. Needs a secret key, or a customer token. With `X-Service-Customer-Id`, a secret key acts for that customer.
         */
        post: operations["approveDevice"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/auth/device": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Show the page on which a person enters the code of a device
         * @description The page works without scripts. Needs no credential.
         */
        get: operations["showDevicePage"];
        put?: never;
        /**
         * Continue from the device page to the provider; sent by its form
         * @description The form of the device page sends the code that the person entered. Needs no credential.
         */
        post: operations["continueDevice"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/auth/customer-token": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Mint a token for one customer
         * @description A backend mints a token for the customer who uses its app, and hands it to the app. The token is limited to what the customer may do, and to the lifetime that its tier allows. Needs a secret key. With `X-Service-Customer-Id`, a secret key acts for that customer.
         */
        post: operations["mintCustomerToken"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/auth/password-reset": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send a mail with a link that resets the password
         * @description The answer is the same whether the address has an account. The link works once, within half an hour. Attempts are limited per email and per address. 404 in an installation that sends no mails. Needs no credential.
         */
        post: operations["requestPasswordReset"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/auth/password-reset/complete": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Choose a new password by the code of a mail; every session of the user ends
         * @description Sign in with the new password afterwards. Keys are not affected. Attempts are limited per address. Needs no credential.
         */
        post: operations["completePasswordReset"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/auth/dev-login": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Sign in as the demo owner; only with DEV_MODE=1
         * @description For local development: it does not exist in other installations. Needs no credential.
         */
        post: operations["devLogin"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/.well-known/jwks.json": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the public keys of tokens; two during a key rotation
         * @description Verify access tokens and customer tokens with these keys. Cache them, and read them again when a token names an unknown key. Needs no credential.
         */
        get: operations["listSigningKeys"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/api-keys": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the account’s keys, newest first
         * @description Returns keys without their values, with what each has spent. Needs an access token of the owner. Returns one page; `next_cursor` is absent on the last one.
         */
        get: operations["listApiKeys"];
        put?: never;
        /**
         * Create a key; only this response contains its value
         * @description Store the value: it is not shown again. A key belongs to one project, and may have an expiry and a spend limit. Needs an access token of the owner.
         */
        post: operations["createApiKey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/api-keys/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Revoke a key; every edge rejects it within five seconds
         * @description A revoked key cannot be restored. Needs an access token of the owner.
         */
        delete: operations["deleteApiKey"];
        options?: never;
        head?: never;
        /**
         * Change a key's label or expiry; edges apply it within five seconds
         * @description Change a key's label or expiry; edges apply it within five seconds. Needs an access token of the owner.
         */
        patch: operations["updateApiKey"];
        trace?: never;
    };
    "/api/v1/api-keys/{id}/rotate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Replace a key by a new one of the same label and kind; the old one keeps working for the overlap
         * @description Replace a key by a new one of the same label and kind; the old one keeps working for the overlap. Needs an access token of the owner.
         */
        post: operations["createApiKeyRotate"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/projects/{id}/api-keys": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the project’s keys, newest first
         * @description Returns keys without their values, with what each has spent. Needs an access token of the owner. Returns one page; `next_cursor` is absent on the last one.
         */
        get: operations["listProjectApiKeys"];
        put?: never;
        /**
         * Create a key; only this response contains its value
         * @description Store the value: it is not shown again. A key belongs to one project, and may have an expiry and a spend limit. Needs an access token of the owner.
         */
        post: operations["createProjectApiKey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/projects/{id}/api-keys/{key_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Revoke a key; every edge rejects it within five seconds
         * @description A revoked key cannot be restored. Needs an access token of the owner.
         */
        delete: operations["deleteProjectApiKey"];
        options?: never;
        head?: never;
        /**
         * Change a key's label or expiry; edges apply it within five seconds
         * @description Change a key's label or expiry; edges apply it within five seconds. Needs an access token of the owner.
         */
        patch: operations["updateProjectApiKey"];
        trace?: never;
    };
    "/api/v1/projects/{id}/api-keys/{key_id}/rotate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Replace a key by a new one of the same label and kind; the old one keeps working for the overlap
         * @description Replace a key by a new one of the same label and kind; the old one keeps working for the overlap. Needs an access token of the owner.
         */
        post: operations["createProjectApiKeyRotate"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/projects": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List your projects: the account’s, then those of which you are a member; oldest first
         * @description Each has your role in it. Needs an access token of the owner. Returns one page; `next_cursor` is absent on the last one.
         */
        get: operations["listProjects"];
        put?: never;
        /**
         * Create a project
         * @description A project has its own customers, tiers, keys, agents and webhooks. Needs an access token of the owner. A repeat with the same `Idempotency-Key` has no second effect.
         */
        post: operations["createProject"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/projects/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a project
         * @description Returns the settings of a project. Needs an access token of the owner.
         */
        get: operations["getProject"];
        /**
         * Update a project; omitted fields keep their values
         * @description Changes the settings of a project. Needs an access token of the owner.
         */
        put: operations["updateProject"];
        post?: never;
        /**
         * Delete a project; its keys, customer tokens and open checkouts end, its webhooks and tool hooks are deleted; 409 while its customers have running subscriptions
         * @description This cannot be undone. Needs an access token of the owner.
         */
        delete: operations["deleteProject"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/projects/{id}/members": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List a project's members and their roles, the first to join first
         * @description The users of the project’s own account are always its owners. Needs an access token of the owner.
         */
        get: operations["listMembers"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/projects/{id}/members/{user_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Remove a member; every edge refuses it within five seconds
         * @description Keys that the member has seen keep working: rotate them. Only owners remove owners. The owner whose account has the project cannot be removed. Needs an access token of the owner.
         */
        delete: operations["removeMember"];
        options?: never;
        head?: never;
        /**
         * Change a member's role; edges apply it within five seconds
         * @description Only owners make and change owners. The owner whose account has the project cannot be changed. Needs an access token of the owner.
         */
        patch: operations["updateMember"];
        trace?: never;
    };
    "/api/v1/projects/{id}/membership": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * End your own membership of a project
         * @description The owner whose account has the project cannot leave it. Needs an access token of the owner.
         */
        delete: operations["leaveProject"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/projects/{id}/invitations": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List a project's open invitations, oldest first
         * @description An expired invitation stays in the list for a month, so that it can be sent again. Needs an access token of the owner.
         */
        get: operations["listInvitations"];
        put?: never;
        /**
         * Invite an address to the project in a role
         * @description The invitation can be accepted for seven days by the user of the address; only this answer has its `url`. Admins cannot invite owners. Needs an access token of the owner.
         */
        post: operations["createInvitation"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/projects/{id}/invitations/{invitation_id}/resend": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send an invitation again with a new link
         * @description Its earlier links end, and it can be accepted for seven days from now. Only this answer has the new `url`. Needs an access token of the owner.
         */
        post: operations["resendInvitation"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/projects/{id}/invitations/{invitation_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Revoke an invitation; its links end
         * @description A member who has accepted it stays; remove the member instead. Needs an access token of the owner.
         */
        delete: operations["revokeInvitation"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/invitations/preview": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Show what the link of an invitation is for
         * @description For a page that asks the user to sign in or up with the address. Attempts are limited per network address. Needs no credential.
         */
        post: operations["previewInvitation"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/invitations/accept": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Become a member of the project that an invitation is for
         * @description The link works once, and only for the user of the invited address. Attempts are limited per network address. Needs an access token of the owner.
         */
        post: operations["acceptInvitation"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/account/balance": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the owner's prepaid balance
         * @description Every model request is charged to this balance; the tiers decide what customers pay. Needs an access token of the owner, or a secret key. With `X-Service-Customer-Id`, a secret key acts for that customer.
         */
        get: operations["getAccountBalance"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/account/usage": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the usage of all the owner's projects by day, model, customer or key
         * @description `from` is inclusive and `to` is exclusive. Times are dates or RFC 3339. Needs an access token of the owner, or a secret key. With `X-Service-Customer-Id`, a secret key acts for that customer. Returns one page; `next_cursor` is absent on the last one.
         */
        get: operations["getAccountUsage"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/account/audit-log": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the account's security-relevant actions, newest first
         * @description Sign-ins, keys and settings: who did it, when and from where. Needs an access token of the owner. Returns one page; `next_cursor` is absent on the last one.
         */
        get: operations["listAuditLog"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/account/ledger/verify": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Recompute every balance from the journal
         * @description Compares every balance of the account with the sum of its journal entries. Needs an access token of the owner.
         */
        get: operations["verifyLedger"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/customers": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the project's customers, oldest first, or search them
         * @description Each entry has the customer and its subscription. Needs a secret key. With `X-Service-Customer-Id`, a secret key acts for that customer. Returns one page; `next_cursor` is absent on the last one.
         */
        get: operations["listCustomers"];
        /**
         * Create or update a customer by external id
         * @description Answers 201 when the external id is new, and 200 when its customer was updated. Needs a secret key. With `X-Service-Customer-Id`, a secret key acts for that customer.
         */
        put: operations["upsertCustomer"];
        /**
         * Create a customer
         * @description `external_id` is your own identifier of the customer, unique in the project. Needs a secret key. With `X-Service-Customer-Id`, a secret key acts for that customer. A repeat with the same `Idempotency-Key` has no second effect.
         */
        post: operations["createCustomer"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/customers/claim": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Link an external identity to the customer with this email
         * @description Grants no credential. A project can disable claims by publishable key. Needs a secret key, or a publishable key. With `X-Service-Customer-Id`, a secret key acts for that customer.
         */
        post: operations["claimCustomer"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/customers/by-external-id/{external_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a customer by the owner's identifier
         * @description Use it if your records have only your own identifier. Needs a secret key. With `X-Service-Customer-Id`, a secret key acts for that customer.
         */
        get: operations["getCustomerByExternalId"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/customers/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a customer
         * @description Returns the customer and its subscription. Needs a secret key. With `X-Service-Customer-Id`, a secret key acts for that customer.
         */
        get: operations["getCustomer"];
        put?: never;
        post?: never;
        /**
         * Delete a customer; expires its open checkouts and forfeits its wallet; a processor subscription is canceled only with cancel_subscription=true
         * @description Tokens of the customer are refused within five seconds. Payments that arrive later are refunded. Needs a secret key. With `X-Service-Customer-Id`, a secret key acts for that customer.
         */
        delete: operations["deleteCustomer"];
        options?: never;
        head?: never;
        /**
         * Change a customer's email or metadata
         * @description Change a customer's email or metadata. Needs a secret key. With `X-Service-Customer-Id`, a secret key acts for that customer.
         */
        patch: operations["updateCustomer"];
        trace?: never;
    };
    "/api/v1/customers/{id}/block": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Refuse a customer's requests until it is unblocked
         * @description Within five seconds each request of the customer is refused with 403. Requests that have started, the wallet and the subscription are kept. Needs a secret key. With `X-Service-Customer-Id`, a secret key acts for that customer.
         */
        post: operations["blockCustomer"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/customers/{id}/unblock": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Accept a blocked customer's requests again
         * @description Changes nothing for a customer that is not blocked. Needs a secret key. With `X-Service-Customer-Id`, a secret key acts for that customer.
         */
        post: operations["unblockCustomer"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/customers/{id}/subscription": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a customer's subscription
         * @description The subscription names the tier, its price and the current period. Needs a secret key. With `X-Service-Customer-Id`, a secret key acts for that customer.
         */
        get: operations["getCustomerSubscription"];
        /**
         * Set a subscription that is billed elsewhere, or move the customer to a free or PAYGO tier
         * @description For subscriptions that another system bills. Paid tiers of the payment processor need a checkout instead. Needs a secret key. With `X-Service-Customer-Id`, a secret key acts for that customer.
         */
        put: operations["setCustomerSubscription"];
        post?: never;
        /**
         * Cancel a customer's subscription at the end of its period
         * @description The customer keeps the tier until the period ends. Needs a secret key. With `X-Service-Customer-Id`, a secret key acts for that customer.
         */
        delete: operations["cancelCustomerSubscription"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/customers/{id}/balance": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a customer's prepaid wallet
         * @description The wallet pays for requests on pay-as-you-go tiers. Needs a secret key. With `X-Service-Customer-Id`, a secret key acts for that customer.
         */
        get: operations["getCustomerBalance"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/customers/{id}/balance/history": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the transactions of a customer's wallet, newest first
         * @description Top-ups, grants, charges and refunds, each with the balance after it. Needs a secret key. With `X-Service-Customer-Id`, a secret key acts for that customer. Returns one page; `next_cursor` is absent on the last one.
         */
        get: operations["listCustomerBalanceHistory"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/customers/{id}/credit": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Add to a customer's wallet without a payment; requires an Idempotency-Key, and applies it once
         * @description Add to a customer's wallet without a payment; requires an Idempotency-Key, and applies it once. Needs a secret key. With `X-Service-Customer-Id`, a secret key acts for that customer. A repeat with the same `Idempotency-Key` has no second effect.
         */
        post: operations["createCustomerCredit"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/customers/{id}/credit/withdraw": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Take granted credit back from a customer's wallet; requires an Idempotency-Key, and applies it once
         * @description Paid money stays: refund the payment instead. Granted credit counts as used before paid money. Needs a secret key. With `X-Service-Customer-Id`, a secret key acts for that customer. A repeat with the same `Idempotency-Key` has no second effect.
         */
        post: operations["withdrawCustomerCredit"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/projects/{id}/customers": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List a project's customers, oldest first, or search them (dashboard)
         * @description Returns the customers of one project of the owner, each with its subscription. Needs an access token of the owner. Returns one page; `next_cursor` is absent on the last one.
         */
        get: operations["listProjectCustomers"];
        /**
         * Create or update a customer by external id; by the owner's session
         * @description Answers 201 when the external id is new, and 200 when its customer was updated. Needs an access token of the owner. The owner’s session acts in the project of the path, as its secret key would.
         */
        put: operations["upsertProjectCustomer"];
        /**
         * Create a customer (dashboard)
         * @description `external_id` is your own identifier of the customer, unique in the project. Needs an access token of the owner. A repeat with the same `Idempotency-Key` has no second effect.
         */
        post: operations["createProjectCustomer"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/projects/{id}/customers/{customer_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a customer (dashboard)
         * @description Returns the customer and its subscription. Needs an access token of the owner.
         */
        get: operations["getProjectCustomer"];
        put?: never;
        post?: never;
        /**
         * Delete a customer (dashboard)
         * @description Expires open checkouts and forfeits the wallet. A subscription at the payment processor is canceled only with `cancel_subscription=true`. Needs an access token of the owner.
         */
        delete: operations["deleteProjectCustomer"];
        options?: never;
        head?: never;
        /**
         * Change a customer's email or metadata; by the owner's session
         * @description Change a customer's email or metadata; by the owner's session. Needs an access token of the owner. The owner’s session acts in the project of the path, as its secret key would.
         */
        patch: operations["updateProjectCustomer"];
        trace?: never;
    };
    "/api/v1/projects/{id}/customers/{customer_id}/usage": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a customer's usage in the current billing window (dashboard)
         * @description Requests, tokens and cost in the current window, with the limit of the tier and the usage of each day. Needs an access token of the owner.
         */
        get: operations["getProjectCustomerUsage"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/customers/me": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get your profile, subscription and tier
         * @description Returns the customer of the token, its subscription and its tier. Needs a customer token.
         */
        get: operations["getMe"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/customers/me/subscription": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get your subscription
         * @description The subscription names your tier, its price and the current period. Needs a customer token.
         */
        get: operations["getMySubscription"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/customers/me/usage": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get your usage in the current billing window
         * @description Requests, tokens and cost in the current window, with the limit of your tier and the usage of each day. Needs a customer token.
         */
        get: operations["getMyUsage"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/customers/me/balance": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get your prepaid wallet
         * @description The wallet pays for requests on pay-as-you-go tiers. Needs a customer token.
         */
        get: operations["getMyBalance"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/customers/me/balance/history": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the transactions of your wallet, newest first
         * @description Top-ups, grants, charges and refunds, each with the balance after it. Needs a customer token. Returns one page; `next_cursor` is absent on the last one.
         */
        get: operations["listMyBalanceHistory"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/customers/{id}/portal-session": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Create a link that opens the customer portal once
         * @description Redirect the customer to `url` within five minutes. It starts a session of one hour in which the customer sees its balance, plan, usage, payments and devices. `return_url` is shown as a link. Needs a secret key. With `X-Service-Customer-Id`, a secret key acts for that customer.
         */
        post: operations["createPortalSession"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/portal/session": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Exchange the code of a link to the portal for a session
         * @description A code works once, within five minutes, in the project of its link. Attempts are limited per address. Needs no credential.
         */
        post: operations["startPortalSession"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/customers/me/devices": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the devices that are signed in for you, newest first
         * @description Devices that signed in by a code, and sessions of the portal; at most a hundred. Tokens that a backend minted are not listed. Needs a customer token.
         */
        get: operations["listMyDevices"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/customers/me/devices/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Sign one of your devices out
         * @description Its token is refused on every edge within five seconds. Needs a customer token.
         */
        delete: operations["signOutMyDevice"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/customers/me/payments": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List your purchases, newest first
         * @description Top-ups of your wallet and purchases of tiers. Needs a customer token.
         */
        get: operations["listMyPayments"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/customers/me/tiers": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the tiers of the project
         * @description `GET /customers/me/change-tier` previews a move to one of them. Needs a customer token.
         */
        get: operations["listMyTiers"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/customers/me/change-tier": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Preview a move of your subscription to another tier
         * @description Says what is paid now, what changes when, and what is lost. The payment processor computes prorations. Refused where the change would be refused. Needs a customer token.
         */
        get: operations["previewMyTierChange"];
        put?: never;
        /**
         * Move your subscription to another tier
         * @description Upgrades take effect at once. A move to a free tier takes effect at the end of the paid period. Needs a customer token. A repeat with the same `Idempotency-Key` has no second effect.
         */
        post: operations["changeMyTier"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/projects/{id}/requests": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List a project's model requests, newest first, with outcome, tokens, cost and latency; seconds late
         * @description List a project's model requests, newest first, with outcome, tokens, cost and latency; seconds late. Needs an access token of the owner, or a secret key. With `X-Service-Customer-Id`, a secret key acts for that customer.
         */
        get: operations["listProjectRequests"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/projects/{id}/requests/live": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Stream a project's requests as they end: those of the last minute, then, with wait=true, new ones
         * @description Stream a project's requests as they end: those of the last minute, then, with wait=true, new ones. Needs an access token of the owner, or a secret key. With `X-Service-Customer-Id`, a secret key acts for that customer.
         */
        get: operations["getProjectRequestsLive"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/projects/{id}/requests/{request_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get one model request of a project
         * @description Get one model request of a project. Needs an access token of the owner, or a secret key. With `X-Service-Customer-Id`, a secret key acts for that customer.
         */
        get: operations["getProjectRequest"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/projects/{id}/usage": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Add up a project's requests by hour or day and by model, customer, key, tier or status
         * @description Add up a project's requests by hour or day and by model, customer, key, tier or status. Needs an access token of the owner, or a secret key. With `X-Service-Customer-Id`, a secret key acts for that customer.
         */
        get: operations["getProjectUsage"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/projects/{id}/uncharged-usage": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List requests with usage that no customer paid for, newest first
         * @description Overrun is usage beyond what was held. Unreconciled usage was never reported by its provider: its figure is an upper bound, and disappears when a report arrives late. Needs an access token of the owner, or a secret key. With `X-Service-Customer-Id`, a secret key acts for that customer.
         */
        get: operations["listUnchargedUsage"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/tiers": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the project's tiers
         * @description Returns the plans that customers of the project can have. Needs a publishable key, or a secret key. With `X-Service-Customer-Id`, a secret key acts for that customer.
         */
        get: operations["listTiers"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/tiers/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a tier
         * @description Returns the tier with its models and their prices. Needs a publishable key, or a secret key. With `X-Service-Customer-Id`, a secret key acts for that customer.
         */
        get: operations["getTier"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/projects/{id}/tiers": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List a project's tiers (dashboard)
         * @description Returns the plans that customers of the project can have. Needs an access token of the owner.
         */
        get: operations["listProjectTiers"];
        put?: never;
        /**
         * Create a tier (dashboard)
         * @description A tier names the models that its customers may use, what they cost, and a spend limit. Prices that are left out follow the catalog and the markup of the project. Needs an access token of the owner. A repeat with the same `Idempotency-Key` has no second effect.
         */
        post: operations["createTier"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/projects/{id}/tiers/{tier_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a tier; by the owner's session
         * @description Returns the tier with its models and their prices. Needs an access token of the owner. The owner’s session acts in the project of the path, as its secret key would.
         */
        get: operations["getProjectTier"];
        /**
         * Update a tier; omitted fields keep their values (dashboard)
         * @description Null removes an optional field. Needs an access token of the owner.
         */
        put: operations["updateTier"];
        post?: never;
        /**
         * Delete a tier without subscribers (dashboard)
         * @description A tier with subscribers cannot be deleted (409). Needs an access token of the owner.
         */
        delete: operations["deleteTier"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/tiers/{id}/checkout": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Create a checkout of a paid tier for a new customer
         * @description The customer is created when the payment is complete. Open `url` in the browser of the person who pays. Needs a secret key. With `X-Service-Customer-Id`, a secret key acts for that customer. A repeat with the same `Idempotency-Key` has no second effect.
         */
        post: operations["createTierCheckout"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/customers/{id}/subscribe": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Create a checkout of a paid tier for a customer
         * @description Open `url` in the browser of the customer. The subscription starts when the payment is complete. Needs a secret key. With `X-Service-Customer-Id`, a secret key acts for that customer. A repeat with the same `Idempotency-Key` has no second effect.
         */
        post: operations["subscribeCustomer"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/customers/me/checkout": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Create a checkout of a paid tier for yourself
         * @description Open `url` in your browser. The subscription starts when the payment is complete. Needs a customer token. A repeat with the same `Idempotency-Key` has no second effect.
         */
        post: operations["createMyCheckout"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/projects/{id}/payments": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the purchases of a project's customers, newest first
         * @description List the purchases of a project's customers, newest first. Needs an access token of the owner, or a secret key. With `X-Service-Customer-Id`, a secret key acts for that customer.
         */
        get: operations["listProjectPayments"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/payments/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a purchase with its refunds and the amount that can be refunded
         * @description Get a purchase with its refunds and the amount that can be refunded. Needs a secret key. With `X-Service-Customer-Id`, a secret key acts for that customer.
         */
        get: operations["getPayment"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/payments/{id}/refund": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Refund a customer's top-up to its card, in full or in part; requires an Idempotency-Key, and refunds once
         * @description The amount is taken from the wallet at once. It never exceeds what is left of the payment, or of the paid money in the wallet. While the answer of the card processor is unknown, the refund is `pending` and its amount is reserved. Refund the payments of subscriptions at the card processor. Needs a secret key. With `X-Service-Customer-Id`, a secret key acts for that customer. A repeat with the same `Idempotency-Key` has no second effect.
         */
        post: operations["refundPayment"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/customers/me/topup": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Create a checkout that tops up the customer's wallet
         * @description Open `url` in your browser. The wallet is credited when the payment is complete. Needs a customer token. A repeat with the same `Idempotency-Key` has no second effect.
         */
        post: operations["topUpMyWallet"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/customers/{id}/topup": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Create a checkout that tops up a customer's wallet
         * @description Open `url` in the browser of the customer. The wallet is credited when the payment is complete. Needs a secret key. With `X-Service-Customer-Id`, a secret key acts for that customer. A repeat with the same `Idempotency-Key` has no second effect.
         */
        post: operations["topUpCustomerWallet"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/account/topup": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Create a checkout that tops up the owner's prepaid balance
         * @description Open `checkout_url` in a browser. The balance is credited when the payment is complete. Needs an access token of the owner. A repeat with the same `Idempotency-Key` has no second effect.
         */
        post: operations["createAccountTopUp"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/account/topups": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the owner's top-ups, including automatic ones, newest first
         * @description Each entry has its status and what was refunded. Needs an access token of the owner. Returns one page; `next_cursor` is absent on the last one.
         */
        get: operations["listAccountTopUps"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/account/topups/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get one of the owner's top-ups
         * @description Poll it after a checkout: `completed` means that the balance was credited. Needs an access token of the owner.
         */
        get: operations["getAccountTopUp"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/account/billing/auto-topup": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the settings of automatic top-ups
         * @description Returns threshold, amount, limits and the stored card. Needs an access token of the owner.
         */
        get: operations["getAutoTopUp"];
        /**
         * Set up automatic top-ups; 409 when no card is stored
         * @description The stored card is charged when the balance falls below the threshold. Needs an access token of the owner.
         */
        put: operations["setAutoTopUp"];
        post?: never;
        /**
         * Delete the settings of automatic top-ups and their card
         * @description The card is removed from the payment processor. Needs an access token of the owner.
         */
        delete: operations["deleteAutoTopUp"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/account/billing/auto-topup/setup": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Start storing a card for automatic top-ups
         * @description Returns the secret with which the payment processor’s page stores a card. Needs an access token of the owner.
         */
        post: operations["startCardSetup"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/account/billing/auto-topup/confirm": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Store the card of a finished setup
         * @description Call it when the payment processor’s page reports success. Needs an access token of the owner.
         */
        post: operations["confirmCardSetup"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/account/card-verification": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the status of the owner's card verification
         * @description Reports whether a card is verified, and the credit that was granted for it. Needs an access token of the owner.
         */
        get: operations["getCardVerification"];
        put?: never;
        /**
         * Create a checkout that verifies a card of the owner; 409 when a card is verified
         * @description A verified card may earn a free credit, once per card. Needs an access token of the owner. A repeat with the same `Idempotency-Key` has no second effect.
         */
        post: operations["startCardVerification"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/account/card-verification/confirm": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Finish a card verification; 409 while its checkout is unfinished, 422 for a prepaid card
         * @description Call it when the checkout of the verification is complete. Needs an access token of the owner.
         */
        post: operations["confirmCardVerification"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/billing/webhooks/stripe": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Receive the payment processor's webhook events
         * @description Only the payment processor calls it. The signature is verified over the raw body, and an event counts once. Needs no credential.
         */
        post: operations["receiveStripeWebhook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/billing/checkout-return": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Show the default page to which a checkout returns
         * @description Shown when a checkout names no address of its own. Needs no credential.
         */
        get: operations["showCheckoutReturn"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/projects/{id}/tool-hooks": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List tool hooks, oldest first, which is the order in which they are called
         * @description Hooks are called in this order. Needs an access token of the owner. Returns one page; `next_cursor` is absent on the last one.
         */
        get: operations["listToolHooks"];
        put?: never;
        /**
         * Create a tool hook
         * @description The answer has the signing secret, only this once. The hook’s type decides whether it executes tools, or permits or changes their calls. Needs an access token of the owner.
         */
        post: operations["createToolHook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/projects/{id}/tool-hooks/{hook_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a tool hook
         * @description Returns the settings of a hook, without its secret. Needs an access token of the owner.
         */
        get: operations["getToolHook"];
        /**
         * Update a tool hook or rotate its secret
         * @description Omitted fields keep their values. `rotate_secret` replaces the secret and returns the new one. Needs an access token of the owner.
         */
        put: operations["updateToolHook"];
        post?: never;
        /**
         * Delete a tool hook
         * @description Tools of agents that are bound to the hook fail from now on. Needs an access token of the owner.
         */
        delete: operations["deleteToolHook"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/projects/{id}/tool-hooks/{hook_id}/test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send a sample call to the hook now
         * @description Returns the hook’s answer. No tool call depends on it. Needs an access token of the owner.
         */
        post: operations["testToolHook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/projects/{id}/tool-hooks/{hook_id}/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List a tool hook's calls, newest first
         * @description The log has status, latency and error of each call. Needs an access token of the owner. Returns one page; `next_cursor` is absent on the last one.
         */
        get: operations["listToolHookEvents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/projects/{id}/webhooks": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List webhooks, oldest first
         * @description Returns settings without secrets. Needs an access token of the owner. Returns one page; `next_cursor` is absent on the last one.
         */
        get: operations["listWebhooks"];
        put?: never;
        /**
         * Create a webhook
         * @description The answer has the signing secret, only this once. The section “webhooks” of this document describes the events. Needs an access token of the owner.
         */
        post: operations["createWebhook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/projects/{id}/webhooks/{webhook_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a webhook
         * @description Returns the settings of a webhook, without its secret. Needs an access token of the owner.
         */
        get: operations["getWebhook"];
        /**
         * Update a webhook or rotate its secret
         * @description Omitted optional fields keep their values. `rotate_secret` replaces the secret and returns the new one. Needs an access token of the owner.
         */
        put: operations["updateWebhook"];
        post?: never;
        /**
         * Delete a webhook and cancel its pending deliveries
         * @description Deliveries that wait for a retry are canceled. Needs an access token of the owner.
         */
        delete: operations["deleteWebhook"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/projects/{id}/webhooks/{webhook_id}/test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send a sample event now
         * @description Returns the endpoint’s answer. A test appears in the delivery log and does not count against the endpoint. Needs an access token of the owner.
         */
        post: operations["testWebhook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/webhook-event-types": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the event types that a webhook can receive, with the schema and an example of each body
         * @description The same for every project. Receivers ignore members that they do not know: bodies may get more of them. Needs an access token of the owner, or a secret key. With `X-Service-Customer-Id`, a secret key acts for that customer.
         */
        get: operations["listWebhookEventTypes"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/projects/{id}/webhooks/{webhook_id}/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List a webhook's deliveries, newest first
         * @description Each delivery has its payload, its attempts and the endpoint’s last answer. Needs an access token of the owner. Returns one page; `next_cursor` is absent on the last one.
         */
        get: operations["listWebhookEvents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/projects/{id}/webhooks/{webhook_id}/events/{event_id}/redeliver": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Redeliver an event
         * @description Starts a new series of attempts with the same bytes and the same event id. Needs an access token of the owner.
         */
        post: operations["redeliverWebhookEvent"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/projects/{id}/agents": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List agents with their current revisions, oldest first
         * @description Returns each agent with the revision that runs use now. Needs a secret key, or an access token of the owner. With `X-Service-Customer-Id`, a secret key acts for that customer. Returns one page; `next_cursor` is absent on the last one.
         */
        get: operations["listAgents"];
        put?: never;
        /**
         * Create an agent
         * @description An agent is a model with instructions, tools and limits, under a slug that is unique in the project. Needs a secret key, or an access token of the owner. With `X-Service-Customer-Id`, a secret key acts for that customer. A repeat with the same `Idempotency-Key` has no second effect.
         */
        post: operations["createAgent"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/projects/{id}/agents/{slug}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get an agent with its current or a named revision
         * @description `revision` selects an earlier configuration. Needs a secret key, or an access token of the owner. With `X-Service-Customer-Id`, a secret key acts for that customer.
         */
        get: operations["getAgent"];
        put?: never;
        post?: never;
        /**
         * Delete an agent; runs that have pinned a revision continue
         * @description New runs of the agent are refused from now on. Needs a secret key, or an access token of the owner. With `X-Service-Customer-Id`, a secret key acts for that customer.
         */
        delete: operations["deleteAgent"];
        options?: never;
        head?: never;
        /**
         * Update an agent; a changed configuration makes a new revision
         * @description Runs that have started keep their revision. Needs a secret key, or an access token of the owner. With `X-Service-Customer-Id`, a secret key acts for that customer.
         */
        patch: operations["updateAgent"];
        trace?: never;
    };
    "/api/v1/projects/{id}/agents/{slug}/versions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List an agent's revisions, newest first
         * @description Each change of the configuration is a revision. Needs a secret key, or an access token of the owner. With `X-Service-Customer-Id`, a secret key acts for that customer. Returns one page; `next_cursor` is absent on the last one.
         */
        get: operations["listAgentVersions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/projects/{id}/agents/{slug}/run": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Run an agent and return its result, or stream its events with options.stream
         * @description Waits for the end of the run. The run continues when the client leaves; its events remain readable under its id. `customer_id` names the customer whom a secret key acts for. Needs a secret key, or a customer token, or an access token of the owner. The owner’s session acts in the project of the path, as its secret key would. A repeat with the same `Idempotency-Key` has no second effect.
         */
        post: operations["runAgent"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/projects/{id}/agents/{slug}/test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Run an agent with mocked tools
         * @description Tool calls get the answers in `mock_tools`; with `dry_run`, a call without a mock is an error. Model calls are real and charged. Needs a secret key, or an access token of the owner. The owner’s session acts in the project of the path, as its secret key would. A repeat with the same `Idempotency-Key` has no second effect.
         */
        post: operations["testAgent"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/projects/{id}/agents/{slug}/replay": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Rerun an agent with recorded answers and tool results, or with mocked tools
         * @description With `run_id`, input, model answers and tool results of that run are used again. Needs a secret key, or an access token of the owner. The owner’s session acts in the project of the path, as its secret key would. A repeat with the same `Idempotency-Key` has no second effect.
         */
        post: operations["replayAgent"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/messages": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List messages of a mailbox or a thread, oldest first
         * @description Name the mailbox or the thread in the query. Needs a secret key, or an access token of the owner, or a customer token. With `X-Service-Customer-Id`, a secret key acts for that customer. Returns one page; `next_cursor` is absent on the last one.
         */
        get: operations["listMessages"];
        put?: never;
        /**
         * Send a message to an agent or a run
         * @description Addresses are `agent:<slug>@<project id>` and `run:<run id>`. `thread_id` continues a thread. Needs a secret key, or an access token of the owner, or a customer token. With `X-Service-Customer-Id`, a secret key acts for that customer. A repeat with the same `Idempotency-Key` has no second effect.
         */
        post: operations["sendMessage"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/messages/{message_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a message
         * @description Returns the message with its body. Needs a secret key, or an access token of the owner, or a customer token. With `X-Service-Customer-Id`, a secret key acts for that customer.
         */
        get: operations["getMessage"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/messages/{message_id}/read": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Mark a message as read; idempotent
         * @description A message that is read already stays as it is. Needs a secret key, or an access token of the owner, or a customer token. With `X-Service-Customer-Id`, a secret key acts for that customer.
         */
        post: operations["markMessageRead"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/models": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List models with their capabilities and prices; with a customer's token, those of its tier
         * @description Prices are in cents per million tokens. Needs no credential.
         */
        get: operations["listModels"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/models": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List models in OpenAI's format, or in Anthropic's, paginated, when `anthropic-version` is sent
         * @description For client libraries that list the models of their vendor. Needs a secret key, or a customer token. With `X-Service-Customer-Id`, a secret key acts for that customer.
         */
        get: operations["listCompatibleModels"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/models/{model}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a model by its percent-encoded catalog id
         * @description For client libraries that look up a model before they use it. A slash in the id is written as `%2F`. Needs a secret key, or a customer token. With `X-Service-Customer-Id`, a secret key acts for that customer.
         */
        get: operations["getCompatibleModel"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/models/{provider}/{model}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a model by its catalog id
         * @description The same as the endpoint with one segment, for ids whose slash is not encoded. Needs a secret key, or a customer token. With `X-Service-Customer-Id`, a secret key acts for that customer.
         */
        get: operations["getCompatibleModelOfProvider"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/responses/batch": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Run several requests in one call, each with its own result
         * @description Each result has its own status: a bad request fails alone. Only a malformed envelope or duplicate ids refuse the whole batch. Needs a secret key, or a customer token. With `X-Service-Customer-Id`, a secret key acts for that customer. A repeat with the same `Idempotency-Key` has no second effect.
         */
        post: operations["createResponseBatch"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/embeddings": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Create embeddings of texts or token lists
         * @description For client libraries that use the embeddings protocol of OpenAI. Needs a secret key, or a customer token. With `X-Service-Customer-Id`, a secret key acts for that customer. A repeat with the same `Idempotency-Key` has no second effect.
         */
        post: operations["createEmbeddings"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/moderations": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Classify texts and images by harmful content
         * @description For client libraries that use the moderations protocol of OpenAI. Without `model`, `omni-moderation-latest` is asked. Needs a secret key, or a customer token. With `X-Service-Customer-Id`, a secret key acts for that customer. A repeat with the same `Idempotency-Key` has no second effect.
         */
        post: operations["createModeration"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/audio/speech": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Generate spoken audio from text
         * @description Answers with the bytes of the recording in the requested format. Needs a secret key, or a customer token. With `X-Service-Customer-Id`, a secret key acts for that customer. A repeat with the same `Idempotency-Key` has no second effect.
         */
        post: operations["createSpeech"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/audio/transcriptions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Transcribe a recording
         * @description The form has the recording as `file`, of at most 25 MiB. Needs a secret key, or a customer token. With `X-Service-Customer-Id`, a secret key acts for that customer. A repeat with the same `Idempotency-Key` has no second effect.
         */
        post: operations["createTranscription"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/audio/translations": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Translate a recording into English text
         * @description The form has the recording as `file`, of at most 25 MiB. Needs a secret key, or a customer token. With `X-Service-Customer-Id`, a secret key acts for that customer. A repeat with the same `Idempotency-Key` has no second effect.
         */
        post: operations["createTranslation"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/images/generations": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Generate images in OpenAI's dialect; billed per image
         * @description For client libraries that use the images protocol of OpenAI. `response_format: url` answers with URLs of stored images that expire. Images are made at the quality of their price: other settings are refused, or dropped by a setting of the project. Needs a secret key, or a customer token. With `X-Service-Customer-Id`, a secret key acts for that customer. A repeat with the same `Idempotency-Key` has no second effect.
         */
        post: operations["createImages"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/images/edits": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Generate images from other images in OpenAI's dialect; billed per generated image
         * @description The form has the images to start from as `image`, or up to 16 as `image[]`, and an optional `mask`. The model’s provider decides which it supports. Needs a secret key, or a customer token. With `X-Service-Customer-Id`, a secret key acts for that customer. A repeat with the same `Idempotency-Key` has no second effect.
         */
        post: operations["editImages"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/messages/count_tokens": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Count the input tokens of a request in Anthropic's messages format with Tollgate's tokenizer
         * @description Free of charge. The provider may count a few tokens more or less. Needs a secret key, or a customer token. With `X-Service-Customer-Id`, a secret key acts for that customer.
         */
        post: operations["countMessageTokens"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/responses/input_tokens": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Count the input tokens of a request in OpenAI's responses format with Tollgate's tokenizer
         * @description Free of charge. The provider may count a few tokens more or less. Needs a secret key, or a customer token. With `X-Service-Customer-Id`, a secret key acts for that customer.
         */
        post: operations["countResponseTokens"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/responses/{response_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a stored response
         * @description Returns the response as it was answered. A customer reads its own responses, a project also those of its customers. Needs a secret key, or a customer token. With `X-Service-Customer-Id`, a secret key acts for that customer.
         */
        get: operations["getOpenAiResponse"];
        put?: never;
        post?: never;
        /**
         * Delete a stored response
         * @description Responses that continue it keep its items until they are deleted or expire. Needs a secret key, or a customer token. With `X-Service-Customer-Id`, a secret key acts for that customer.
         */
        delete: operations["deleteOpenAiResponse"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/responses/{response_id}/input_items": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the items that a stored response was made of
         * @description Includes the items of the responses that it continues. Newest first, unless `order` is `asc`. Needs a secret key, or a customer token. With `X-Service-Customer-Id`, a secret key acts for that customer.
         */
        get: operations["listResponseInputItems"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/files": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List uploaded files and files of batches
         * @description Newest first, unless `order` is `asc`. A customer lists its own files, a project also those of its customers. Needs a secret key, or a customer token. With `X-Service-Customer-Id`, a secret key acts for that customer.
         */
        get: operations["listFiles"];
        put?: never;
        /**
         * Upload the input of a batch
         * @description The form has the file as `file`, with one JSON request per line, and `purpose` `batch`. Files expire after 30 days, or as `expires_after` says. Needs a secret key, or a customer token. With `X-Service-Customer-Id`, a secret key acts for that customer.
         */
        post: operations["createFile"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/files/{file_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a file without its content
         * @description A customer reads its own files, a project also those of its customers. Needs a secret key, or a customer token. With `X-Service-Customer-Id`, a secret key acts for that customer.
         */
        get: operations["getFile"];
        put?: never;
        post?: never;
        /**
         * Delete a file
         * @description A batch that has started continues without its input file. Needs a secret key, or a customer token. With `X-Service-Customer-Id`, a secret key acts for that customer.
         */
        delete: operations["deleteFile"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/files/{file_id}/content": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Download a file
         * @description Answers with the bytes of the file. The lines of a batch’s files are in the order of its input. Needs a secret key, or a customer token. With `X-Service-Customer-Id`, a secret key acts for that customer.
         */
        get: operations["getFileContent"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/batches": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List batches, newest first
         * @description A customer lists its own batches, a project also those of its customers. Needs a secret key, or a customer token. With `X-Service-Customer-Id`, a secret key acts for that customer.
         */
        get: operations["listFileBatches"];
        put?: never;
        /**
         * Run the requests of an uploaded file
         * @description Answers at once; follow the batch by its status. Each request is charged like a request of its own, and ends with a line in the output or the error file. Requests that have not run after 24 hours expire. With an `Idempotency-Key`, a repeat within 24 hours returns the same batch. Needs a secret key, or a customer token. With `X-Service-Customer-Id`, a secret key acts for that customer.
         */
        post: operations["createFileBatch"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/batches/{batch_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a batch
         * @description A customer reads its own batches, a project also those of its customers. Needs a secret key, or a customer token. With `X-Service-Customer-Id`, a secret key acts for that customer.
         */
        get: operations["getFileBatch"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/batches/{batch_id}/cancel": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Cancel a batch
         * @description Requests in progress are completed and charged; the others are not started. Canceling again changes nothing. Needs a secret key, or a customer token. With `X-Service-Customer-Id`, a secret key acts for that customer.
         */
        post: operations["cancelFileBatch"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1beta/models": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List models in Google's format
         * @description For client libraries that list the models of their vendor. Returns one page; `nextPageToken` is absent on the last one. Needs a secret key, or a customer token. With `X-Service-Customer-Id`, a secret key acts for that customer.
         */
        get: operations["listGoogleModels"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1beta/models/{model}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a model in Google's format
         * @description For client libraries that look up a model before they use it. A slash in the id may be written as `%2F`. Needs a secret key, or a customer token. With `X-Service-Customer-Id`, a secret key acts for that customer.
         */
        get: operations["getGoogleModel"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1beta/models/{model}:countTokens": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Count the input tokens of a request in Google's format with Tollgate's tokenizer
         * @description Free of charge. The provider may count a few tokens more or less. Needs a secret key, or a customer token. With `X-Service-Customer-Id`, a secret key acts for that customer.
         */
        post: operations["countGoogleTokens"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1beta/models/{model}:embedContent": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Create the embedding of a text in Google's format
         * @description For client libraries that use the embeddings of the Gemini API, with any embedding model of the catalog. Needs a secret key, or a customer token. With `X-Service-Customer-Id`, a secret key acts for that customer. A repeat with the same `Idempotency-Key` has no second effect.
         */
        post: operations["embedGoogleContent"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1beta/models/{model}:batchEmbedContents": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Create embeddings of texts in Google's format
         * @description For client libraries that use the embeddings of the Gemini API, with any embedding model of the catalog. Needs a secret key, or a customer token. With `X-Service-Customer-Id`, a secret key acts for that customer. A repeat with the same `Idempotency-Key` has no second effect.
         */
        post: operations["batchEmbedGoogleContents"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/images/generate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Generate images; billed per image
         * @description Answers with the image data, or with URLs of stored images that expire. Needs a secret key, or a customer token. With `X-Service-Customer-Id`, a secret key acts for that customer. A repeat with the same `Idempotency-Key` has no second effect.
         */
        post: operations["generateImage"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/images/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the URL of a stored image and when it expires
         * @description The URL contains a token and works without a credential until it expires. Needs a secret key, or a customer token. With `X-Service-Customer-Id`, a secret key acts for that customer.
         */
        get: operations["getImage"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/images/{id}/file": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the file behind an image URL; the token in the URL is the only credential
         * @description Answers with the bytes of the image. Needs no credential.
         */
        get: operations["getImageFile"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/images/{id}/pin": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Keep an image beyond its expiry
         * @description A pinned image does not expire. Needs a secret key, or a customer token. With `X-Service-Customer-Id`, a secret key acts for that customer.
         */
        post: operations["pinImage"];
        /**
         * Unpin an image; it expires after its full lifetime from now
         * @description The image is deleted when its lifetime has passed again. Needs a secret key, or a customer token. With `X-Service-Customer-Id`, a secret key acts for that customer.
         */
        delete: operations["unpinImage"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/state-handles": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List state handles that have not expired, newest first
         * @description Returns the handles of the project, or of the customer of the token. Needs a secret key, or an access token of the owner, or a customer token. With `X-Service-Customer-Id`, a secret key acts for that customer. Returns one page; `next_cursor` is absent on the last one.
         */
        get: operations["listStateHandles"];
        put?: never;
        /**
         * Create a state handle for the key-value and task tools
         * @description Name the handle in model requests, so that their key-value and task tools share their state. Needs a secret key, or an access token of the owner, or a customer token. With `X-Service-Customer-Id`, a secret key acts for that customer. A repeat with the same `Idempotency-Key` has no second effect.
         */
        post: operations["createStateHandle"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/state-handles/{state_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Delete a state handle
         * @description Deletes the stored values and tasks. Needs a secret key, or an access token of the owner, or a customer token. With `X-Service-Customer-Id`, a secret key acts for that customer.
         */
        delete: operations["deleteStateHandle"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/sessions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List sessions without their messages, newest first
         * @description Returns the sessions of the project, or of the customer of the token. Needs a secret key, or an access token of the owner, or a customer token. With `X-Service-Customer-Id`, a secret key acts for that customer. Returns one page; `next_cursor` is absent on the last one.
         */
        get: operations["listSessions"];
        put?: never;
        /**
         * Create a session for messages, metadata, and the state of the key-value and task tools
         * @description Name the session in model requests and runs. With a secret key, `customer_id` makes it a customer’s session. Needs a secret key, or an access token of the owner, or a customer token. With `X-Service-Customer-Id`, a secret key acts for that customer. A repeat with the same `Idempotency-Key` has no second effect.
         */
        post: operations["createSession"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/sessions/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a session with its messages, oldest first
         * @description Returns metadata and messages. Needs a secret key, or an access token of the owner, or a customer token. With `X-Service-Customer-Id`, a secret key acts for that customer.
         */
        get: operations["getSession"];
        put?: never;
        post?: never;
        /**
         * Delete a session with its messages
         * @description This cannot be undone. Needs a secret key. With `X-Service-Customer-Id`, a secret key acts for that customer.
         */
        delete: operations["deleteSession"];
        options?: never;
        head?: never;
        /**
         * Merge metadata into a session; null removes a key
         * @description Members that are not named keep their values. Needs a secret key, or an access token of the owner, or a customer token. With `X-Service-Customer-Id`, a secret key acts for that customer.
         */
        patch: operations["updateSession"];
        trace?: never;
    };
    "/api/v1/sessions/{id}/messages": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Append a message to a session
         * @description Messages keep the order in which they are appended. Needs a secret key, or an access token of the owner, or a customer token. With `X-Service-Customer-Id`, a secret key acts for that customer. A repeat with the same `Idempotency-Key` has no second effect.
         */
        post: operations["appendSessionMessage"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/sessions/{id}/clear": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Delete all messages of a session; keeps metadata and tool state
         * @description The session itself remains. Needs a secret key, or an access token of the owner, or a customer token. With `X-Service-Customer-Id`, a secret key acts for that customer.
         */
        post: operations["clearSession"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/projects/{id}/sql-profiles": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List SQL profiles, oldest first
         * @description Returns the policies of the project. Needs a secret key, or an access token of the owner. With `X-Service-Customer-Id`, a secret key acts for that customer. Returns one page; `next_cursor` is absent on the last one.
         */
        get: operations["listSqlProfiles"];
        put?: never;
        /**
         * Create a SQL profile, a policy for statements
         * @description A policy names the tables, columns and functions that statements may use, and limits their rows. Needs a secret key, or an access token of the owner. With `X-Service-Customer-Id`, a secret key acts for that customer. A repeat with the same `Idempotency-Key` has no second effect.
         */
        post: operations["createSqlProfile"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/projects/{id}/sql-profiles/{profile_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a SQL profile
         * @description Returns the policy. Needs a secret key, or an access token of the owner. With `X-Service-Customer-Id`, a secret key acts for that customer.
         */
        get: operations["getSqlProfile"];
        /**
         * Update a SQL profile; omitted fields keep their values, a policy is replaced as a whole
         * @description Statements are judged by the new policy from now on. Needs a secret key, or an access token of the owner. With `X-Service-Customer-Id`, a secret key acts for that customer.
         */
        put: operations["updateSqlProfile"];
        post?: never;
        /**
         * Delete a SQL profile
         * @description Requests that name the profile are refused from now on. Needs a secret key, or an access token of the owner. With `X-Service-Customer-Id`, a secret key acts for that customer.
         */
        delete: operations["deleteSqlProfile"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/sql/validate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Validate a statement against a policy; 400 lists the reasons for refusal
         * @description Nothing is executed. The answer has the statement as it may be run, with the limits that the policy adds. Needs a secret key, or an access token of the owner, or a customer token. With `X-Service-Customer-Id`, a secret key acts for that customer.
         */
        post: operations["validateSql"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/runs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List runs, newest first
         * @description `status` selects runs of one status. Needs a secret key, or a customer token. With `X-Service-Customer-Id`, a secret key acts for that customer. Returns one page; `next_cursor` is absent on the last one.
         */
        get: operations["listRuns"];
        put?: never;
        /**
         * Start a workflow run
         * @description Send a spec, or the hash of a plan that the project has compiled before. The answer returns at once; follow the run by its events. Needs a secret key, or a customer token. With `X-Service-Customer-Id`, a secret key acts for that customer.
         */
        post: operations["createRun"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/runs/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a snapshot of a run
         * @description Has the status and output of every node, and the cost so far. Needs a secret key, or a customer token. With `X-Service-Customer-Id`, a secret key acts for that customer.
         */
        get: operations["getRun"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/runs/{id}/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Stream the event log of a run: stored events, then new ones
         * @description Answers NDJSON, or server-sent events if the `Accept` header asks for them. Reconnect with `after_seq`, or with the header `Last-Event-ID`. `wait=false` ends the answer after the events that are stored now. Needs a secret key, or a customer token. With `X-Service-Customer-Id`, a secret key acts for that customer.
         */
        get: operations["streamRunEvents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/runs/{id}/cancel": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Cancel a run
         * @description Nodes that run are stopped; what they have used is charged. A run that has ended stays as it is. Needs a secret key, or a customer token. With `X-Service-Customer-Id`, a secret key acts for that customer.
         */
        post: operations["cancelRun"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/runs/{id}/pending-tools": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List tool calls that wait for results
         * @description Tools in client mode wait for results from the caller. Needs a secret key, or a customer token. With `X-Service-Customer-Id`, a secret key acts for that customer.
         */
        get: operations["listPendingToolCalls"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/runs/{id}/tool-results": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Submit results for the tool calls of a waiting node
         * @description Send all results of one step. The run continues when no call waits anymore. Needs a secret key, or a customer token. With `X-Service-Customer-Id`, a secret key acts for that customer.
         */
        post: operations["submitToolResults"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/runs/{id}/steps": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the model calls of a run with their requests, answers and tools
         * @description For debugging and audits. Retried attempts are listed too. Needs a secret key, or a customer token. With `X-Service-Customer-Id`, a secret key acts for that customer. Returns one page; `next_cursor` is absent on the last one.
         */
        get: operations["listRunSteps"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/runs/{id}/tasks": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the tasks of a run
         * @description The task list that the run’s model keeps with its task tools. Needs a secret key, or a customer token. With `X-Service-Customer-Id`, a secret key acts for that customer.
         */
        get: operations["listRunTasks"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/workflows/compile": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Compile a workflow spec; its plan_hash can start runs
         * @description Answers with the plan and its hash. A spec with faults is refused with all of them. Needs a secret key. With `X-Service-Customer-Id`, a secret key acts for that customer.
         */
        post: operations["compileWorkflow"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/workflows/lint": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * List all issues of a workflow spec
         * @description Answers 200 for a spec with faults, too: `valid` is false and `issues` lists them. Needs a secret key. With `X-Service-Customer-Id`, a secret key acts for that customer.
         */
        post: operations["lintWorkflow"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/schemas/workflow.schema.json": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the JSON Schema of workflow specs
         * @description For editors that complete and check specs. Needs no credential.
         */
        get: operations["getWorkflowSchema"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/schemas/run_event.schema.json": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the JSON Schema of run events
         * @description For readers of the event stream. Needs no credential.
         */
        get: operations["getRunEventSchema"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/plugins/compile": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Compile a plugin into a workflow.v0 spec
         * @description A model reads the plugin’s files and writes the spec; its tokens are charged. Needs a secret key. With `X-Service-Customer-Id`, a secret key acts for that customer. A repeat with the same `Idempotency-Key` has no second effect.
         */
        post: operations["compilePlugin"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/skills/compile": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Compile a skill into a workflow.v1 spec
         * @description A model reads the skill’s files and writes the spec; its tokens are charged. Needs a secret key. With `X-Service-Customer-Id`, a secret key acts for that customer. A repeat with the same `Idempotency-Key` has no second effect.
         */
        post: operations["compileSkill"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/status": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the current status of each area, as JSON or a page
         * @description The results of the last background checks. Browsers get a page. Needs no credential.
         */
        get: operations["getStatus"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/projects/{id}/auth/device/start": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Start a device sign-in (RFC 8628); by the owner's session
         * @description Returns a code for the person and a code for the device. The device shows the first and polls with the second. Needs an access token of the owner. The owner’s session acts in the project of the path, as its secret key would.
         */
        post: operations["startProjectDevice"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/projects/{id}/auth/device/token": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Poll for the token of a device sign-in; by the owner's session
         * @description Call it at the interval that the start returned. Until the device is approved, the answer is 400 with `authorization_pending` or `slow_down`. Needs an access token of the owner. The owner’s session acts in the project of the path, as its secret key would.
         */
        post: operations["pollProjectDeviceToken"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/projects/{id}/auth/device/approve": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Approve or deny a device by the code it shows; by the owner's session
         * @description For apps with a sign-in of their own: a backend names the customer, or the customer approves with its own token. Needs an access token of the owner. The owner’s session acts in the project of the path, as its secret key would.
         */
        post: operations["approveProjectDevice"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/projects/{id}/auth/customer-token": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Mint a token for one customer; by the owner's session
         * @description A backend mints a token for the customer who uses its app, and hands it to the app. The token is limited to what the customer may do, and to the lifetime that its tier allows. Needs an access token of the owner. The owner’s session acts in the project of the path, as its secret key would.
         */
        post: operations["mintProjectCustomerToken"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/projects/{id}/account/balance": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the owner's prepaid balance; by the owner's session
         * @description Every model request is charged to this balance; the tiers decide what customers pay. Needs an access token of the owner. The owner’s session acts in the project of the path, as its secret key would.
         */
        get: operations["getProjectAccountBalance"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/projects/{id}/account/usage": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the usage of all the owner's projects by day, model, customer or key; by the owner's session
         * @description `from` is inclusive and `to` is exclusive. Times are dates or RFC 3339. Needs an access token of the owner. The owner’s session acts in the project of the path, as its secret key would. Returns one page; `next_cursor` is absent on the last one.
         */
        get: operations["getProjectAccountUsage"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/projects/{id}/customers/claim": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Link an external identity to the customer with this email; by the owner's session
         * @description Grants no credential. A project can disable claims by publishable key. Needs an access token of the owner. The owner’s session acts in the project of the path, as its secret key would.
         */
        post: operations["claimProjectCustomer"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/projects/{id}/customers/by-external-id/{external_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a customer by the owner's identifier; by the owner's session
         * @description Use it if your records have only your own identifier. Needs an access token of the owner. The owner’s session acts in the project of the path, as its secret key would.
         */
        get: operations["getProjectCustomerByExternalId"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/projects/{id}/customers/{customer_id}/block": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Refuse a customer's requests until it is unblocked; by the owner's session
         * @description Within five seconds each request of the customer is refused with 403. Requests that have started, the wallet and the subscription are kept. Needs an access token of the owner. The owner’s session acts in the project of the path, as its secret key would.
         */
        post: operations["blockProjectCustomer"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/projects/{id}/customers/{customer_id}/unblock": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Accept a blocked customer's requests again; by the owner's session
         * @description Changes nothing for a customer that is not blocked. Needs an access token of the owner. The owner’s session acts in the project of the path, as its secret key would.
         */
        post: operations["unblockProjectCustomer"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/projects/{id}/customers/{customer_id}/subscription": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a customer's subscription; by the owner's session
         * @description The subscription names the tier, its price and the current period. Needs an access token of the owner. The owner’s session acts in the project of the path, as its secret key would.
         */
        get: operations["getProjectCustomerSubscription"];
        /**
         * Set a subscription that is billed elsewhere, or move the customer to a free or PAYGO tier; by the owner's session
         * @description For subscriptions that another system bills. Paid tiers of the payment processor need a checkout instead. Needs an access token of the owner. The owner’s session acts in the project of the path, as its secret key would.
         */
        put: operations["setProjectCustomerSubscription"];
        post?: never;
        /**
         * Cancel a customer's subscription at the end of its period; by the owner's session
         * @description The customer keeps the tier until the period ends. Needs an access token of the owner. The owner’s session acts in the project of the path, as its secret key would.
         */
        delete: operations["cancelProjectCustomerSubscription"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/projects/{id}/customers/{customer_id}/balance": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a customer's prepaid wallet; by the owner's session
         * @description The wallet pays for requests on pay-as-you-go tiers. Needs an access token of the owner. The owner’s session acts in the project of the path, as its secret key would.
         */
        get: operations["getProjectCustomerBalance"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/projects/{id}/customers/{customer_id}/balance/history": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the transactions of a customer's wallet, newest first; by the owner's session
         * @description Top-ups, grants, charges and refunds, each with the balance after it. Needs an access token of the owner. The owner’s session acts in the project of the path, as its secret key would. Returns one page; `next_cursor` is absent on the last one.
         */
        get: operations["listProjectCustomerBalanceHistory"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/projects/{id}/customers/{customer_id}/credit": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Add to a customer's wallet without a payment; requires an Idempotency-Key, and applies it once; by the owner's session
         * @description Add to a customer's wallet without a payment; requires an Idempotency-Key, and applies it once; by the owner's session. Needs an access token of the owner. The owner’s session acts in the project of the path, as its secret key would. A repeat with the same `Idempotency-Key` has no second effect.
         */
        post: operations["createProjectCustomerCredit"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/projects/{id}/customers/{customer_id}/credit/withdraw": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Take granted credit back from a customer's wallet; requires an Idempotency-Key, and applies it once; by the owner's session
         * @description Paid money stays: refund the payment instead. Granted credit counts as used before paid money. Needs an access token of the owner. The owner’s session acts in the project of the path, as its secret key would. A repeat with the same `Idempotency-Key` has no second effect.
         */
        post: operations["withdrawProjectCustomerCredit"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/projects/{id}/customers/{customer_id}/portal-session": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Create a link that opens the customer portal once; by the owner's session
         * @description Redirect the customer to `url` within five minutes. It starts a session of one hour in which the customer sees its balance, plan, usage, payments and devices. `return_url` is shown as a link. Needs an access token of the owner. The owner’s session acts in the project of the path, as its secret key would.
         */
        post: operations["createProjectPortalSession"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/projects/{id}/tiers/{tier_id}/checkout": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Create a checkout of a paid tier for a new customer; by the owner's session
         * @description The customer is created when the payment is complete. Open `url` in the browser of the person who pays. Needs an access token of the owner. The owner’s session acts in the project of the path, as its secret key would. A repeat with the same `Idempotency-Key` has no second effect.
         */
        post: operations["createProjectTierCheckout"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/projects/{id}/customers/{customer_id}/subscribe": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Create a checkout of a paid tier for a customer; by the owner's session
         * @description Open `url` in the browser of the customer. The subscription starts when the payment is complete. Needs an access token of the owner. The owner’s session acts in the project of the path, as its secret key would. A repeat with the same `Idempotency-Key` has no second effect.
         */
        post: operations["subscribeProjectCustomer"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/projects/{id}/payments/{payment_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a purchase with its refunds and the amount that can be refunded; by the owner's session
         * @description Get a purchase with its refunds and the amount that can be refunded; by the owner's session. Needs an access token of the owner. The owner’s session acts in the project of the path, as its secret key would.
         */
        get: operations["getProjectPayment"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/projects/{id}/payments/{payment_id}/refund": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Refund a customer's top-up to its card, in full or in part; requires an Idempotency-Key, and refunds once; by the owner's session
         * @description The amount is taken from the wallet at once. It never exceeds what is left of the payment, or of the paid money in the wallet. While the answer of the card processor is unknown, the refund is `pending` and its amount is reserved. Refund the payments of subscriptions at the card processor. Needs an access token of the owner. The owner’s session acts in the project of the path, as its secret key would. A repeat with the same `Idempotency-Key` has no second effect.
         */
        post: operations["refundProjectPayment"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/projects/{id}/customers/{customer_id}/topup": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Create a checkout that tops up a customer's wallet; by the owner's session
         * @description Open `url` in the browser of the customer. The wallet is credited when the payment is complete. Needs an access token of the owner. The owner’s session acts in the project of the path, as its secret key would. A repeat with the same `Idempotency-Key` has no second effect.
         */
        post: operations["topUpProjectCustomerWallet"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/projects/{id}/webhook-event-types": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the event types that a webhook can receive, with the schema and an example of each body; by the owner's session
         * @description The same for every project. Receivers ignore members that they do not know: bodies may get more of them. Needs an access token of the owner. The owner’s session acts in the project of the path, as its secret key would.
         */
        get: operations["listProjectWebhookEventTypes"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/projects/{id}/messages": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List messages of a mailbox or a thread, oldest first; by the owner's session
         * @description Name the mailbox or the thread in the query. Needs an access token of the owner. The owner’s session acts in the project of the path, as its secret key would. Returns one page; `next_cursor` is absent on the last one.
         */
        get: operations["listProjectMessages"];
        put?: never;
        /**
         * Send a message to an agent or a run; by the owner's session
         * @description Addresses are `agent:<slug>@<project id>` and `run:<run id>`. `thread_id` continues a thread. Needs an access token of the owner. The owner’s session acts in the project of the path, as its secret key would. A repeat with the same `Idempotency-Key` has no second effect.
         */
        post: operations["sendProjectMessage"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/projects/{id}/messages/{message_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a message; by the owner's session
         * @description Returns the message with its body. Needs an access token of the owner. The owner’s session acts in the project of the path, as its secret key would.
         */
        get: operations["getProjectMessage"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/projects/{id}/messages/{message_id}/read": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Mark a message as read; idempotent; by the owner's session
         * @description A message that is read already stays as it is. Needs an access token of the owner. The owner’s session acts in the project of the path, as its secret key would.
         */
        post: operations["markProjectMessageRead"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/projects/{id}/responses/batch": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Run several requests in one call, each with its own result; by the owner's session
         * @description Each result has its own status: a bad request fails alone. Only a malformed envelope or duplicate ids refuse the whole batch. Needs an access token of the owner. The owner’s session acts in the project of the path, as its secret key would. A repeat with the same `Idempotency-Key` has no second effect.
         */
        post: operations["createProjectResponseBatch"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/projects/{id}/images/generate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Generate images; billed per image; by the owner's session
         * @description Answers with the image data, or with URLs of stored images that expire. Needs an access token of the owner. The owner’s session acts in the project of the path, as its secret key would. A repeat with the same `Idempotency-Key` has no second effect.
         */
        post: operations["generateProjectImage"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/projects/{id}/images/{image_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the URL of a stored image and when it expires; by the owner's session
         * @description The URL contains a token and works without a credential until it expires. Needs an access token of the owner. The owner’s session acts in the project of the path, as its secret key would.
         */
        get: operations["getProjectImage"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/projects/{id}/images/{image_id}/pin": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Keep an image beyond its expiry; by the owner's session
         * @description A pinned image does not expire. Needs an access token of the owner. The owner’s session acts in the project of the path, as its secret key would.
         */
        post: operations["pinProjectImage"];
        /**
         * Unpin an image; it expires after its full lifetime from now; by the owner's session
         * @description The image is deleted when its lifetime has passed again. Needs an access token of the owner. The owner’s session acts in the project of the path, as its secret key would.
         */
        delete: operations["unpinProjectImage"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/projects/{id}/state-handles": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List state handles that have not expired, newest first; by the owner's session
         * @description Returns the handles of the project, or of the customer of the token. Needs an access token of the owner. The owner’s session acts in the project of the path, as its secret key would. Returns one page; `next_cursor` is absent on the last one.
         */
        get: operations["listProjectStateHandles"];
        put?: never;
        /**
         * Create a state handle for the key-value and task tools; by the owner's session
         * @description Name the handle in model requests, so that their key-value and task tools share their state. Needs an access token of the owner. The owner’s session acts in the project of the path, as its secret key would. A repeat with the same `Idempotency-Key` has no second effect.
         */
        post: operations["createProjectStateHandle"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/projects/{id}/state-handles/{state_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Delete a state handle; by the owner's session
         * @description Deletes the stored values and tasks. Needs an access token of the owner. The owner’s session acts in the project of the path, as its secret key would.
         */
        delete: operations["deleteProjectStateHandle"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/projects/{id}/sessions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List sessions without their messages, newest first; by the owner's session
         * @description Returns the sessions of the project, or of the customer of the token. Needs an access token of the owner. The owner’s session acts in the project of the path, as its secret key would. Returns one page; `next_cursor` is absent on the last one.
         */
        get: operations["listProjectSessions"];
        put?: never;
        /**
         * Create a session for messages, metadata, and the state of the key-value and task tools; by the owner's session
         * @description Name the session in model requests and runs. With a secret key, `customer_id` makes it a customer’s session. Needs an access token of the owner. The owner’s session acts in the project of the path, as its secret key would. A repeat with the same `Idempotency-Key` has no second effect.
         */
        post: operations["createProjectSession"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/projects/{id}/sessions/{session_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a session with its messages, oldest first; by the owner's session
         * @description Returns metadata and messages. Needs an access token of the owner. The owner’s session acts in the project of the path, as its secret key would.
         */
        get: operations["getProjectSession"];
        put?: never;
        post?: never;
        /**
         * Delete a session with its messages; by the owner's session
         * @description This cannot be undone. Needs an access token of the owner. The owner’s session acts in the project of the path, as its secret key would.
         */
        delete: operations["deleteProjectSession"];
        options?: never;
        head?: never;
        /**
         * Merge metadata into a session; null removes a key; by the owner's session
         * @description Members that are not named keep their values. Needs an access token of the owner. The owner’s session acts in the project of the path, as its secret key would.
         */
        patch: operations["updateProjectSession"];
        trace?: never;
    };
    "/api/v1/projects/{id}/sessions/{session_id}/messages": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Append a message to a session; by the owner's session
         * @description Messages keep the order in which they are appended. Needs an access token of the owner. The owner’s session acts in the project of the path, as its secret key would. A repeat with the same `Idempotency-Key` has no second effect.
         */
        post: operations["appendProjectSessionMessage"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/projects/{id}/sessions/{session_id}/clear": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Delete all messages of a session; keeps metadata and tool state; by the owner's session
         * @description The session itself remains. Needs an access token of the owner. The owner’s session acts in the project of the path, as its secret key would.
         */
        post: operations["clearProjectSession"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/projects/{id}/sql/validate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Validate a statement against a policy; 400 lists the reasons for refusal; by the owner's session
         * @description Nothing is executed. The answer has the statement as it may be run, with the limits that the policy adds. Needs an access token of the owner. The owner’s session acts in the project of the path, as its secret key would.
         */
        post: operations["validateProjectSql"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/projects/{id}/runs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List runs, newest first; by the owner's session
         * @description `status` selects runs of one status. Needs an access token of the owner. The owner’s session acts in the project of the path, as its secret key would. Returns one page; `next_cursor` is absent on the last one.
         */
        get: operations["listProjectRuns"];
        put?: never;
        /**
         * Start a workflow run; by the owner's session
         * @description Send a spec, or the hash of a plan that the project has compiled before. The answer returns at once; follow the run by its events. Needs an access token of the owner. The owner’s session acts in the project of the path, as its secret key would.
         */
        post: operations["createProjectRun"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/projects/{id}/runs/{run_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a snapshot of a run; by the owner's session
         * @description Has the status and output of every node, and the cost so far. Needs an access token of the owner. The owner’s session acts in the project of the path, as its secret key would.
         */
        get: operations["getProjectRun"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/projects/{id}/runs/{run_id}/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Stream the event log of a run: stored events, then new ones; by the owner's session
         * @description Answers NDJSON, or server-sent events if the `Accept` header asks for them. Reconnect with `after_seq`, or with the header `Last-Event-ID`. `wait=false` ends the answer after the events that are stored now. Needs an access token of the owner. The owner’s session acts in the project of the path, as its secret key would.
         */
        get: operations["streamProjectRunEvents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/projects/{id}/runs/{run_id}/cancel": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Cancel a run; by the owner's session
         * @description Nodes that run are stopped; what they have used is charged. A run that has ended stays as it is. Needs an access token of the owner. The owner’s session acts in the project of the path, as its secret key would.
         */
        post: operations["cancelProjectRun"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/projects/{id}/runs/{run_id}/pending-tools": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List tool calls that wait for results; by the owner's session
         * @description Tools in client mode wait for results from the caller. Needs an access token of the owner. The owner’s session acts in the project of the path, as its secret key would.
         */
        get: operations["listProjectPendingToolCalls"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/projects/{id}/runs/{run_id}/tool-results": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Submit results for the tool calls of a waiting node; by the owner's session
         * @description Send all results of one step. The run continues when no call waits anymore. Needs an access token of the owner. The owner’s session acts in the project of the path, as its secret key would.
         */
        post: operations["submitProjectToolResults"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/projects/{id}/runs/{run_id}/steps": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the model calls of a run with their requests, answers and tools; by the owner's session
         * @description For debugging and audits. Retried attempts are listed too. Needs an access token of the owner. The owner’s session acts in the project of the path, as its secret key would. Returns one page; `next_cursor` is absent on the last one.
         */
        get: operations["listProjectRunSteps"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/projects/{id}/runs/{run_id}/tasks": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the tasks of a run; by the owner's session
         * @description The task list that the run’s model keeps with its task tools. Needs an access token of the owner. The owner’s session acts in the project of the path, as its secret key would.
         */
        get: operations["listProjectRunTasks"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/projects/{id}/workflows/compile": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Compile a workflow spec; its plan_hash can start runs; by the owner's session
         * @description Answers with the plan and its hash. A spec with faults is refused with all of them. Needs an access token of the owner. The owner’s session acts in the project of the path, as its secret key would.
         */
        post: operations["compileProjectWorkflow"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/projects/{id}/workflows/lint": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * List all issues of a workflow spec; by the owner's session
         * @description Answers 200 for a spec with faults, too: `valid` is false and `issues` lists them. Needs an access token of the owner. The owner’s session acts in the project of the path, as its secret key would.
         */
        post: operations["lintProjectWorkflow"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/projects/{id}/plugins/compile": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Compile a plugin into a workflow.v0 spec; by the owner's session
         * @description A model reads the plugin’s files and writes the spec; its tokens are charged. Needs an access token of the owner. The owner’s session acts in the project of the path, as its secret key would. A repeat with the same `Idempotency-Key` has no second effect.
         */
        post: operations["compileProjectPlugin"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/projects/{id}/skills/compile": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Compile a skill into a workflow.v1 spec; by the owner's session
         * @description A model reads the skill’s files and writes the spec; its tokens are charged. Needs an access token of the owner. The owner’s session acts in the project of the path, as its secret key would. A repeat with the same `Idempotency-Key` has no second effect.
         */
        post: operations["compileProjectSkill"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/openapi.json": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * This API as an OpenAPI 3.1 document
         * @description Made from the schemas that validate requests and answers. `/docs` shows it as a page. Needs no credential.
         */
        get: operations["getOpenApiDocument"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export interface webhooks {
    "customer.created": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A customer was created
         * @description Answer with any 2xx status within the time limit. The headers sign the exact bytes of the body, in the form that the webhook names as `signature_form`. An event may arrive more than once: `event_id` is the same each time.
         */
        post: operations["onCustomerCreated"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "customer.updated": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A customer or its subscription was changed
         * @description Answer with any 2xx status within the time limit. The headers sign the exact bytes of the body, in the form that the webhook names as `signature_form`. An event may arrive more than once: `event_id` is the same each time.
         */
        post: operations["onCustomerUpdated"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "customer.deleted": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A customer was deleted
         * @description Answer with any 2xx status within the time limit. The headers sign the exact bytes of the body, in the form that the webhook names as `signature_form`. An event may arrive more than once: `event_id` is the same each time.
         */
        post: operations["onCustomerDeleted"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "usage.threshold_exceeded": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A customer has used a part of the spend limit of its tier
         * @description Answer with any 2xx status within the time limit. The headers sign the exact bytes of the body, in the form that the webhook names as `signature_form`. An event may arrive more than once: `event_id` is the same each time.
         */
        post: operations["onUsageThresholdExceeded"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "request.completed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A model request has ended
         * @description Answer with any 2xx status within the time limit. The headers sign the exact bytes of the body, in the form that the webhook names as `signature_form`. An event may arrive more than once: `event_id` is the same each time.
         */
        post: operations["onRequestCompleted"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "billing.subscription_changed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A subscription was created, changed or canceled
         * @description Answer with any 2xx status within the time limit. The headers sign the exact bytes of the body, in the form that the webhook names as `signature_form`. An event may arrive more than once: `event_id` is the same each time.
         */
        post: operations["onBillingSubscriptionChanged"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "billing.payment_refunded": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A payment was refunded, in full or in part
         * @description Answer with any 2xx status within the time limit. The headers sign the exact bytes of the body, in the form that the webhook names as `signature_form`. An event may arrive more than once: `event_id` is the same each time.
         */
        post: operations["onBillingPaymentRefunded"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "account.admission_blocked": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A request was refused because the owner’s funds or limits were exhausted
         * @description Answer with any 2xx status within the time limit. The headers sign the exact bytes of the body, in the form that the webhook names as `signature_form`. An event may arrive more than once: `event_id` is the same each time.
         */
        post: operations["onAccountAdmissionBlocked"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export interface components {
    schemas: {
        AcceptInvitationResult: {
            project: components["schemas"]["AcceptInvitationResultProject"];
            role: components["schemas"]["Role"];
        };
        AcceptInvitationResultProject: {
            /** Format: uuid */
            id: string;
            name: string;
        };
        AcceptedToolResults: {
            /** Format: int64 */
            accepted: number;
            status: components["schemas"]["RunStatus"];
        };
        AccountAdmissionBlockedWebhookEvent: {
            /** @constant */
            event_type: "account.admission_blocked";
            /** Format: uuid */
            event_id: string;
            /** Format: date-time */
            timestamp: string;
            /** Format: uuid */
            project_id: string;
            data: components["schemas"]["WebhookAdmissionData"];
        };
        AccountBalance: {
            /** Format: int64 */
            balance_microcents: number;
            balance_formatted: string;
            currency: string;
            /** Format: int64 */
            low_balance_threshold_cents: number;
        };
        AccountTopUp: {
            /** Format: uuid */
            id: string;
            session_id?: string;
            /** Format: uri */
            checkout_url?: string;
            /** Format: int64 */
            amount_cents: number;
            currency: string;
            /** @enum {string} */
            status: "pending" | "completed" | "expired" | "failed";
            automatic: boolean;
            /** Format: int64 */
            reversed_cents: number;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            completed_at?: string;
        };
        AccountUsage: {
            usage: components["schemas"]["AccountUsageUsage"][];
            /**
             * Format: int64
             * @description Provider cost beyond what was held for its requests; not charged to anyone
             */
            overrun_microcents: number;
            /**
             * Format: int64
             * @description Upper bound of the provider cost of requests that were sent to a provider and never reported; not charged to anyone. The real cost lies between 0 and this figure. A request that was never sent is released and not counted.
             */
            unreconciled_microcents: number;
            /**
             * Format: int64
             * @description Unused money in the wallets of deleted customers, less later refunds.
             */
            forfeited_microcents: number;
            next_cursor?: string;
        };
        AccountUsageUsage: {
            group: string;
            /** Format: int64 */
            requests: number;
            /** Format: int64 */
            input_tokens: number;
            /** Format: int64 */
            output_tokens: number;
            /** Format: int64 */
            images: number;
            /** Format: int64 */
            customer_microcents: number;
            /** Format: int64 */
            provider_microcents: number;
        };
        Agent: {
            /** Format: uuid */
            id: string;
            /** Format: uuid */
            project_id: string;
            slug: string;
            name: string;
            description?: string;
            /** Format: int64 */
            current_revision: number;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
        };
        AgentFragment: {
            /** @constant */
            kind?: "workflow.v1";
            inputs?: components["schemas"]["AgentFragmentInput"][];
            nodes: components["schemas"]["AgentFragmentNode"][];
            outputs: components["schemas"]["AgentFragmentOutput"][];
        } & {
            [key: string]: unknown;
        };
        AgentFragmentInput: {
            name: string;
        } & {
            [key: string]: unknown;
        };
        AgentFragmentNode: {
            id: string;
            type: string;
        } & {
            [key: string]: unknown;
        };
        AgentFragmentOutput: {
            name: string;
        } & {
            [key: string]: unknown;
        };
        AgentResult: {
            agent: components["schemas"]["AgentSnapshot"];
        };
        AgentRunResult: {
            /** Format: uuid */
            run_id: string;
            status: components["schemas"]["RunStatus"];
            output: components["schemas"]["OutputMessage"][];
            usage: components["schemas"]["AgentRunUsage"];
            steps: components["schemas"]["RunStep"][];
            error?: components["schemas"]["AgentRunResultError"];
        };
        AgentRunResultError: {
            code: string;
            message: string;
        };
        AgentRunUsage: {
            /** Format: int64 */
            total_steps: number;
            /** Format: int64 */
            total_llm_calls: number;
            /** Format: int64 */
            total_tool_calls: number;
            /** Format: int64 */
            total_input_tokens: number;
            /** Format: int64 */
            total_output_tokens: number;
            /** Format: int64 */
            total_cost_cents: number;
            /** Format: int64 */
            total_cost_microcents: number;
        };
        AgentSnapshot: {
            agent: components["schemas"]["Agent"];
            version: components["schemas"]["AgentVersion"];
        };
        AgentTestResult: {
            /** Format: uuid */
            run_id: string;
            status: components["schemas"]["RunStatus"];
            output: components["schemas"]["OutputMessage"][];
            usage: components["schemas"]["AgentRunUsage"];
            steps: components["schemas"]["RunStep"][];
            error?: components["schemas"]["AgentTestResultError"];
            mocks: components["schemas"]["AgentTestResultMocks"];
        };
        AgentTestResultError: {
            code: string;
            message: string;
        };
        AgentTestResultMocks: {
            served: {
                [key: string]: number;
            };
            unconsumed: {
                [key: string]: number;
            };
            unmocked: {
                [key: string]: number;
            };
        };
        AgentVersion: {
            /** Format: int64 */
            revision: number;
            system?: string;
            model?: string;
            tools: components["schemas"]["ToolRef"][];
            fragments?: {
                [key: string]: components["schemas"]["AgentFragment"];
            };
            /** Format: int64 */
            max_steps: number;
            /** Format: int64 */
            max_duration_sec: number;
            /** Format: int64 */
            step_timeout_sec: number;
            tool_failure_policy: components["schemas"]["ToolFailurePolicy"];
            /** Format: int64 */
            tool_retry_count?: number;
            /** Format: date-time */
            created_at: string;
        };
        AnthropicError: {
            /** @constant */
            type: "error";
            error: components["schemas"]["AnthropicErrorError"];
            request_id: string;
        };
        AnthropicErrorError: {
            type: string;
            message: string;
            details?: components["schemas"]["AnthropicErrorErrorDetails"];
        };
        AnthropicErrorErrorDetails: {
            code?: string;
            error_code?: string;
        };
        AnthropicMessage: {
            id: string;
            /** @constant */
            type: "message";
            /** @constant */
            role: "assistant";
            model: string;
            content: components["schemas"]["AnthropicMessageContent"][];
            stop_reason: string;
            usage: components["schemas"]["AnthropicMessageUsage"];
        } & {
            [key: string]: unknown;
        };
        AnthropicMessageContent: {
            type: string;
        } & {
            [key: string]: unknown;
        };
        AnthropicMessageEvent: {
            type: string;
        } & {
            [key: string]: unknown;
        };
        AnthropicMessageRequest: {
            model?: string;
            messages: components["schemas"]["MessagesMessage"][];
            system?: components["schemas"]["MessagesSystem"] | null;
            tools?: components["schemas"]["MessagesTool"][] | null;
            tool_choice?: components["schemas"]["MessagesToolChoice"] | null;
            thinking?: components["schemas"]["MessagesThinking"] | null;
            output_config?: components["schemas"]["AnthropicMessageRequestOutputConfig"] | null;
            max_tokens: number;
            stream?: boolean | null;
            stop_sequences?: string[] | null;
            temperature?: number | null;
            top_p?: number | null;
            /** Format: int64 */
            top_k?: number | null;
            diagnostics?: components["schemas"]["AnthropicMessageRequestDiagnostics"] | null;
            mcp_servers?: unknown[] | null;
            context_management?: components["schemas"]["MessagesContextManagement"] | null;
            speed?: "standard" | null;
            inference_geo?: "global" | null;
        } & {
            [key: string]: unknown;
        };
        AnthropicMessageRequestDiagnostics: {
            [key: string]: unknown;
        };
        AnthropicMessageRequestOutputConfig: {
            effort?: ("low" | "medium" | "high" | "xhigh" | "max") | null;
            format?: components["schemas"]["AnthropicMessageRequestOutputConfigFormat"] | null;
        } & {
            [key: string]: unknown;
        };
        AnthropicMessageRequestOutputConfigFormat: {
            /** @constant */
            type: "json_schema";
            schema: {
                [key: string]: unknown;
            };
        } & {
            [key: string]: unknown;
        };
        AnthropicMessageUsage: {
            /** Format: int64 */
            input_tokens: number;
            /** Format: int64 */
            output_tokens: number;
        } & {
            [key: string]: unknown;
        };
        AnthropicModel: {
            /** @constant */
            type: "model";
            id: string;
            display_name: string;
            /** Format: date-time */
            created_at: string;
        } & {
            [key: string]: unknown;
        };
        AnthropicModelList: {
            data: components["schemas"]["AnthropicModel"][];
            has_more: boolean;
            first_id: string | null;
            last_id: string | null;
        } & {
            [key: string]: unknown;
        };
        AnyBinding: {
            from?: string;
            from_input?: string;
            /** @default  */
            pointer?: string;
            to?: string;
            to_placeholder?: string;
            /** @enum {string} */
            encoding?: "json" | "json_string";
        };
        AnySource: {
            from?: string;
            from_input?: string;
            /** @default  */
            pointer?: string;
        };
        ApiError: {
            layer: components["schemas"]["ErrorLayer"];
            cause: components["schemas"]["ErrorCause"];
            /** Format: int64 */
            status_code: number;
            code: string;
            message: string;
            retryable: boolean;
            detail?: string;
            request_id?: string;
            provider_request_id?: string;
            batch_id?: string;
            item_id?: string;
            /** @constant */
            error: "api_error";
            fields?: components["schemas"]["FieldError"][];
            issues?: components["schemas"]["ApiErrorIssue"][];
            failures?: components["schemas"]["Failure"][];
            usage?: components["schemas"]["ResponseUsage"];
            /** Format: int64 */
            charged_microcents?: number;
        };
        ApiErrorIssue: {
            code: string;
            path: string;
            message: string;
        };
        ApiKey: {
            /** Format: uuid */
            id: string;
            /** Format: uuid */
            project_id: string;
            /** @enum {string} */
            kind: "secret" | "publishable";
            label: string;
            redacted_key: string;
            /** Format: int64 */
            spend_limit_cents?: number;
            /** Format: int64 */
            spent_microcents?: number;
            /** Format: date-time */
            expires_at?: string;
            /** Format: date-time */
            last_used_at?: string;
            /** Format: date-time */
            created_at: string;
            secret_key?: string;
        };
        ApiKeyResult: {
            api_key: components["schemas"]["ApiKey"];
        };
        AppendSessionMessageRequest: {
            /** @enum {string} */
            role: "system" | "user" | "assistant" | "tool";
            content: string | components["schemas"]["AppendSessionMessageRequestContent"][];
            /** Format: uuid */
            run_id?: string | null;
        };
        AppendSessionMessageRequestContent: {
            type: string;
        } & {
            [key: string]: unknown;
        };
        AuditEvent: {
            /** Format: uuid */
            id: string;
            action: string;
            actor: components["schemas"]["AuditEventActor"];
            /** Format: uuid */
            project_id?: string;
            subject_id?: string;
            address: string;
            request_id: string;
            /** Format: date-time */
            at: string;
        };
        AuditEventActor: {
            /** @enum {string} */
            kind: "user" | "key" | "customer" | "anonymous";
            id: string;
        };
        AuditLogResult: {
            events: components["schemas"]["AuditEvent"][];
            next_cursor?: string;
        };
        AuthResult: {
            access_token: string;
            /** Format: date-time */
            expires_at: string;
            refresh_token: string;
            tokens: components["schemas"]["AuthTokens"];
            user: components["schemas"]["User"];
            signup_project?: components["schemas"]["SignupProject"];
        };
        AuthTokens: {
            access_token: string;
            /** Format: date-time */
            expires_at: string;
            refresh_token: string;
        };
        AutoTopUp: {
            enabled: boolean;
            /** Format: int64 */
            threshold_cents: number;
            /** Format: int64 */
            amount_cents: number;
            /** Format: int64 */
            failure_count: number;
            limits: components["schemas"]["AutoTopUpLimits"];
            payment_method?: components["schemas"]["AutoTopUpPaymentMethod"];
            /** Format: date-time */
            last_triggered_at?: string;
        };
        AutoTopUpLimits: {
            /** Format: int64 */
            min_topup_cents: number;
            /** Format: int64 */
            max_single_cents: number;
            /** Format: int64 */
            max_daily_cents: number;
            /** Format: int64 */
            max_monthly_cents: number;
        };
        AutoTopUpPaymentMethod: {
            id: string;
            brand: string;
            last4: string;
            /** Format: int64 */
            exp_month: number;
            /** Format: int64 */
            exp_year: number;
        };
        BalanceEntry: {
            id: string;
            /** @enum {string} */
            direction: "credit" | "debit";
            /** Format: int64 */
            amount_microcents: number;
            reason: string;
            /** Format: date-time */
            occurred_at: string;
            /** Format: int64 */
            balance_after_microcents: number;
            request_id?: string;
            description: string;
            model_id?: string;
            /** Format: int64 */
            input_tokens?: number;
            /** Format: int64 */
            output_tokens?: number;
        };
        BalanceHistory: {
            entries: components["schemas"]["BalanceEntry"][];
            next_cursor?: string;
        };
        Batch: {
            /** Format: uuid */
            id: string;
            results: (components["schemas"]["BatchResultSuccess"] | components["schemas"]["BatchResultError"])[];
            usage: components["schemas"]["BatchUsage"];
        };
        BatchResultError: {
            id: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            status: "error";
            error: components["schemas"]["ApiError"];
        };
        BatchResultSuccess: {
            id: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            status: "success";
            response: components["schemas"]["ModelResponse"];
        };
        BatchUsage: {
            /** Format: int64 */
            input_tokens: number;
            /** Format: int64 */
            output_tokens: number;
            /** Format: int64 */
            total_tokens: number;
            /** Format: int64 */
            total_input_tokens: number;
            /** Format: int64 */
            total_output_tokens: number;
            /** Format: int64 */
            total_requests: number;
            /** Format: int64 */
            successful_requests: number;
            /** Format: int64 */
            failed_requests: number;
        };
        BillingPaymentRefundedWebhookEvent: {
            /** @constant */
            event_type: "billing.payment_refunded";
            /** Format: uuid */
            event_id: string;
            /** Format: date-time */
            timestamp: string;
            /** Format: uuid */
            project_id: string;
            data: components["schemas"]["WebhookRefundData"];
        };
        BillingSubscriptionChangedWebhookEvent: {
            /** @constant */
            event_type: "billing.subscription_changed";
            /** Format: uuid */
            event_id: string;
            /** Format: date-time */
            timestamp: string;
            /** Format: uuid */
            project_id: string;
            data: components["schemas"]["WebhookSubscriptionData"];
        };
        BrowserSession: {
            access_token: string;
            /** Format: date-time */
            expires_at: string;
        };
        CardSetup: {
            setup_intent_id: string;
            client_secret: string;
            status?: string;
        };
        CardVerification: {
            verified: boolean;
            credit_granted: boolean;
            /** Format: date-time */
            verified_at?: string;
            card_brand?: string;
            card_last4?: string;
            /** Format: int64 */
            grant_amount_cents?: number;
            grant_already_used_by_card?: boolean;
        };
        CardVerificationSession: {
            /** Format: uuid */
            verification_id: string;
            checkout_session_id: string;
            /** Format: uri */
            checkout_url: string;
            /** Format: date-time */
            expires_at: string;
        };
        ChangeTierRequest: {
            tier_code: string;
        };
        ChatCompletion: {
            id: string;
            /** @constant */
            object: "chat.completion";
            /** Format: int64 */
            created: number;
            model: string;
            choices: components["schemas"]["ChatCompletionChoice"][];
            usage: components["schemas"]["ChatCompletionUsage"];
        } & {
            [key: string]: unknown;
        };
        ChatCompletionChoice: {
            /** Format: int64 */
            index: number;
            message: components["schemas"]["ChatCompletionChoiceMessage"];
            /** @enum {string} */
            finish_reason: "stop" | "length" | "tool_calls" | "content_filter";
        } & {
            [key: string]: unknown;
        };
        ChatCompletionChoiceMessage: {
            /** @constant */
            role: "assistant";
            content: string | null;
            refusal: string | null;
            tool_calls?: components["schemas"]["ChatCompletionChoiceMessageToolCall"][];
        } & {
            [key: string]: unknown;
        };
        ChatCompletionChoiceMessageToolCall: {
            id: string;
            /** @constant */
            type: "function";
            function: components["schemas"]["ChatCompletionChoiceMessageToolCallFunction"];
        } & {
            [key: string]: unknown;
        };
        ChatCompletionChoiceMessageToolCallFunction: {
            name: string;
            arguments: string;
        } & {
            [key: string]: unknown;
        };
        ChatCompletionChunk: {
            id: string;
            /** @constant */
            object: "chat.completion.chunk";
            /** Format: int64 */
            created: number;
            model: string;
            choices: components["schemas"]["ChatCompletionChunkChoice"][];
            usage?: components["schemas"]["ChatCompletionChunkUsage"] | null;
        } & {
            [key: string]: unknown;
        };
        ChatCompletionChunkChoice: {
            /** Format: int64 */
            index: number;
            delta: components["schemas"]["ChatCompletionChunkChoiceDelta"];
            finish_reason?: string | null;
        } & {
            [key: string]: unknown;
        };
        ChatCompletionChunkChoiceDelta: {
            role?: string;
            content?: string | null;
            refusal?: string | null;
            tool_calls?: components["schemas"]["ChatCompletionChunkChoiceDeltaToolCall"][] | null;
        } & {
            [key: string]: unknown;
        };
        ChatCompletionChunkChoiceDeltaToolCall: {
            /** Format: int64 */
            index: number;
            id?: string;
            /** @constant */
            type?: "function";
            function?: components["schemas"]["ChatCompletionChunkChoiceDeltaToolCallFunction"];
        } & {
            [key: string]: unknown;
        };
        ChatCompletionChunkChoiceDeltaToolCallFunction: {
            name?: string;
            arguments?: string;
        } & {
            [key: string]: unknown;
        };
        ChatCompletionChunkUsage: {
            /** Format: int64 */
            prompt_tokens: number;
            /** Format: int64 */
            completion_tokens: number;
            /** Format: int64 */
            total_tokens: number;
        } & {
            [key: string]: unknown;
        };
        ChatCompletionEvent: components["schemas"]["ChatCompletionChunk"] | components["schemas"]["OpenAiError"];
        ChatCompletionRequest: {
            messages: components["schemas"]["ChatMessage"][];
            model?: string;
            stream?: boolean | null;
            stream_options?: components["schemas"]["ChatCompletionRequestStreamOptions"] | null;
            max_tokens?: number | null;
            max_completion_tokens?: number | null;
            temperature?: number | null;
            top_p?: number | null;
            stop?: string | string[] | null;
            n?: number | null;
            frequency_penalty?: number | null;
            presence_penalty?: number | null;
            /** Format: int64 */
            seed?: number | null;
            logprobs?: boolean | null;
            top_logprobs?: number | null;
            top_k?: number | null;
            tools?: components["schemas"]["ChatTool"][] | null;
            tool_choice?: components["schemas"]["ChatToolChoice"] | null;
            parallel_tool_calls?: boolean | null;
            response_format?: components["schemas"]["ChatResponseFormat"] | null;
            reasoning_effort?: string | null;
            store?: false | null;
            deferred?: false | null;
        } & {
            [key: string]: unknown;
        };
        ChatCompletionRequestStreamOptions: {
            include_usage?: boolean | null;
        } & {
            [key: string]: unknown;
        };
        ChatCompletionUsage: {
            /** Format: int64 */
            prompt_tokens: number;
            /** Format: int64 */
            completion_tokens: number;
            /** Format: int64 */
            total_tokens: number;
        } & {
            [key: string]: unknown;
        };
        ChatContentPart: components["schemas"]["MessagesTextBlock"] | components["schemas"]["ChatContentPartRefusal"] | components["schemas"]["ChatContentPartImageUrl"] | components["schemas"]["ChatContentPartInputAudio"] | components["schemas"]["ChatContentPartFile"];
        ChatContentPartFile: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "file";
            file: components["schemas"]["ChatContentPartFileFile"];
        } & {
            [key: string]: unknown;
        };
        ChatContentPartFileFile: {
            file_data: string;
            filename?: string;
        } & {
            [key: string]: unknown;
        };
        ChatContentPartImageUrl: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "image_url";
            image_url: components["schemas"]["ChatContentPartImageUrlImageUrl"];
        } & {
            [key: string]: unknown;
        };
        ChatContentPartImageUrlImageUrl: {
            url: string;
            /** @enum {string} */
            detail?: "auto" | "low" | "high";
        } & {
            [key: string]: unknown;
        };
        ChatContentPartInputAudio: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "input_audio";
            input_audio: components["schemas"]["ChatContentPartInputAudioInputAudio"];
        } & {
            [key: string]: unknown;
        };
        ChatContentPartInputAudioInputAudio: {
            data: string;
            format: string;
        } & {
            [key: string]: unknown;
        };
        ChatContentPartRefusal: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "refusal";
            refusal: string;
        } & {
            [key: string]: unknown;
        };
        ChatMessage: components["schemas"]["ChatMessageSystem"] | components["schemas"]["ChatMessageAssistant"] | components["schemas"]["ChatMessageTool"];
        ChatMessageAssistant: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            role: "assistant";
            name?: string | null;
            content?: string | components["schemas"]["ChatContentPart"][] | null;
            refusal?: string | null;
            tool_calls?: components["schemas"]["ChatToolCall"][] | null;
        } & {
            [key: string]: unknown;
        };
        ChatMessageSystem: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            role: "system" | "developer" | "user";
            content: string | components["schemas"]["ChatContentPart"][];
            name?: string | null;
        } & {
            [key: string]: unknown;
        };
        ChatMessageTool: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            role: "tool";
            content: string | components["schemas"]["MessagesTextBlock"][];
            tool_call_id: string;
        } & {
            [key: string]: unknown;
        };
        ChatResponseFormat: components["schemas"]["ChatResponseFormatText"] | components["schemas"]["ChatResponseFormatJsonObject"] | components["schemas"]["ChatResponseFormatJsonSchema"];
        ChatResponseFormatJsonObject: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "json_object";
        } & {
            [key: string]: unknown;
        };
        ChatResponseFormatJsonSchema: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "json_schema";
            json_schema: components["schemas"]["ChatResponseFormatJsonSchemaJsonSchema"];
        } & {
            [key: string]: unknown;
        };
        ChatResponseFormatJsonSchemaJsonSchema: {
            name: string;
            description?: string;
            schema?: {
                [key: string]: unknown;
            };
            strict?: boolean | null;
        } & {
            [key: string]: unknown;
        };
        ChatResponseFormatText: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "text";
        } & {
            [key: string]: unknown;
        };
        ChatTool: {
            /** @constant */
            type: "function";
            function: components["schemas"]["ChatToolFunction"];
        } & {
            [key: string]: unknown;
        };
        ChatToolCall: {
            id: string;
            /** @constant */
            type: "function";
            function: components["schemas"]["ChatToolCallFunction"];
        } & {
            [key: string]: unknown;
        };
        ChatToolCallFunction: {
            name: string;
            arguments: string;
        } & {
            [key: string]: unknown;
        };
        ChatToolChoice: ("none" | "auto" | "required") | components["schemas"]["ChatToolChoiceObject"];
        ChatToolChoiceObject: components["schemas"]["ChatToolChoiceObjectFunction"] | components["schemas"]["ChatToolChoiceObjectAllowedTools"];
        ChatToolChoiceObjectAllowedTools: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "allowed_tools";
            allowed_tools: components["schemas"]["ChatToolChoiceObjectAllowedToolsAllowedTools"];
        } & {
            [key: string]: unknown;
        };
        ChatToolChoiceObjectAllowedToolsAllowedTools: {
            /** @enum {string} */
            mode: "auto" | "required";
            tools: components["schemas"]["ChatToolChoiceObjectFunction"][];
        } & {
            [key: string]: unknown;
        };
        ChatToolChoiceObjectFunction: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "function";
            function: components["schemas"]["ChatToolChoiceObjectFunctionFunction"];
        } & {
            [key: string]: unknown;
        };
        ChatToolChoiceObjectFunctionFunction: {
            name: string;
        } & {
            [key: string]: unknown;
        };
        ChatToolFunction: {
            name: string;
            description?: string | null;
            parameters?: {
                [key: string]: unknown;
            } | null;
            strict?: boolean | null;
        } & {
            [key: string]: unknown;
        };
        CheckoutSession: {
            session_id: string;
            /** Format: uri */
            url: string;
        };
        Citation: {
            title: string;
            url: string;
        };
        ClaimCustomerRequest: {
            email: string;
            provider: string;
            subject: string;
        };
        CompilePluginRequest: {
            source?: string | null;
            files?: {
                [key: string]: string;
            } | null;
            model?: string | null;
            /** @default 3 */
            max_attempts?: number;
            /**
             * @default intent
             * @constant
             */
            mode?: "intent";
        };
        CompilePluginResult: {
            workflow: components["schemas"]["CompilePluginResultWorkflow"];
            plugin: components["schemas"]["CompilePluginResultPlugin"];
            /** Format: date-time */
            compiled_at: string;
            source_ref: string;
            warnings: components["schemas"]["CompilePluginResultWarning"][];
        };
        CompilePluginResultPlugin: {
            name: string;
            description: string;
            agents: components["schemas"]["CompilePluginResultPluginAgent"][];
        };
        CompilePluginResultPluginAgent: {
            name: string;
            system_prompt: string;
        };
        CompilePluginResultWarning: {
            file: string;
            key: string;
            message: string;
            /** Format: int64 */
            line?: number;
        };
        CompilePluginResultWorkflow: {
            /** @constant */
            kind: "workflow.v0";
        } & {
            [key: string]: unknown;
        };
        CompileSkillRequest: {
            source?: string | null;
            files?: {
                [key: string]: string;
            } | null;
            model?: string | null;
            /** @default 3 */
            max_attempts?: number;
        };
        CompileSkillResult: {
            workflow: components["schemas"]["CompileSkillResultWorkflow"];
            skill: components["schemas"]["CompileSkillResultSkill"];
            /** Format: date-time */
            compiled_at: string;
            source_ref: string;
            warnings: components["schemas"]["CompilePluginResultWarning"][];
        };
        CompileSkillResultSkill: {
            name: string;
            description: string;
            agents: string[];
        };
        CompileSkillResultWorkflow: {
            /** @constant */
            kind: "workflow.v1";
        } & {
            [key: string]: unknown;
        };
        CompileWorkflowResult: {
            plan_json: components["schemas"]["CompileWorkflowResultPlanJson"];
            plan_hash: string;
        };
        CompileWorkflowResultPlanJson: {
            kind: string;
        } & {
            [key: string]: unknown;
        };
        CompletePasswordResetRequest: {
            code: string;
            password: string;
        };
        Completion: {
            id: string;
            /** @constant */
            object: "text_completion";
            /** Format: int64 */
            created: number;
            model: string;
            choices: components["schemas"]["CompletionChoice"][];
            usage?: components["schemas"]["ChatCompletionUsage"] | null;
        } & {
            [key: string]: unknown;
        };
        CompletionChoice: {
            /** Format: int64 */
            index: number;
            text: string;
            finish_reason: ("stop" | "length" | "content_filter") | null;
        } & {
            [key: string]: unknown;
        };
        CompletionEvent: {
            request_id: string;
            provider: string;
            model: string;
            response_id: string;
            content?: string;
            payload?: unknown;
            complete_fields?: string[];
            tool_calls?: components["schemas"]["ToolCall"][];
            stop_reason: string;
            usage: components["schemas"]["ResponseUsage"];
            citations?: components["schemas"]["Citation"][];
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "completion";
        };
        CompletionsRequest: {
            model?: string;
            prompt: string | string[];
            max_tokens?: number | null;
            temperature?: number | null;
            top_p?: number | null;
            stop?: string | string[] | null;
            stream?: boolean | null;
            stream_options?: components["schemas"]["CompletionsRequestStreamOptions"] | null;
            frequency_penalty?: number | null;
            presence_penalty?: number | null;
            /** Format: int64 */
            seed?: number | null;
            top_k?: number | null;
            n?: 1 | null;
            best_of?: 1 | null;
            echo?: false | null;
        } & {
            [key: string]: unknown;
        };
        CompletionsRequestStreamOptions: {
            include_usage?: boolean | null;
        } & {
            [key: string]: unknown;
        };
        ConfirmCardSetupRequest: {
            setup_intent_id: string;
        };
        ConfirmCardVerificationRequest: {
            checkout_session_id: string;
        };
        ContentPart: components["schemas"]["TextPart"] | components["schemas"]["FilePart"];
        CountMessageTokensRequest: {
            model?: string;
            messages: components["schemas"]["MessagesMessage"][];
            system?: components["schemas"]["MessagesSystem"] | null;
            tools?: components["schemas"]["MessagesTool"][] | null;
            tool_choice?: components["schemas"]["MessagesToolChoice"] | null;
            thinking?: components["schemas"]["MessagesThinking"] | null;
            output_config?: components["schemas"]["AnthropicMessageRequestOutputConfig"] | null;
        } & {
            [key: string]: unknown;
        };
        CountMessageTokensResult: {
            /** Format: int64 */
            input_tokens: number;
        };
        CountResponseTokensResult: {
            /** @constant */
            object: "response.input_tokens";
            /** Format: int64 */
            input_tokens: number;
        };
        CreateAccountTopUpRequest: {
            /** Format: int64 */
            amount_cents: number;
            success_url?: string;
            cancel_url?: string;
        };
        CreateAgentRequest: {
            name: string;
            slug: string;
            description?: string | null;
            system?: string | null;
            model?: string | null;
            tools?: components["schemas"]["ToolRef"][] | null;
            fragments?: {
                [key: string]: components["schemas"]["AgentFragment"];
            } | null;
            max_steps?: number | null;
            max_duration_sec?: number | null;
            step_timeout_sec?: number | null;
            tool_failure_policy?: components["schemas"]["ToolFailurePolicy"] | null;
            tool_retry_count?: number | null;
        };
        CreateApiKeyRequest: {
            label: string;
            /**
             * @default secret
             * @enum {string}
             */
            kind?: "secret" | "publishable";
            /** Format: uuid */
            project_id?: string;
            /** Format: date-time */
            expires_at?: string;
            /** Format: int64 */
            spend_limit_cents?: number;
        };
        CreateBatchRequest: {
            requests: components["schemas"]["CreateBatchRequestRequest"][];
            options?: components["schemas"]["CreateBatchRequestOptions"];
        };
        CreateBatchRequestOptions: {
            /** @default 10 */
            max_concurrent?: number;
            /** @default false */
            fail_fast?: boolean;
            /** @default 600000 */
            timeout_ms?: number;
        };
        CreateBatchRequestRequest: {
            input: components["schemas"]["CreateBatchRequestRequestInput"][];
            model?: string;
            provider?: components["schemas"]["Provider"];
            output_format?: components["schemas"]["OutputFormat"];
            max_output_tokens?: number;
            temperature?: number;
            stop?: string[];
            tools?: components["schemas"]["Tool"][];
            tool_choice?: components["schemas"]["ToolChoice"];
            /** Format: uuid */
            state_id?: string;
            /** Format: uuid */
            session_id?: string;
            /** @enum {string} */
            reasoning_effort?: "none" | "low" | "medium" | "high";
        } & {
            [key: string]: unknown;
        };
        CreateBatchRequestRequestInput: {
            /** @constant */
            type: "message";
            /** @enum {string} */
            role: "system" | "user" | "assistant" | "tool";
            content?: (components["schemas"]["TextPart"] | components["schemas"]["FilePart"])[];
            tool_calls?: components["schemas"]["ToolCall"][];
            tool_call_id?: string;
        };
        CreateCompletionResult: components["schemas"]["Completion"] | components["schemas"]["OpenAiError"];
        CreateCustomerRequest: {
            external_id: string;
            email: string;
            metadata?: {
                [key: string]: unknown;
            };
        };
        CreateDecisionRequest: {
            input: string | components["schemas"]["ChatMessage"][];
            options: components["schemas"]["CreateDecisionRequestOption"][];
            model?: string;
            instructions?: string | null;
            max_output_tokens?: number | null;
            temperature?: number | null;
            reasoning_effort?: ("none" | "low" | "medium" | "high") | null;
            stream?: false | null;
        };
        CreateDecisionRequestOption: {
            id: string;
            description: string;
        };
        CreateEmbeddingsRequest: {
            model: string;
            input: string | number[] | string[] | number[][];
            encoding_format?: ("float" | "base64") | null;
            dimensions?: number | null;
            user?: string | null;
        } & {
            [key: string]: unknown;
        };
        CreateFileBatchRequest: {
            input_file_id: string;
            /** @enum {string} */
            endpoint: "/v1/chat/completions" | "/v1/responses" | "/v1/embeddings";
            /** @constant */
            completion_window: "24h";
            metadata?: {
                [key: string]: string;
            } | null;
            output_expires_after?: components["schemas"]["FileExpiry"] | null;
        };
        CreateInvitationRequest: {
            email: string;
            role: components["schemas"]["Role"];
        };
        CreateMyCheckoutRequest: {
            tier_code: string;
            success_url: string;
            cancel_url: string;
        };
        CreateProjectRequest: {
            name: string;
            description?: string;
            /**
             * @default managed
             * @enum {string}
             */
            billing_mode?: "managed" | "byob";
            /** @default 0 */
            markup_percentage?: number;
            /** @default true */
            publishable_claims?: boolean;
            /** @default false */
            response_cache?: boolean;
            /** @default null */
            response_storage?: boolean | null;
            /**
             * @default refuse
             * @enum {string}
             */
            unsupported_parameters?: "refuse" | "drop";
            /** @description of buttons and marks in the portal */
            portal_color?: string;
            /**
             * @description origins whose pages may embed the portal
             * @default []
             */
            portal_origins?: string[];
        };
        CreateResponseRequest: {
            input: components["schemas"]["InputMessage"][];
            model?: string;
            provider?: components["schemas"]["Provider"];
            output_format?: components["schemas"]["OutputFormat"];
            max_output_tokens?: number;
            temperature?: number;
            stop?: string[];
            tools?: components["schemas"]["Tool"][];
            tool_choice?: components["schemas"]["ToolChoice"];
            /** Format: uuid */
            state_id?: string;
            /** Format: uuid */
            session_id?: string;
            /** @enum {string} */
            reasoning_effort?: "none" | "low" | "medium" | "high";
        };
        CreateRunRequest: {
            spec?: components["schemas"]["WorkflowSpec"];
            plan_hash?: string;
            input?: {
                [key: string]: unknown;
            };
            /** Format: uuid */
            session_id?: string;
            model_override?: string;
            options?: components["schemas"]["CreateRunRequestOptions"];
        };
        CreateRunRequestOptions: {
            idempotency_key?: string;
        };
        CreateRunResult: {
            /** Format: uuid */
            run_id: string;
            status: components["schemas"]["RunStatus"];
            plan_hash: string;
        };
        CreateSessionRequest: {
            /** Format: uuid */
            customer_id?: string | null;
            metadata?: {
                [key: string]: unknown;
            } | null;
        };
        CreateSpeechRequest: {
            model: string;
            input: string;
            voice: string | components["schemas"]["CreateSpeechRequestVoice"];
            instructions?: string | null;
            response_format?: ("mp3" | "opus" | "aac" | "flac" | "wav" | "pcm") | null;
            speed?: number | null;
            stream_format?: "audio" | null;
        } & {
            [key: string]: unknown;
        };
        CreateSpeechRequestVoice: {
            id: string;
        } & {
            [key: string]: unknown;
        };
        CreateSqlProfileRequest: {
            name: string;
            policy: components["schemas"]["SqlPolicy"];
        };
        CreateStateHandleRequest: {
            ttl_seconds?: number | null;
        };
        CreateTierCheckoutRequest: {
            success_url: string;
            cancel_url: string;
        };
        CreateTierRequest: {
            tier_code: string;
            display_name: string;
            models: components["schemas"]["TierModelInput"][];
            /**
             * @default subscription
             * @enum {string}
             */
            billing_mode?: "subscription" | "paygo";
            /** Format: int64 */
            spend_limit_cents?: number | null;
            /** @enum {string} */
            billing_provider?: "stripe" | "crypto" | "app_store" | "external";
            billing_price_ref?: string;
            /** Format: int64 */
            price_amount_cents?: number;
            price_currency?: string;
            /** @enum {string} */
            price_interval?: "month" | "year";
            trial_days?: number;
            /** Format: int64 */
            promo_credits_cents?: number;
            /** Format: int64 */
            customer_token_max_ttl_seconds?: number;
            rate_limit_per_minute?: number;
            /** @default false */
            overage_enabled?: boolean;
            /** @default false */
            is_default?: boolean;
        };
        CreateTierResult: {
            tier: components["schemas"]["Tier"];
        };
        CreateToolHookRequest: {
            /** @description required; one of pre_tool_use, post_tool_use, tool_execute */
            hook_type?: string | null;
            /** @description https */
            endpoint_url?: string | null;
            enabled?: boolean | null;
            /** @description 1 to 60000, default 5000 */
            timeout_ms?: number | null;
            /** @description one of fail_closed, fail_open; default by type: post_tool_use opens, the others close */
            fail_behavior?: string | null;
            /** @description names of the tools that the hook covers; empty = every tool; required for tool_execute */
            tools_allowlist?: string[] | null;
            /** @description only for post_tool_use: the hook may replace the result */
            allow_mutation?: boolean | null;
        };
        CreateToolHookResult: {
            hook: components["schemas"]["ToolHook"];
            signing_secret: string;
        };
        CreateWebhookRequest: {
            /** @description required; https */
            endpoint_url?: string | null;
            /** @description required; of customer.created, customer.updated, customer.deleted, usage.threshold_exceeded, request.completed, billing.subscription_changed, billing.payment_refunded, account.admission_blocked */
            events?: string[] | null;
            enabled?: boolean | null;
            /** @description `body` (default), `timestamped`, or `standard`: the headers of Standard Webhooks */
            signature_form?: string | null;
            /** @description `standard` (default) or `fast` */
            retry_schedule?: string | null;
        };
        CreditWithdrawal: {
            /** Format: int64 */
            balance_microcents: number;
            /** @description false if the key was applied before */
            applied: boolean;
        };
        Customer: {
            /** Format: uuid */
            id: string;
            /** Format: uuid */
            project_id: string;
            external_id: string;
            email: string;
            metadata: {
                [key: string]: unknown;
            };
            /**
             * Format: date-time
             * @description set while requests of the customer are refused
             */
            blocked_at?: string;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
        };
        CustomerBalance: {
            /** Format: uuid */
            customer_id: string;
            /** Format: uuid */
            billing_profile_id: string;
            /** Format: int64 */
            balance_microcents: number;
            /** Format: int64 */
            reserved_microcents: number;
            currency: string;
            /**
             * Format: int64
             * @description the free part of the balance that was granted, not paid; it counts as used first
             */
            granted_microcents?: number;
        };
        CustomerChange: {
            email?: string;
            metadata?: {
                [key: string]: unknown;
            };
        };
        CustomerCreatedWebhookEvent: {
            /** @constant */
            event_type: "customer.created";
            /** Format: uuid */
            event_id: string;
            /** Format: date-time */
            timestamp: string;
            /** Format: uuid */
            project_id: string;
            data: components["schemas"]["WebhookCustomerData"];
        };
        CustomerCredit: {
            /** Format: int64 */
            balance_microcents: number;
            applied: boolean;
        };
        CustomerCreditInput: {
            amount_cents: number;
            /** @enum {string} */
            reason: "promo" | "adjustment";
        };
        CustomerDeletedWebhookEvent: {
            /** @constant */
            event_type: "customer.deleted";
            /** Format: uuid */
            event_id: string;
            /** Format: date-time */
            timestamp: string;
            /** Format: uuid */
            project_id: string;
            data: components["schemas"]["WebhookDeletedCustomerData"];
        };
        CustomerDevice: {
            /** Format: uuid */
            id: string;
            /**
             * @description signed in by a code, or through a link to the portal
             * @enum {string}
             */
            kind: "device" | "portal";
            user_agent?: string;
            /** Format: date-time */
            signed_in_at: string;
            /** Format: date-time */
            expires_at: string;
        };
        CustomerDeviceListResult: {
            devices: components["schemas"]["CustomerDevice"][];
        };
        CustomerEnvelope: {
            customer: components["schemas"]["Customer"];
            subscription: components["schemas"]["Subscription"] | null;
        };
        CustomerList: {
            customers: components["schemas"]["CustomerEnvelope"][];
            /** Format: int64 */
            total?: number;
            next_cursor?: string;
        };
        CustomerToken: {
            token: string;
            /** @constant */
            token_type: "Bearer";
            /** Format: date-time */
            expires_at: string;
            /** Format: int64 */
            expires_in: number;
            /** Format: uuid */
            project_id: string;
            /** Format: uuid */
            customer_id: string;
            customer_external_id: string;
            tier_code?: string;
            /** Format: uuid */
            billing_profile_id?: string;
        };
        CustomerUpdatedWebhookEvent: {
            /** @constant */
            event_type: "customer.updated";
            /** Format: uuid */
            event_id: string;
            /** Format: date-time */
            timestamp: string;
            /** Format: uuid */
            project_id: string;
            data: components["schemas"]["WebhookCustomerData"];
        };
        CustomerUsage: {
            /** Format: date */
            window_start: string;
            /** Format: date */
            window_end: string;
            /** Format: int64 */
            requests: number;
            /** Format: int64 */
            tokens: number;
            /** Format: int64 */
            total_cost_microcents: number;
            /** Format: int64 */
            spend_limit_cents?: number;
            /** Format: int64 */
            spend_remaining_microcents?: number;
            percentage_used?: number;
            low: boolean;
            /** Format: int64 */
            wallet_balance_microcents?: number;
            /** Format: int64 */
            wallet_reserved_microcents?: number;
            overage_enabled: boolean;
            daily: components["schemas"]["DailyUsage"][];
        };
        DailyUsage: {
            /** Format: date */
            date: string;
            /** Format: int64 */
            requests: number;
            /** Format: int64 */
            tokens: number;
            /** Format: int64 */
            cost_microcents: number;
        };
        Decision: {
            decision: components["schemas"]["DecisionDecision"];
            usage: components["schemas"]["ResponseUsage"];
        };
        DecisionDecision: {
            id: string;
            confidence: number;
            reason: string;
        };
        DeleteCompatibleResponseResult: {
            id: string;
            /** @constant */
            object: "response";
            /** @constant */
            deleted: true;
        };
        DeleteFileResult: {
            id: string;
            /** @constant */
            object: "file";
            /** @constant */
            deleted: true;
        };
        DeviceApproveRequest: {
            user_code: string;
            /**
             * @default approve
             * @enum {string}
             */
            decision?: "approve" | "deny";
            /** Format: uuid */
            customer_id?: string;
            customer_external_id?: string;
        };
        DeviceStartResult: {
            device_code: string;
            user_code: string;
            verification_uri: string;
            verification_uri_complete: string;
            /** Format: int64 */
            expires_in: number;
            /** Format: int64 */
            interval: number;
        };
        DeviceTokenError: {
            /** @enum {string} */
            error: "authorization_pending" | "slow_down" | "expired_token" | "invalid_grant" | "access_denied";
            error_description: string;
            /** Format: int64 */
            interval?: number;
        };
        DeviceTokenRequest: {
            device_code: string;
        };
        EdgeCondition: {
            /** @enum {string} */
            source: "node_output" | "node_status";
            /** @enum {string} */
            op: "equals" | "matches" | "exists";
            /** @default  */
            path?: string;
            value?: unknown;
        };
        EmbeddingsResult: {
            /** @constant */
            object: "list";
            model: string;
            data: components["schemas"]["EmbeddingsResultData"][];
            usage: components["schemas"]["EmbeddingsResultUsage"];
        };
        EmbeddingsResultData: {
            /** @constant */
            object: "embedding";
            /** Format: int64 */
            index: number;
            embedding: number[] | string;
        };
        EmbeddingsResultUsage: {
            /** Format: int64 */
            prompt_tokens: number;
            /** Format: int64 */
            total_tokens: number;
        };
        /** @enum {string} */
        ErrorCause: "validation" | "authentication" | "authorization" | "rate_limit" | "timeout" | "canceled" | "transport" | "upstream_response" | "invalid_response" | "unavailable" | "internal";
        ErrorEvent: {
            code: string;
            message: string;
            /** Format: int64 */
            status: number;
            retryable: boolean;
            request_id: string;
            detail?: string;
            provider_request_id?: string;
            usage?: components["schemas"]["ResponseUsage"];
            /** Format: int64 */
            charged_microcents?: number;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "error";
        };
        /** @enum {string} */
        ErrorLayer: "request" | "routing" | "modelrelay" | "provider_integration" | "upstream";
        Failure: {
            layer: components["schemas"]["ErrorLayer"];
            cause: components["schemas"]["ErrorCause"];
            /** Format: int64 */
            status_code: number;
            code: string;
            message: string;
            retryable: boolean;
            detail?: string;
            request_id?: string;
            provider_request_id?: string;
            batch_id?: string;
            item_id?: string;
        };
        FanoutInput: {
            items: components["schemas"]["PathSource"];
            /** @default [] */
            item_bindings?: components["schemas"]["ItemBinding"][];
            subnode: components["schemas"]["FanoutInputSubnode"];
            /** @default 8 */
            max_parallelism?: number;
            /** @default 1000 */
            max_items?: number;
        };
        FanoutInputSubnode: {
            id?: string;
            type: string;
            input?: unknown;
        } & {
            [key: string]: unknown;
        };
        FieldError: {
            field: string;
            message: string;
        };
        File: {
            id: string;
            /** @constant */
            object: "file";
            /** Format: int64 */
            bytes: number;
            /** Format: int64 */
            created_at: number;
            /** Format: int64 */
            expires_at: number;
            filename: string;
            /** @enum {string} */
            purpose: "batch" | "batch_output";
            /** @constant */
            status: "processed";
        };
        FileBatch: {
            id: string;
            /** @constant */
            object: "batch";
            /** @enum {string} */
            endpoint: "/v1/chat/completions" | "/v1/responses" | "/v1/embeddings";
            errors: components["schemas"]["FileBatchErrors"] | null;
            input_file_id: string;
            /** @constant */
            completion_window: "24h";
            /** @enum {string} */
            status: "validating" | "failed" | "in_progress" | "finalizing" | "completed" | "expired" | "cancelling" | "cancelled";
            model?: string;
            output_file_id: string | null;
            error_file_id: string | null;
            /** Format: int64 */
            created_at: number;
            /** Format: int64 */
            in_progress_at: number | null;
            /** Format: int64 */
            expires_at: number | null;
            /** Format: int64 */
            finalizing_at: number | null;
            /** Format: int64 */
            completed_at: number | null;
            /** Format: int64 */
            failed_at: number | null;
            /** Format: int64 */
            expired_at: number | null;
            /** Format: int64 */
            cancelling_at: number | null;
            /** Format: int64 */
            cancelled_at: number | null;
            request_counts: components["schemas"]["FileBatchRequestCounts"];
            usage: components["schemas"]["FileBatchUsage"];
            metadata: {
                [key: string]: string;
            } | null;
        };
        FileBatchErrors: {
            /** @constant */
            object: "list";
            data: components["schemas"]["FileBatchErrorsData"][];
        };
        FileBatchErrorsData: {
            code: string;
            message: string;
            /** Format: int64 */
            line: number | null;
            param: string | null;
        };
        FileBatchRequestCounts: {
            /** Format: int64 */
            total: number;
            /** Format: int64 */
            completed: number;
            /** Format: int64 */
            failed: number;
        };
        FileBatchUsage: {
            /** Format: int64 */
            input_tokens: number;
            input_tokens_details: components["schemas"]["FileBatchUsageInputTokensDetails"];
            /** Format: int64 */
            output_tokens: number;
            output_tokens_details: components["schemas"]["FileBatchUsageOutputTokensDetails"];
            /** Format: int64 */
            total_tokens: number;
        };
        FileBatchUsageInputTokensDetails: {
            /** Format: int64 */
            cached_tokens: number;
        };
        FileBatchUsageOutputTokensDetails: {
            /** Format: int64 */
            reasoning_tokens: number;
        };
        FileExpiry: {
            /** @constant */
            anchor: "created_at";
            seconds: number;
        };
        FilePart: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "file";
            file: components["schemas"]["FilePartFile"];
        };
        FilePartFile: {
            data_base64: string;
            mime_type: string;
            filename?: string;
            /** Format: int64 */
            size_bytes?: number;
        };
        GenerateImageRequest: {
            model?: string;
            prompt: string;
            /**
             * @default url
             * @enum {string}
             */
            response_format?: "url" | "b64_json";
            /** @default 1 */
            n?: number;
            size?: string;
        };
        GetCustomerSubscriptionResult: {
            subscription: components["schemas"]["Subscription"];
        };
        GetMeResult: {
            customer: components["schemas"]["Customer"];
            subscription: components["schemas"]["Subscription"] | null;
            tier: components["schemas"]["Tier"] | null;
        };
        GetMySubscriptionResult: {
            subscription: components["schemas"]["Subscription"];
        };
        GetMyUsageResult: {
            usage: components["schemas"]["CustomerUsage"];
        };
        GetOpenApiDocumentResult: {
            openapi: string;
        } & {
            [key: string]: unknown;
        };
        GetProjectCustomerUsageResult: {
            usage: components["schemas"]["CustomerUsage"];
        };
        GetProjectRequestResult: {
            request: components["schemas"]["GetProjectRequestsLiveResult"];
        };
        GetProjectRequestsLiveResult: {
            /** Format: uuid */
            id: string;
            /** @description as in X-Service-Request-Id */
            request_id: string;
            /**
             * Format: date-time
             * @description when it ended
             */
            at: string;
            /**
             * @description unreported: the request ended without a report, because its process stopped
             * @enum {string}
             */
            status: "succeeded" | "failed" | "refused" | "unreported";
            /** Format: int64 */
            http_status?: number;
            error_code?: string;
            /** Format: uuid */
            customer_id?: string;
            /** Format: uuid */
            key_id?: string;
            tier_code?: string;
            model?: string;
            provider?: string;
            streaming: boolean;
            cached: boolean;
            /** @description the provider reported no usage; Tollgate counted it */
            estimated: boolean;
            stop_reason?: string;
            /** Format: int64 */
            input_tokens: number;
            /** Format: int64 */
            output_tokens: number;
            /** Format: int64 */
            cache_read_input_tokens: number;
            /** Format: int64 */
            cache_write_input_tokens: number;
            /** Format: int64 */
            reasoning_tokens: number;
            /** Format: int64 */
            images: number;
            /**
             * Format: int64
             * @description charged to the customer
             */
            revenue_microcents: number;
            /**
             * Format: int64
             * @description provider cost charged to the owner
             */
            cost_microcents: number;
            /** Format: int64 */
            overrun_microcents: number;
            /** Format: int64 */
            unreconciled_microcents: number;
            /** Format: int64 */
            duration_ms?: number;
            /**
             * Format: int64
             * @description streams only
             */
            first_output_ms?: number;
        };
        GetProjectUsageResult: {
            usage: components["schemas"]["GetProjectUsageResultUsage"][];
            totals: components["schemas"]["GetProjectUsageResultTotals"];
            has_more: boolean;
        };
        GetProjectUsageResultTotals: {
            /** Format: int64 */
            requests: number;
            /** Format: int64 */
            succeeded: number;
            /** Format: int64 */
            failed: number;
            /** Format: int64 */
            refused: number;
            /** Format: int64 */
            unreported: number;
            /** Format: int64 */
            input_tokens: number;
            /** Format: int64 */
            output_tokens: number;
            /** Format: int64 */
            images: number;
            /** Format: int64 */
            revenue_microcents: number;
            /** Format: int64 */
            cost_microcents: number;
            /**
             * Format: int64
             * @description revenue less cost
             */
            margin_microcents: number;
            /** Format: int64 */
            duration_p50_ms?: number;
            /** Format: int64 */
            duration_p95_ms?: number;
            /** Format: int64 */
            duration_p99_ms?: number;
            /** Format: int64 */
            first_output_p50_ms?: number;
            /** Format: int64 */
            first_output_p95_ms?: number;
        };
        GetProjectUsageResultUsage: {
            /** Format: int64 */
            requests: number;
            /** Format: int64 */
            succeeded: number;
            /** Format: int64 */
            failed: number;
            /** Format: int64 */
            refused: number;
            /** Format: int64 */
            unreported: number;
            /** Format: int64 */
            input_tokens: number;
            /** Format: int64 */
            output_tokens: number;
            /** Format: int64 */
            images: number;
            /** Format: int64 */
            revenue_microcents: number;
            /** Format: int64 */
            cost_microcents: number;
            /**
             * Format: int64
             * @description revenue less cost
             */
            margin_microcents: number;
            /** Format: int64 */
            duration_p50_ms?: number;
            /** Format: int64 */
            duration_p95_ms?: number;
            /** Format: int64 */
            duration_p99_ms?: number;
            /** Format: int64 */
            first_output_p50_ms?: number;
            /** Format: int64 */
            first_output_p95_ms?: number;
            /**
             * Format: date-time
             * @description of the interval
             */
            start?: string;
            /** @description none: requests without a customer, key, tier or model */
            group?: string;
        };
        GetRunEventSchemaResult: {
            [key: string]: unknown;
        };
        GetStatusResult: {
            /** @enum {string} */
            status: "operational" | "degraded" | "down";
            areas: components["schemas"]["GetStatusResultArea"][];
        };
        GetStatusResultArea: {
            name: string;
            /** @enum {string} */
            status: "operational" | "degraded" | "down";
        };
        GetTierResult: {
            tier: components["schemas"]["Tier"];
        };
        GetWorkflowSchemaResult: {
            [key: string]: unknown;
        };
        GoogleBatchEmbedRequest: {
            requests: components["schemas"]["GoogleEmbedRequest"][];
        } & {
            [key: string]: unknown;
        };
        GoogleBatchEmbedResult: {
            embeddings: components["schemas"]["GoogleBatchEmbedResultEmbedding"][];
            usageMetadata: components["schemas"]["GoogleBatchEmbedResultUsageMetadata"];
        };
        GoogleBatchEmbedResultEmbedding: {
            values: number[];
        };
        GoogleBatchEmbedResultUsageMetadata: {
            /** Format: int64 */
            promptTokenCount: number;
        };
        GoogleBlob: {
            mimeType: string;
            data: string;
        } & {
            [key: string]: unknown;
        };
        GoogleContent: {
            role?: ("user" | "model" | "function") | null;
            parts?: components["schemas"]["GooglePart"][] | null;
        } & {
            [key: string]: unknown;
        };
        GoogleCountTokensRequest: {
            contents?: components["schemas"]["GoogleContent"][] | null;
            generateContentRequest?: components["schemas"]["GoogleGenerateRequest"] | null;
        } & {
            [key: string]: unknown;
        };
        GoogleCountTokensResult: {
            /** Format: int64 */
            totalTokens: number;
        };
        GoogleEmbedRequest: {
            content: components["schemas"]["GoogleEmbedRequestContent"];
            model?: string | null;
            taskType?: string | null;
            title?: string | null;
            outputDimensionality?: number | null;
        } & {
            [key: string]: unknown;
        };
        GoogleEmbedRequestContent: {
            parts: components["schemas"]["GoogleEmbedRequestContentPart"][];
        } & {
            [key: string]: unknown;
        };
        GoogleEmbedRequestContentPart: {
            text: string;
        } & {
            [key: string]: unknown;
        };
        GoogleEmbedResult: {
            embedding: components["schemas"]["GoogleEmbedResultEmbedding"];
            usageMetadata: components["schemas"]["GoogleEmbedResultUsageMetadata"];
        };
        GoogleEmbedResultEmbedding: {
            values: number[];
        };
        GoogleEmbedResultUsageMetadata: {
            /** Format: int64 */
            promptTokenCount: number;
        };
        GoogleError: {
            error: components["schemas"]["GoogleErrorError"];
        };
        GoogleErrorError: {
            /** Format: int64 */
            code: number;
            message: string;
            status: string;
            details: components["schemas"]["GoogleErrorErrorDetail"][];
        };
        GoogleErrorErrorDetail: {
            "@type": string;
        } & {
            [key: string]: unknown;
        };
        GoogleGenerateEvent: components["schemas"]["GoogleGenerateResult"] | components["schemas"]["GoogleError"];
        GoogleGenerateRequest: {
            contents: components["schemas"]["GoogleContent"][];
            systemInstruction?: components["schemas"]["GoogleSystemInstruction"] | null;
            tools?: components["schemas"]["GoogleTool"][] | null;
            toolConfig?: components["schemas"]["GoogleToolConfig"] | null;
            generationConfig?: components["schemas"]["GoogleGenerateRequestGenerationConfig"] | null;
            safetySettings?: {
                [key: string]: unknown;
            }[] | null;
            model?: string | null;
            store?: false | null;
            serviceTier?: ("unspecified" | "standard" | "flex") | null;
        } & {
            [key: string]: unknown;
        };
        GoogleGenerateRequestGenerationConfig: {
            maxOutputTokens?: number | null;
            temperature?: number | null;
            topP?: number | null;
            topK?: number | null;
            candidateCount?: 1 | null;
            stopSequences?: string[] | null;
            responseMimeType?: string | null;
            responseSchema?: {
                [key: string]: unknown;
            } | null;
            responseJsonSchema?: {
                [key: string]: unknown;
            } | null;
            responseModalities?: ("TEXT" | "MODALITY_UNSPECIFIED")[] | null;
            thinkingConfig?: components["schemas"]["GoogleGenerateRequestGenerationConfigThinkingConfig"] | null;
            presencePenalty?: number | null;
            frequencyPenalty?: number | null;
            responseLogprobs?: boolean | null;
            /** Format: int64 */
            logprobs?: number | null;
            mediaResolution?: string | null;
        } & {
            [key: string]: unknown;
        };
        GoogleGenerateRequestGenerationConfigThinkingConfig: {
            includeThoughts?: boolean | null;
            /** Format: int64 */
            thinkingBudget?: number | null;
            thinkingLevel?: ("THINKING_LEVEL_UNSPECIFIED" | "MINIMAL" | "LOW" | "MEDIUM" | "HIGH") | null;
        } & {
            [key: string]: unknown;
        };
        GoogleGenerateResult: {
            candidates?: components["schemas"]["GoogleGenerateResultCandidate"][];
            usageMetadata?: components["schemas"]["GoogleGenerateResultUsageMetadata"];
            modelVersion?: string;
            responseId?: string;
        } & {
            [key: string]: unknown;
        };
        GoogleGenerateResultCandidate: {
            content?: components["schemas"]["GoogleGenerateResultCandidateContent"];
            finishReason?: string;
            /** Format: int64 */
            index?: number;
        } & {
            [key: string]: unknown;
        };
        GoogleGenerateResultCandidateContent: {
            role?: string;
            parts?: components["schemas"]["GoogleGenerateResultCandidateContentPart"][];
        } & {
            [key: string]: unknown;
        };
        GoogleGenerateResultCandidateContentPart: {
            [key: string]: unknown;
        };
        GoogleGenerateResultUsageMetadata: {
            /** Format: int64 */
            promptTokenCount?: number;
            /** Format: int64 */
            candidatesTokenCount?: number;
            /** Format: int64 */
            totalTokenCount?: number;
        } & {
            [key: string]: unknown;
        };
        GoogleModel: {
            name: string;
            baseModelId: string;
            version: string;
            displayName: string;
            description: string;
            /** Format: int64 */
            inputTokenLimit: number;
            /** Format: int64 */
            outputTokenLimit: number;
            supportedGenerationMethods: string[];
        } & {
            [key: string]: unknown;
        };
        GoogleModelList: {
            models: components["schemas"]["GoogleModel"][];
            nextPageToken?: string;
        } & {
            [key: string]: unknown;
        };
        GooglePart: {
            text?: string | null;
            inlineData?: components["schemas"]["GoogleBlob"] | null;
            functionCall?: components["schemas"]["GooglePartFunctionCall"] | null;
            functionResponse?: components["schemas"]["GooglePartFunctionResponse"] | null;
            thought?: boolean | null;
            thoughtSignature?: string | null;
        } & {
            [key: string]: unknown;
        };
        GooglePartFunctionCall: {
            id?: string | null;
            name: string;
            args?: {
                [key: string]: unknown;
            } | null;
        } & {
            [key: string]: unknown;
        };
        GooglePartFunctionResponse: {
            id?: string | null;
            name: string;
            response?: {
                [key: string]: unknown;
            } | null;
            parts?: components["schemas"]["GooglePartFunctionResponsePart"][] | null;
        } & {
            [key: string]: unknown;
        };
        GooglePartFunctionResponsePart: {
            inlineData?: components["schemas"]["GoogleBlob"] | null;
        } & {
            [key: string]: unknown;
        };
        GoogleSystemInstruction: {
            parts?: components["schemas"]["GoogleSystemInstructionPart"][] | null;
        } & {
            [key: string]: unknown;
        };
        GoogleSystemInstructionPart: {
            text: string;
        } & {
            [key: string]: unknown;
        };
        GoogleTool: {
            functionDeclarations?: components["schemas"]["GoogleToolFunctionDeclaration"][] | null;
            googleSearch?: components["schemas"]["GoogleToolGoogleSearch"] | null;
            codeExecution?: {
                [key: string]: unknown;
            } | null;
            computerUse?: {
                [key: string]: unknown;
            } | null;
        } & {
            [key: string]: unknown;
        };
        GoogleToolConfig: {
            functionCallingConfig?: components["schemas"]["GoogleToolConfigFunctionCallingConfig"] | null;
        } & {
            [key: string]: unknown;
        };
        GoogleToolConfigFunctionCallingConfig: {
            mode?: ("MODE_UNSPECIFIED" | "AUTO" | "ANY" | "NONE" | "VALIDATED") | null;
            allowedFunctionNames?: string[] | null;
        } & {
            [key: string]: unknown;
        };
        GoogleToolFunctionDeclaration: {
            name: string;
            description?: string | null;
            parameters?: {
                [key: string]: unknown;
            } | null;
            parametersJsonSchema?: {
                [key: string]: unknown;
            } | null;
            parameters_json_schema?: {
                [key: string]: unknown;
            } | null;
        } & {
            [key: string]: unknown;
        };
        GoogleToolGoogleSearch: {
            searchTypes?: components["schemas"]["GoogleToolGoogleSearchSearchTypes"] | null;
        } & {
            [key: string]: unknown;
        };
        GoogleToolGoogleSearchSearchTypes: {
            [key: string]: unknown;
        };
        ImageData: {
            /** Format: uuid */
            id: string;
            url?: string;
            b64_json?: string;
            mime_type: string;
        };
        ImageGenerationResult: {
            /** Format: uuid */
            id: string;
            model: string;
            data: components["schemas"]["ImageData"][];
            usage: components["schemas"]["ImageGenerationResultUsage"];
        };
        ImageGenerationResultUsage: {
            /** Format: int64 */
            images: number;
        };
        ImagesError: {
            error: components["schemas"]["ImagesErrorError"];
        };
        ImagesErrorError: {
            code: string;
            message: string;
        };
        ImagesGenerationsRequest: {
            model?: string;
            prompt: string;
            n?: number | null;
            size?: string | null;
            response_format?: ("url" | "b64_json") | null;
            quality?: string | null;
            background?: string | null;
            moderation?: string | null;
            output_format?: string | null;
            style?: string | null;
            input_fidelity?: string | null;
            output_compression?: number | null;
            stream?: false | null;
            partial_images?: 0 | null;
        } & {
            [key: string]: unknown;
        };
        ImagesResult: {
            /** Format: int64 */
            created: number;
            data: components["schemas"]["ImagesResultData"][];
            output_format?: string;
            usage?: components["schemas"]["ImagesResultUsage"];
        } & {
            [key: string]: unknown;
        };
        ImagesResultData: {
            b64_json?: string;
            url?: string;
        } & {
            [key: string]: unknown;
        };
        ImagesResultUsage: {
            /** Format: int64 */
            input_tokens: number;
            /** Format: int64 */
            output_tokens: number;
            /** Format: int64 */
            total_tokens: number;
            input_tokens_details: components["schemas"]["ImagesResultUsageInputTokensDetails"];
        } & {
            [key: string]: unknown;
        };
        ImagesResultUsageInputTokensDetails: {
            /** Format: int64 */
            text_tokens: number;
            /** Format: int64 */
            image_tokens: number;
        } & {
            [key: string]: unknown;
        };
        InputMessage: {
            /** @constant */
            type: "message";
            /** @enum {string} */
            role: "system" | "user" | "assistant" | "tool";
            content?: components["schemas"]["ContentPart"][];
            tool_calls?: components["schemas"]["ToolCall"][];
            tool_call_id?: string;
        };
        Invitation: {
            /** Format: uuid */
            id: string;
            email: string;
            role: components["schemas"]["Role"];
            /**
             * Format: uuid
             * @description the user who invited
             */
            invited_by: string;
            /** Format: date-time */
            created_at: string;
            /**
             * Format: date-time
             * @description until then the invitation can be accepted
             */
            expires_at: string;
            /**
             * Format: uri
             * @description accepts the invitation; only in the answer that creates or resends it
             */
            url?: string;
        };
        InvitationCodeRequest: {
            code: string;
        };
        InvitationListResult: {
            invitations: components["schemas"]["Invitation"][];
            next_cursor?: string;
        };
        InvitationPreviewResult: {
            project: components["schemas"]["InvitationPreviewResultProject"];
            email: string;
            role: components["schemas"]["Role"];
            /** Format: date-time */
            expires_at: string;
        };
        InvitationPreviewResultProject: {
            name: string;
        };
        InvitationResult: {
            invitation: components["schemas"]["Invitation"];
        };
        ItemBinding: {
            pointer?: string;
            path?: string;
            to?: string;
            to_placeholder?: string;
            /** @enum {string} */
            encoding?: "json" | "json_string";
        };
        JoinAnyInput: {
            predicate?: components["schemas"]["EdgeCondition"];
        };
        JoinCollectInput: {
            predicate?: components["schemas"]["EdgeCondition"];
            limit?: number;
            timeout_ms?: number;
        };
        KeepBrowserSessionRequest: {
            refresh_token: string;
        };
        KeepaliveEvent: {
            /** @constant */
            stream_version: "v2";
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "keepalive";
        };
        KvUpdatedEvent: {
            /** @constant */
            envelope_version: "v0";
            /** Format: uuid */
            run_id: string;
            /** Format: int64 */
            seq: number;
            /** Format: date-time */
            ts: string;
            node_id: string;
            kv_update: components["schemas"]["KvUpdatedEventKvUpdate"];
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "kv_updated";
        } & {
            [key: string]: unknown;
        };
        KvUpdatedEventKvUpdate: {
            /** Format: int64 */
            step: number;
            request_id: string;
            artifact_key: string;
            /** Format: int64 */
            bytes: number;
            sha256: string;
            tool_call_id: string;
            key: string;
            deleted: boolean;
        } & {
            [key: string]: unknown;
        };
        LedgerVerify: {
            differences: components["schemas"]["LedgerVerifyDifference"][];
            /** Format: int64 */
            open_holds: number;
            /**
             * Format: int64
             * @description Provider cost beyond what was held for its requests; not charged to anyone
             */
            overrun_microcents: number;
            /**
             * Format: int64
             * @description Upper bound of the provider cost of requests that were sent to a provider and never reported; not charged to anyone. The real cost lies between 0 and this figure. A request that was never sent is released and not counted.
             */
            unreconciled_microcents: number;
        };
        LedgerVerifyDifference: {
            account: string;
            field: string;
            stored: string;
            recomputed: string;
        };
        LintWorkflowResult: {
            valid: boolean;
            issues: components["schemas"]["WorkflowIssue"][];
        };
        ListAccountTopUpsResult: {
            topups: components["schemas"]["AccountTopUp"][];
            next_cursor?: string;
        };
        ListAgentVersionsResult: {
            versions: components["schemas"]["AgentVersion"][];
            next_cursor?: string;
        };
        ListAgentsResult: {
            agents: components["schemas"]["AgentSnapshot"][];
            next_cursor?: string;
        };
        ListApiKeysResult: {
            api_keys: components["schemas"]["ApiKey"][];
            next_cursor?: string;
        };
        ListBatchesResult: {
            /** @constant */
            object: "list";
            data: components["schemas"]["FileBatch"][];
            first_id: string | null;
            last_id: string | null;
            has_more: boolean;
        };
        ListFilesResult: {
            /** @constant */
            object: "list";
            data: components["schemas"]["File"][];
            first_id: string | null;
            last_id: string | null;
            has_more: boolean;
        };
        ListMessagesResult: {
            messages: components["schemas"]["Message"][];
            next_cursor?: string;
        };
        ListModelsResult: {
            models: components["schemas"]["Model"][];
        };
        ListMyTiersResult: {
            tiers: components["schemas"]["Tier"][];
        };
        ListProjectRequestsResult: {
            requests: components["schemas"]["GetProjectRequestsLiveResult"][];
            next_cursor?: string;
        };
        ListProjectsResult: {
            projects: components["schemas"]["Project"][];
            next_cursor?: string;
        };
        ListResponseInputItemsResult: {
            /** @constant */
            object: "list";
            data: components["schemas"]["ListResponseInputItemsResultData"][];
            first_id: string | null;
            last_id: string | null;
            has_more: boolean;
        };
        ListResponseInputItemsResultData: {
            id: string;
            type: string;
        } & {
            [key: string]: unknown;
        };
        ListRunStepsResult: {
            steps: components["schemas"]["RunStep"][];
            next_cursor?: string;
        };
        ListRunTasksResult: {
            tasks: components["schemas"]["RunTask"][];
        };
        ListRunsResult: {
            runs: components["schemas"]["RunSummary"][];
            next_cursor?: string;
        };
        ListSessionsResult: {
            sessions: components["schemas"]["Session"][];
            next_cursor?: string;
        };
        ListSigningKeysResult: {
            keys: components["schemas"]["ListSigningKeysResultKey"][];
        };
        ListSigningKeysResultKey: {
            /** @constant */
            kty: "OKP";
            /** @constant */
            crv: "Ed25519";
            x: string;
            kid: string;
            /** @constant */
            use: "sig";
            /** @constant */
            alg: "EdDSA";
        };
        ListSqlProfilesResult: {
            profiles: components["schemas"]["SqlProfile"][];
            next_cursor?: string;
        };
        ListStateHandlesResult: {
            state_handles: components["schemas"]["StateHandle"][];
            next_cursor?: string;
        };
        ListToolHookEventsResult: {
            events: components["schemas"]["ToolHookEvent"][];
            next_cursor?: string;
        };
        ListToolHooksResult: {
            hooks: components["schemas"]["ToolHook"][];
            next_cursor?: string;
        };
        ListWebhookEventTypesResult: {
            event_types: components["schemas"]["ListWebhookEventTypesResultEventType"][];
        };
        ListWebhookEventTypesResultEventType: {
            type: components["schemas"]["WebhookEventType"];
            description: string;
            /** @description JSON Schema of the body of a delivery */
            schema: {
                [key: string]: unknown;
            };
            /** @description the body of a delivery */
            example: {
                [key: string]: unknown;
            };
        };
        ListWebhookEventsResult: {
            events: components["schemas"]["WebhookDelivery"][];
            next_cursor?: string;
        };
        ListWebhooksResult: {
            webhooks: components["schemas"]["Webhook"][];
            next_cursor?: string;
        };
        LoginRequest: {
            email: string;
            password: string;
        };
        MeResult: {
            user: components["schemas"]["User"];
        };
        Member: {
            /** Format: uuid */
            user_id: string;
            email: string;
            role: components["schemas"]["Role"];
            /** @description belongs to the account of the project: always an owner, and cannot be changed or removed */
            account_owner: boolean;
            /** Format: date-time */
            joined_at: string;
        };
        MemberListResult: {
            members: components["schemas"]["Member"][];
            next_cursor?: string;
        };
        MemberResult: {
            member: components["schemas"]["Member"];
        };
        Message: {
            /** Format: uuid */
            id: string;
            /** Format: uuid */
            project_id: string;
            /** Format: uuid */
            customer_id?: string;
            from: string;
            to: string;
            subject: string;
            body: {
                [key: string]: unknown;
            };
            /** Format: uuid */
            thread_id: string;
            read: boolean;
            /** Format: date-time */
            read_at?: string;
            /** Format: date-time */
            created_at: string;
        };
        MessagesAddedTool: components["schemas"]["MessagesAddedToolName"] | components["schemas"]["MessagesAddedToolType"];
        MessagesAddedToolName: {
            type?: "custom" | null;
            name: string;
            description?: string | null;
            input_schema: {
                [key: string]: unknown;
            };
        } & {
            [key: string]: unknown;
        };
        MessagesAddedToolType: {
            type: string;
            name?: string;
            /** Format: int64 */
            max_uses?: number | null;
            /** Format: int64 */
            max_content_tokens?: number | null;
            allowed_domains?: string[] | null;
            blocked_domains?: string[] | null;
            user_location?: {
                [key: string]: unknown;
            } | null;
        } & {
            [key: string]: unknown;
        };
        MessagesAssistantBlock: (components["schemas"]["MessagesTextBlock"] | components["schemas"]["MessagesAssistantBlockToolUse"] | components["schemas"]["MessagesAssistantBlockThinking"] | components["schemas"]["MessagesAssistantBlockRedactedThinking"] | components["schemas"]["MessagesAssistantBlockServerToolUse"]) | components["schemas"]["MessagesAssistantBlockType"];
        MessagesAssistantBlockRedactedThinking: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "redacted_thinking";
        } & {
            [key: string]: unknown;
        };
        MessagesAssistantBlockServerToolUse: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "server_tool_use" | "web_search_tool_result" | "web_fetch_tool_result" | "tool_search_tool_result" | "code_execution_tool_result" | "bash_code_execution_tool_result" | "text_editor_code_execution_tool_result";
        } & {
            [key: string]: unknown;
        };
        MessagesAssistantBlockThinking: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "thinking";
        } & {
            [key: string]: unknown;
        };
        MessagesAssistantBlockToolUse: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "tool_use";
            id: string;
            name: string;
            input: unknown;
        } & {
            [key: string]: unknown;
        };
        MessagesAssistantBlockType: {
            type: string;
        } & {
            [key: string]: unknown;
        };
        MessagesContextManagement: {
            edits?: components["schemas"]["MessagesContextManagementEdit"][] | null;
        } & {
            [key: string]: unknown;
        };
        MessagesContextManagementEdit: {
            type: string;
        } & {
            [key: string]: unknown;
        };
        MessagesMessage: components["schemas"]["MessagesMessageUser"] | components["schemas"]["MessagesMessageAssistant"] | components["schemas"]["MessagesMessageSystem"];
        MessagesMessageAssistant: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            role: "assistant";
            content: string | components["schemas"]["MessagesAssistantBlock"][];
        } & {
            [key: string]: unknown;
        };
        MessagesMessageSystem: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            role: "system";
            content: string | (components["schemas"]["MessagesTextBlock"] | components["schemas"]["MessagesMessageSystemContentToolAddition"])[];
        } & {
            [key: string]: unknown;
        };
        MessagesMessageSystemContentToolAddition: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "tool_addition" | "tool_removal";
            tool: components["schemas"]["MessagesMessageSystemContentToolAdditionToolToolReference"] | components["schemas"]["MessagesMessageSystemContentToolAdditionToolToolDefinition"];
        } & {
            [key: string]: unknown;
        };
        MessagesMessageSystemContentToolAdditionToolToolDefinition: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "tool_definition";
            definition: components["schemas"]["MessagesAddedTool"];
        } & {
            [key: string]: unknown;
        };
        MessagesMessageSystemContentToolAdditionToolToolReference: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "tool_reference";
            name: string;
        } & {
            [key: string]: unknown;
        };
        MessagesMessageUser: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            role: "user";
            content: string | components["schemas"]["MessagesUserBlock"][];
        } & {
            [key: string]: unknown;
        };
        MessagesSystem: string | components["schemas"]["MessagesTextBlock"][];
        MessagesTextBlock: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "text";
            text: string;
        } & {
            [key: string]: unknown;
        };
        MessagesThinking: components["schemas"]["MessagesThinkingEnabled"] | components["schemas"]["MessagesThinkingDisabled"] | components["schemas"]["MessagesThinkingAdaptive"] | components["schemas"]["MessagesThinkingBetweenTools"];
        MessagesThinkingAdaptive: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "adaptive";
        } & {
            [key: string]: unknown;
        };
        MessagesThinkingBetweenTools: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "between_tools";
        } & {
            [key: string]: unknown;
        };
        MessagesThinkingDisabled: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "disabled";
        } & {
            [key: string]: unknown;
        };
        MessagesThinkingEnabled: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "enabled";
            /** Format: int64 */
            budget_tokens: number;
        } & {
            [key: string]: unknown;
        };
        MessagesTool: components["schemas"]["MessagesAddedToolName"] | components["schemas"]["MessagesAddedToolType"];
        MessagesToolChoice: components["schemas"]["MessagesToolChoiceAuto"] | components["schemas"]["MessagesToolChoiceAny"] | components["schemas"]["MessagesToolChoiceTool"] | components["schemas"]["MessagesToolChoiceNone"];
        MessagesToolChoiceAny: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "any";
            disable_parallel_tool_use?: boolean;
        } & {
            [key: string]: unknown;
        };
        MessagesToolChoiceAuto: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "auto";
            disable_parallel_tool_use?: boolean;
        } & {
            [key: string]: unknown;
        };
        MessagesToolChoiceNone: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "none";
        } & {
            [key: string]: unknown;
        };
        MessagesToolChoiceTool: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "tool";
            name: string;
            disable_parallel_tool_use?: boolean;
        } & {
            [key: string]: unknown;
        };
        MessagesUserBlock: (components["schemas"]["MessagesTextBlock"] | components["schemas"]["MessagesUserBlockImage"] | components["schemas"]["MessagesUserBlockDocument"] | components["schemas"]["MessagesUserBlockSearchResult"] | components["schemas"]["MessagesUserBlockToolResult"]) | components["schemas"]["MessagesUserBlockType"];
        MessagesUserBlockDocument: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "document";
            title?: string | null;
            context?: string | null;
            source: components["schemas"]["MessagesUserBlockImageSourceBase64"] | components["schemas"]["MessagesUserBlockDocumentSourceText"] | components["schemas"]["MessagesUserBlockDocumentSourceContent"];
        } & {
            [key: string]: unknown;
        };
        MessagesUserBlockDocumentSourceContent: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "content";
            content: string | (components["schemas"]["MessagesTextBlock"] | components["schemas"]["MessagesUserBlockImage"])[];
        } & {
            [key: string]: unknown;
        };
        MessagesUserBlockDocumentSourceText: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "text";
            data: string;
        } & {
            [key: string]: unknown;
        };
        MessagesUserBlockImage: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "image";
            source: components["schemas"]["MessagesUserBlockImageSourceBase64"] | components["schemas"]["MessagesUserBlockImageSourceUrl"];
        } & {
            [key: string]: unknown;
        };
        MessagesUserBlockImageSourceBase64: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "base64";
            data: string;
            media_type: string;
        } & {
            [key: string]: unknown;
        };
        MessagesUserBlockImageSourceUrl: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "url";
            url: string;
        } & {
            [key: string]: unknown;
        };
        MessagesUserBlockSearchResult: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "search_result";
            source: string;
            title: string;
            content: components["schemas"]["MessagesTextBlock"][];
        } & {
            [key: string]: unknown;
        };
        MessagesUserBlockToolResult: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "tool_result";
            tool_use_id: string;
            content?: string | (components["schemas"]["MessagesTextBlock"] | components["schemas"]["MessagesUserBlockImage"] | components["schemas"]["MessagesUserBlockDocument"] | components["schemas"]["MessagesUserBlockSearchResult"] | components["schemas"]["MessagesUserBlockToolResultContentToolReference"])[];
            is_error?: boolean;
        } & {
            [key: string]: unknown;
        };
        MessagesUserBlockToolResultContentToolReference: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "tool_reference";
            tool_name: string;
        } & {
            [key: string]: unknown;
        };
        MessagesUserBlockType: {
            type: string;
        } & {
            [key: string]: unknown;
        };
        MintCustomerTokenRequest: {
            /** Format: uuid */
            customer_id?: string;
            customer_external_id?: string;
            /** Format: int64 */
            ttl_seconds?: number;
            tier_code?: string;
            project_id?: unknown;
        };
        Model: {
            model_id: string;
            display_name: string;
            provider: string;
            description: string;
            capabilities: ("text" | "vision" | "document" | "audio" | "tool_use" | "structured_output" | "web_search" | "code_execution" | "image_generation")[];
            /** Format: int64 */
            context_window: number;
            /** Format: int64 */
            max_output_tokens: number;
            training_cutoff?: string;
            deprecated: boolean;
            deprecation_message?: string;
            /** @enum {string} */
            serves?: "embeddings" | "moderation" | "speech" | "transcription";
            /** @enum {string} */
            metered_in?: "tokens" | "characters" | "seconds";
            /** Format: int64 */
            input_cost_per_million_cents?: number;
            /** Format: int64 */
            output_cost_per_million_cents?: number;
            /** Format: int64 */
            price_per_image_cents?: number;
        };
        ModelResponse: {
            id: string;
            output: components["schemas"]["OutputMessage"][];
            model: string;
            provider: string;
            stop_reason: string;
            usage: components["schemas"]["ResponseUsage"];
            citations?: components["schemas"]["Citation"][];
            tool_results?: components["schemas"]["ToolResult"][];
        };
        ModerationsRequest: {
            model?: string | null;
            input: string | string[] | (components["schemas"]["ModerationsRequestInputText"] | components["schemas"]["ModerationsRequestInputImageUrl"])[];
        } & {
            [key: string]: unknown;
        };
        ModerationsRequestInputImageUrl: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "image_url";
            image_url: components["schemas"]["ModerationsRequestInputImageUrlImageUrl"];
        } & {
            [key: string]: unknown;
        };
        ModerationsRequestInputImageUrlImageUrl: {
            url: string;
        } & {
            [key: string]: unknown;
        };
        ModerationsRequestInputText: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "text";
            text: string;
        } & {
            [key: string]: unknown;
        };
        ModerationsResult: {
            id: string;
            model: string;
            results: components["schemas"]["ModerationsResultResult"][];
        } & {
            [key: string]: unknown;
        };
        ModerationsResultResult: {
            flagged: boolean;
            categories: {
                [key: string]: boolean | null;
            };
            category_scores: {
                [key: string]: number;
            };
        } & {
            [key: string]: unknown;
        };
        NodeBinding: {
            from: string;
            /** @default  */
            pointer?: string;
            to?: string;
            to_placeholder?: string;
            /** @enum {string} */
            encoding?: "json" | "json_string";
        };
        NodeFailedEvent: {
            /** @constant */
            envelope_version: "v0";
            /** Format: uuid */
            run_id: string;
            /** Format: int64 */
            seq: number;
            /** Format: date-time */
            ts: string;
            node_id: string;
            error: components["schemas"]["NodeFailedEventError"];
            canceled_nodes?: string[];
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "node_failed";
        } & {
            [key: string]: unknown;
        };
        NodeFailedEventError: {
            code: string;
            message: string;
        } & {
            [key: string]: unknown;
        };
        NodeLlmCallEvent: {
            /** @constant */
            envelope_version: "v0";
            /** Format: uuid */
            run_id: string;
            /** Format: int64 */
            seq: number;
            /** Format: date-time */
            ts: string;
            node_id: string;
            llm_call: components["schemas"]["NodeLlmCallEventLlmCall"];
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "node_llm_call";
        } & {
            [key: string]: unknown;
        };
        NodeLlmCallEventLlmCall: {
            /** Format: int64 */
            step: number;
            request_id: string;
            provider: string;
            model: string;
            response_id: string;
            stop_reason: string;
            usage: components["schemas"]["NodeLlmCallEventLlmCallUsage"];
        } & {
            [key: string]: unknown;
        };
        NodeLlmCallEventLlmCallUsage: {
            /** Format: int64 */
            input_tokens: number;
            /** Format: int64 */
            output_tokens: number;
            /** Format: int64 */
            total_tokens: number;
        } & {
            [key: string]: unknown;
        };
        NodeOutputDeltaEvent: {
            /** @constant */
            envelope_version: "v0";
            /** Format: uuid */
            run_id: string;
            /** Format: int64 */
            seq: number;
            /** Format: date-time */
            ts: string;
            node_id: string;
            delta: components["schemas"]["NodeOutputDeltaEventDelta"];
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "node_output_delta";
        } & {
            [key: string]: unknown;
        };
        NodeOutputDeltaEventDelta: {
            /** @enum {string} */
            kind: "text" | "reset";
            text_delta: string;
            /** Format: int64 */
            attempt?: number;
            error?: components["schemas"]["NodeOutputDeltaEventDeltaError"];
        } & {
            [key: string]: unknown;
        };
        NodeOutputDeltaEventDeltaError: {
            code: string;
            message: string;
        } & {
            [key: string]: unknown;
        };
        NodeOutputEvent: {
            /** @constant */
            envelope_version: "v0";
            /** Format: uuid */
            run_id: string;
            /** Format: int64 */
            seq: number;
            /** Format: date-time */
            ts: string;
            node_id: string;
            node_output: components["schemas"]["NodeOutputEventNodeOutput"];
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "node_output";
        } & {
            [key: string]: unknown;
        };
        NodeOutputEventNodeOutput: {
            artifact_key: string;
            /** Format: int64 */
            bytes: number;
            sha256: string;
        } & {
            [key: string]: unknown;
        };
        NodeSource: {
            from: string;
            /** @default  */
            pointer?: string;
        };
        NodeStartedEvent: {
            /** @constant */
            envelope_version: "v0";
            /** Format: uuid */
            run_id: string;
            /** Format: int64 */
            seq: number;
            /** Format: date-time */
            ts: string;
            node_id: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "node_started";
        } & {
            [key: string]: unknown;
        };
        /** @enum {string} */
        NodeStatus: "pending" | "running" | "waiting" | "succeeded" | "failed" | "canceled";
        NodeSucceededEvent: {
            /** @constant */
            envelope_version: "v0";
            /** Format: uuid */
            run_id: string;
            /** Format: int64 */
            seq: number;
            /** Format: date-time */
            ts: string;
            node_id: string;
            canceled_nodes?: string[];
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "node_succeeded";
        } & {
            [key: string]: unknown;
        };
        NodeToolCallEvent: {
            /** @constant */
            envelope_version: "v0";
            /** Format: uuid */
            run_id: string;
            /** Format: int64 */
            seq: number;
            /** Format: date-time */
            ts: string;
            node_id: string;
            tool_call: components["schemas"]["NodeToolCallEventToolCall"];
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "node_tool_call";
        } & {
            [key: string]: unknown;
        };
        NodeToolCallEventToolCall: {
            /** Format: int64 */
            step: number;
            request_id: string;
            tool_call_id: string;
            name: string;
            arguments: string;
        } & {
            [key: string]: unknown;
        };
        NodeToolResultEvent: {
            /** @constant */
            envelope_version: "v0";
            /** Format: uuid */
            run_id: string;
            /** Format: int64 */
            seq: number;
            /** Format: date-time */
            ts: string;
            node_id: string;
            tool_result: components["schemas"]["NodeToolResultEventToolResult"];
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "node_tool_result";
        } & {
            [key: string]: unknown;
        };
        NodeToolResultEventToolResult: {
            /** Format: int64 */
            step: number;
            request_id: string;
            tool_call_id: string;
            name: string;
            output: string;
        } & {
            [key: string]: unknown;
        };
        NodeWaitingEvent: {
            /** @constant */
            envelope_version: "v0";
            /** Format: uuid */
            run_id: string;
            /** Format: int64 */
            seq: number;
            /** Format: date-time */
            ts: string;
            node_id: string;
            waiting: components["schemas"]["NodeWaitingEventWaiting"];
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "node_waiting";
        } & {
            [key: string]: unknown;
        };
        NodeWaitingEventWaiting: {
            /** Format: int64 */
            step: number;
            request_id: string;
            pending_tool_calls: components["schemas"]["NodeWaitingEventWaitingPendingToolCall"][];
        } & {
            [key: string]: unknown;
        };
        NodeWaitingEventWaitingPendingToolCall: {
            tool_call_id: string;
            name: string;
            arguments: string;
        } & {
            [key: string]: unknown;
        };
        OauthStartResult: {
            redirect_url: string;
        };
        OpenAiError: {
            error: components["schemas"]["OpenAiErrorError"];
        };
        OpenAiErrorError: {
            message: string;
            type: string;
            param: string | null;
            code: string | null;
        };
        OpenAiModel: {
            id: string;
            /** @constant */
            object: "model";
            /** Format: int64 */
            created: number;
            owned_by: string;
            /** Format: int64 */
            context_length: number;
            architecture: components["schemas"]["OpenAiModelArchitecture"];
            supported_parameters: string[];
        };
        OpenAiModelArchitecture: {
            input_modalities: string[];
            output_modalities: string[];
        };
        OpenAiModelList: {
            /** @constant */
            object: "list";
            data: components["schemas"]["OpenAiModel"][];
        };
        OpenAiResponse: {
            id: string;
            /** @constant */
            object: "response";
            /** Format: int64 */
            created_at: number;
            /** @enum {string} */
            status: "completed" | "incomplete";
            model: string;
            output: components["schemas"]["OpenAiResponseOutput"][];
            usage: components["schemas"]["OpenAiResponseUsage"];
        } & {
            [key: string]: unknown;
        };
        OpenAiResponseEvent: {
            type: string;
            /** Format: int64 */
            sequence_number?: number;
        } & {
            [key: string]: unknown;
        };
        OpenAiResponseOutput: {
            type: string;
        } & {
            [key: string]: unknown;
        };
        OpenAiResponseRequest: {
            input: string | components["schemas"]["ResponsesInputItem"][];
            model?: string;
            instructions?: string | null;
            tools?: components["schemas"]["ResponsesTool"][] | null;
            tool_choice?: components["schemas"]["ResponsesToolChoice"] | null;
            text?: components["schemas"]["OpenAiResponseRequestText"] | null;
            reasoning?: components["schemas"]["OpenAiResponseRequestReasoning"] | null;
            parallel_tool_calls?: boolean | null;
            previous_response_id?: string | null;
            include?: string[] | null;
            stream?: boolean | null;
            max_output_tokens?: number | null;
            temperature?: number | null;
            top_p?: number | null;
            store?: boolean | null;
            background?: false | null;
            top_logprobs?: number | null;
            service_tier?: ("auto" | "default" | "flex") | null;
            metadata?: {
                [key: string]: unknown;
            } | null;
        } & {
            [key: string]: unknown;
        };
        OpenAiResponseRequestReasoning: {
            effort?: string | null;
            mode?: "standard" | null;
        } & {
            [key: string]: unknown;
        };
        OpenAiResponseRequestText: {
            format?: components["schemas"]["ResponsesTextFormat"] | null;
        } & {
            [key: string]: unknown;
        };
        OpenAiResponseUsage: {
            /** Format: int64 */
            input_tokens: number;
            /** Format: int64 */
            output_tokens: number;
            /** Format: int64 */
            total_tokens: number;
        } & {
            [key: string]: unknown;
        };
        OutputFormat: {
            /** @enum {string} */
            type: "text" | "json_schema" | "json_object";
            json_schema?: components["schemas"]["OutputFormatJsonSchema"];
        };
        OutputFormatJsonSchema: {
            name: string;
            description?: string;
            schema: {
                [key: string]: unknown;
            };
            strict?: boolean;
        };
        OutputMessage: {
            /** @constant */
            type: "message";
            /** @enum {string} */
            role: "assistant" | "tool";
            content: components["schemas"]["ContentPart"][];
            tool_calls?: components["schemas"]["ToolCall"][];
            tool_call_id?: string;
        };
        PathSource: {
            from?: string;
            from_input?: string;
            pointer?: string;
            path?: string;
        };
        Payment: {
            /** Format: uuid */
            id: string;
            /** @enum {string} */
            kind: "wallet_topup" | "subscription" | "tier_change";
            /** @enum {string} */
            status: "pending" | "completed" | "expired" | "failed";
            /** Format: uuid */
            customer_id?: string;
            /** Format: uuid */
            tier_id?: string;
            /** Format: int64 */
            amount_cents?: number;
            currency?: string;
            /**
             * Format: int64
             * @description refunded or disputed
             */
            reversed_cents: number;
            failure?: string;
            /** @description its customer or project was deleted */
            undone: boolean;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            ended_at?: string;
        };
        PaymentDetail: {
            payment: components["schemas"]["Payment"];
            /**
             * Format: int64
             * @description what is left of the payment, and of the paid money in the wallet; only top-ups can be refunded
             */
            refundable_cents: number;
            /** @description newest first, at most 100; without refunds made at the card processor */
            refunds: components["schemas"]["Refund"][];
        };
        PaymentList: {
            payments: components["schemas"]["Payment"][];
            next_cursor?: string;
        };
        PendingToolCalls: {
            node_id: string;
            /** Format: int64 */
            step: number;
            request_id: string;
            tool_calls: components["schemas"]["RunStepToolCall"][];
        };
        PendingToolsResult: {
            /** Format: uuid */
            run_id: string;
            pending: components["schemas"]["PendingToolCalls"][];
        };
        /**
         * @description something that a role permits in a project
         * @enum {string}
         */
        Permission: "project.read" | "project.update" | "project.delete" | "members.read" | "members.manage" | "membership.end" | "money.read" | "money.manage" | "tiers.read" | "tiers.manage" | "customers.read" | "customers.manage" | "customers.delete" | "requests.read" | "keys.read" | "keys.manage" | "resources.read" | "resources.manage" | "models.use";
        PortalLinkRequest: {
            /** @description where the link “Back” of the portal leads */
            return_url?: string;
        };
        PortalLinkResult: {
            /**
             * Format: uri
             * @description opens the portal once
             */
            url: string;
            /**
             * Format: date-time
             * @description until then the link can be opened
             */
            expires_at: string;
        };
        PortalSessionResult: {
            /** Format: uuid */
            session_id: string;
            token: string;
            /** @constant */
            token_type: "Bearer";
            /** Format: date-time */
            expires_at: string;
            return_url?: string;
            project: components["schemas"]["PortalSessionResultProject"];
        };
        PortalSessionResultProject: {
            /** Format: uuid */
            id: string;
            name: string;
            /** @description of buttons and marks in the portal */
            portal_color?: string;
        };
        Project: {
            /** Format: uuid */
            id: string;
            /** Format: uuid */
            owner_id: string;
            name: string;
            description?: string;
            /** @enum {string} */
            billing_mode: "managed" | "byob";
            markup_percentage: number;
            publishable_claims: boolean;
            response_cache: boolean;
            response_storage: boolean | null;
            /** @enum {string} */
            unsupported_parameters: "refuse" | "drop";
            /** @description of buttons and marks in the portal */
            portal_color?: string;
            /** @description origins whose pages may embed the portal */
            portal_origins: string[];
            /** @description yours in the project; in lists, and in the answer for one project */
            role?: components["schemas"]["Role"];
            /** @description what your role permits; wherever `role` is */
            permissions?: components["schemas"]["Permission"][];
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
        };
        ProjectResult: {
            project: components["schemas"]["Project"];
        };
        /** @enum {string} */
        Provider: "openai" | "anthropic" | "google-ai-studio" | "xai" | "sandbox";
        ReceiveStripeWebhookResult: {
            /** @constant */
            received: true;
        };
        Refund: {
            /** Format: uuid */
            id: string;
            /** Format: uuid */
            payment_id: string;
            /** Format: int64 */
            amount_cents: number;
            currency?: string;
            /**
             * @description `pending`: reserved in the wallet, and not confirmed by the card processor; `failed`: the wallet has the money again
             * @enum {string}
             */
            status: "pending" | "succeeded" | "failed";
            failure?: string;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            ended_at?: string;
        };
        RefundPaymentRequest: {
            /** @description default: everything that can be refunded; never more than `refundable_cents` of the payment */
            amount_cents?: number;
        };
        RefundResult: {
            refund: components["schemas"]["Refund"];
        };
        RegisterRequest: {
            email: string;
            password: string;
            /** @enum {string} */
            billing_provider?: "stripe" | "crypto" | "app_store" | "external";
        };
        ReplayAgentRequest: {
            input?: components["schemas"]["InputMessage"][];
            options?: components["schemas"]["RunAgentRequestOptions"];
            customer_id?: string;
            /** @default {} */
            mock_tools?: {
                [key: string]: unknown;
            };
            /** Format: uuid */
            run_id?: string;
        };
        RequestCompletedWebhookEvent: {
            /** @constant */
            event_type: "request.completed";
            /** Format: uuid */
            event_id: string;
            /** Format: date-time */
            timestamp: string;
            /** Format: uuid */
            project_id: string;
            data: components["schemas"]["WebhookRequestData"];
        };
        RequestPasswordResetRequest: {
            email: string;
        };
        ResponseEvent: components["schemas"]["StartEvent"] | components["schemas"]["UpdateEvent"] | components["schemas"]["ToolUseStartEvent"] | components["schemas"]["ToolUseDeltaEvent"] | components["schemas"]["ToolUseStopEvent"] | components["schemas"]["CompletionEvent"] | components["schemas"]["ErrorEvent"] | components["schemas"]["KeepaliveEvent"];
        ResponseUsage: {
            /** Format: int64 */
            input_tokens: number;
            /** Format: int64 */
            output_tokens: number;
            /** Format: int64 */
            total_tokens: number;
            /** Format: int64 */
            cache_read_input_tokens?: number;
            /** Format: int64 */
            cache_write_input_tokens?: number;
            /** Format: int64 */
            reasoning_tokens?: number;
            /** Format: int64 */
            web_search_requests?: number;
        };
        ResponsesContentPart: components["schemas"]["ResponsesContentPartInputText"] | components["schemas"]["ChatContentPartRefusal"] | components["schemas"]["ResponsesContentPartInputImage"] | components["schemas"]["ResponsesContentPartInputFile"];
        ResponsesContentPartInputFile: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "input_file";
            file_data: string;
            filename?: string | null;
        } & {
            [key: string]: unknown;
        };
        ResponsesContentPartInputImage: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "input_image";
            image_url: string;
        } & {
            [key: string]: unknown;
        };
        ResponsesContentPartInputText: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "input_text" | "output_text";
            text: string;
        } & {
            [key: string]: unknown;
        };
        ResponsesInputItem: (components["schemas"]["ResponsesInputItemRole"] | components["schemas"]["ResponsesInputItem2"] | components["schemas"]["ResponsesInputItem3"] | components["schemas"]["ResponsesInputItem4"] | components["schemas"]["ResponsesInputItemInput"] | components["schemas"]["ResponsesInputItem5"] | components["schemas"]["ResponsesInputItemAction"] | components["schemas"]["ResponsesInputItem6"] | components["schemas"]["ResponsesInputItem7"] | components["schemas"]["ResponsesInputItem8"] | components["schemas"]["ResponsesInputItem9"] | components["schemas"]["ResponsesInputItemId"]) | components["schemas"]["ResponsesInputItemType"];
        ResponsesInputItem2: {
            /** @constant */
            type: "function_call";
            call_id: string;
            name: string;
            namespace?: string | null;
            arguments: string;
        } & {
            [key: string]: unknown;
        };
        ResponsesInputItem3: {
            /** @enum {string} */
            type: "function_call_output" | "custom_tool_call_output";
            call_id: string;
            output: string | components["schemas"]["ResponsesContentPart"][];
        } & {
            [key: string]: unknown;
        };
        ResponsesInputItem4: {
            /** @constant */
            type: "reasoning";
        } & {
            [key: string]: unknown;
        };
        ResponsesInputItem5: {
            /** @constant */
            type: "additional_tools";
            tools: components["schemas"]["ResponsesTool"][];
        } & {
            [key: string]: unknown;
        };
        ResponsesInputItem6: {
            /** @constant */
            type: "local_shell_call_output";
            id?: string | null;
            call_id?: string | null;
            output: string;
        } & {
            [key: string]: unknown;
        };
        ResponsesInputItem7: {
            /** @constant */
            type: "tool_search_call";
            call_id?: string | null;
            execution?: ("server" | "client") | null;
            arguments: unknown;
        } & {
            [key: string]: unknown;
        };
        ResponsesInputItem8: {
            /** @constant */
            type: "tool_search_output";
            call_id?: string | null;
            tools: components["schemas"]["ResponsesTool"][];
        } & {
            [key: string]: unknown;
        };
        ResponsesInputItem9: {
            /** @constant */
            type: "web_search_call";
        } & {
            [key: string]: unknown;
        };
        ResponsesInputItemAction: {
            /** @constant */
            type: "local_shell_call";
            id?: string | null;
            call_id: string;
            action: components["schemas"]["ResponsesInputItemActionAction"];
        } & {
            [key: string]: unknown;
        };
        ResponsesInputItemActionAction: {
            command: string[];
        } & {
            [key: string]: unknown;
        };
        ResponsesInputItemId: {
            /** @constant */
            type: "item_reference";
            id: string;
        } & {
            [key: string]: unknown;
        };
        ResponsesInputItemInput: {
            /** @constant */
            type: "custom_tool_call";
            call_id: string;
            name: string;
            namespace?: string | null;
            input: string;
        } & {
            [key: string]: unknown;
        };
        ResponsesInputItemRole: {
            /** @constant */
            type?: "message";
            /** @enum {string} */
            role: "user" | "assistant" | "system" | "developer";
            content: string | components["schemas"]["ResponsesContentPart"][];
        } & {
            [key: string]: unknown;
        };
        ResponsesInputItemType: {
            type: string;
        } & {
            [key: string]: unknown;
        };
        ResponsesInputTokensRequest: {
            input: string | components["schemas"]["ResponsesInputItem"][];
            model?: string;
            instructions?: string | null;
            tools?: components["schemas"]["ResponsesTool"][] | null;
            tool_choice?: components["schemas"]["ResponsesToolChoice"] | null;
            text?: components["schemas"]["ResponsesInputTokensRequestText"] | null;
            reasoning?: components["schemas"]["OpenAiResponseRequestReasoning"] | null;
            parallel_tool_calls?: boolean | null;
            previous_response_id?: string | null;
        } & {
            [key: string]: unknown;
        };
        ResponsesInputTokensRequestText: {
            format?: components["schemas"]["ResponsesTextFormat"] | null;
        } & {
            [key: string]: unknown;
        };
        ResponsesTextFormat: components["schemas"]["ResponsesTextFormatText"] | components["schemas"]["ResponsesTextFormatJsonObject"] | components["schemas"]["ResponsesTextFormatJsonSchema"];
        ResponsesTextFormatJsonObject: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "json_object";
        } & {
            [key: string]: unknown;
        };
        ResponsesTextFormatJsonSchema: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "json_schema";
            name: string;
            schema: {
                [key: string]: unknown;
            };
            description?: string | null;
            strict?: boolean | null;
        } & {
            [key: string]: unknown;
        };
        ResponsesTextFormatText: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "text";
        } & {
            [key: string]: unknown;
        };
        ResponsesTool: components["schemas"]["ResponsesToolFunction"] | components["schemas"]["ResponsesToolCustom"] | components["schemas"]["ResponsesToolNamespace"] | components["schemas"]["ResponsesToolWebSearch"] | components["schemas"]["ResponsesToolToolSearch"] | components["schemas"]["ResponsesToolShell"] | components["schemas"]["ResponsesToolLocalShell"];
        ResponsesToolChoice: ("none" | "auto" | "required") | components["schemas"]["ResponsesToolChoiceObject"];
        ResponsesToolChoiceObject: components["schemas"]["ResponsesToolChoiceObjectFunction"] | components["schemas"]["ResponsesToolChoiceObjectAllowedTools"];
        ResponsesToolChoiceObjectAllowedTools: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "allowed_tools";
            /** @enum {string} */
            mode: "auto" | "required";
            tools: components["schemas"]["ResponsesToolChoiceObjectAllowedToolsTool"][];
        } & {
            [key: string]: unknown;
        };
        ResponsesToolChoiceObjectAllowedToolsTool: {
            type: string;
            name?: string;
        } & {
            [key: string]: unknown;
        };
        ResponsesToolChoiceObjectFunction: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "function" | "custom" | "web_search" | "web_search_2025_08_26" | "local_shell" | "apply_patch" | "shell";
            name?: string;
        } & {
            [key: string]: unknown;
        };
        ResponsesToolCustom: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "custom";
            name: string;
            description?: string | null;
            format?: components["schemas"]["ResponsesToolCustomFormat"] | null;
        } & {
            [key: string]: unknown;
        };
        ResponsesToolCustomFormat: {
            type: string;
            definition?: string;
        } & {
            [key: string]: unknown;
        };
        ResponsesToolFunction: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "function";
            name: string;
            description?: string | null;
            parameters?: {
                [key: string]: unknown;
            } | null;
            strict?: boolean | null;
        } & {
            [key: string]: unknown;
        };
        ResponsesToolLocalShell: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "local_shell" | "apply_patch" | "computer" | "computer_use_preview";
        } & {
            [key: string]: unknown;
        };
        ResponsesToolNamespace: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "namespace";
            name: string;
            description?: string | null;
            tools: (components["schemas"]["ResponsesToolFunction"] | components["schemas"]["ResponsesToolCustom"])[];
        } & {
            [key: string]: unknown;
        };
        ResponsesToolShell: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "shell";
            environment: components["schemas"]["ResponsesToolShellEnvironment"];
        } & {
            [key: string]: unknown;
        };
        ResponsesToolShellEnvironment: {
            /** @constant */
            type: "local";
        } & {
            [key: string]: unknown;
        };
        ResponsesToolToolSearch: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "tool_search";
            execution?: ("server" | "client") | null;
            description?: string | null;
            parameters?: {
                [key: string]: unknown;
            } | null;
        } & {
            [key: string]: unknown;
        };
        ResponsesToolWebSearch: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "web_search" | "web_search_2025_08_26";
            filters?: {
                [key: string]: unknown;
            } | null;
            user_location?: {
                [key: string]: unknown;
            } | null;
        } & {
            [key: string]: unknown;
        };
        RetryPolicy: {
            max_attempts: number;
            retryable_errors?: string[];
            /** @default 1000 */
            backoff_ms?: number;
        };
        /**
         * @description `owner` may do everything; `admin` all but delete the project and change its owners; `viewer` changes nothing
         * @enum {string}
         */
        Role: "owner" | "admin" | "developer" | "billing" | "viewer";
        RotateApiKeyRequest: {
            /** @default 86400 */
            overlap_seconds?: number;
            /** Format: date-time */
            expires_at?: string;
        };
        Run: {
            /** Format: uuid */
            run_id: string;
            status: components["schemas"]["RunStatus"];
            plan_hash: string;
            name?: string;
            /** Format: uuid */
            customer_id?: string;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            ended_at?: string;
            /** Format: uuid */
            session_id?: string;
            cost_summary: components["schemas"]["RunCost"];
            nodes: components["schemas"]["RunNode"][];
            outputs: {
                [key: string]: unknown;
            };
            error?: components["schemas"]["RunError"];
        };
        RunAgentRequest: {
            input: components["schemas"]["InputMessage"][];
            options?: components["schemas"]["RunAgentRequestOptions"];
            customer_id?: string;
        };
        RunAgentRequestOptions: {
            model?: string;
            max_steps?: number;
            max_duration_sec?: number;
            step_timeout_sec?: number;
            tool_failure_policy?: components["schemas"]["ToolFailurePolicy"];
            tool_retry_count?: number;
            /** @default false */
            stream?: boolean;
            /** @default false */
            capture_tool_io?: boolean;
            /** @default false */
            dry_run?: boolean;
        };
        RunCanceledEvent: {
            /** @constant */
            envelope_version: "v0";
            /** Format: uuid */
            run_id: string;
            /** Format: int64 */
            seq: number;
            /** Format: date-time */
            ts: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "run_canceled";
        } & {
            [key: string]: unknown;
        };
        RunCompiledEvent: {
            /** @constant */
            envelope_version: "v0";
            /** Format: uuid */
            run_id: string;
            /** Format: int64 */
            seq: number;
            /** Format: date-time */
            ts: string;
            plan_hash: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "run_compiled";
        } & {
            [key: string]: unknown;
        };
        RunCompletedEvent: {
            /** @constant */
            envelope_version: "v0";
            /** Format: uuid */
            run_id: string;
            /** Format: int64 */
            seq: number;
            /** Format: date-time */
            ts: string;
            plan_hash: string;
            outputs: {
                [key: string]: unknown;
            };
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "run_completed";
        } & {
            [key: string]: unknown;
        };
        RunCost: {
            total_usd_cents: number;
            line_items: components["schemas"]["RunCostItem"][];
        };
        RunCostItem: {
            node_id: string;
            model: string;
            usd_cents: number;
            provider?: string;
            /** Format: int64 */
            requests?: number;
            /** Format: int64 */
            input_tokens?: number;
            /** Format: int64 */
            output_tokens?: number;
            /** @constant */
            kind?: "ambiguous_attempt";
            request_id?: string;
            held_usd_cents?: number;
        };
        RunError: {
            code: string;
            message: string;
        };
        /**
         * Run event
         * @description One event of the log of a run
         */
        RunEvent: components["schemas"]["RunCompiledEvent"] | components["schemas"]["RunStartedEvent"] | components["schemas"]["RunCompletedEvent"] | components["schemas"]["RunFailedEvent"] | components["schemas"]["RunCanceledEvent"] | components["schemas"]["NodeStartedEvent"] | components["schemas"]["NodeSucceededEvent"] | components["schemas"]["NodeFailedEvent"] | components["schemas"]["NodeOutputEvent"] | components["schemas"]["NodeOutputDeltaEvent"] | components["schemas"]["NodeWaitingEvent"] | components["schemas"]["NodeLlmCallEvent"] | components["schemas"]["NodeToolCallEvent"] | components["schemas"]["NodeToolResultEvent"] | components["schemas"]["KvUpdatedEvent"] | components["schemas"]["TaskListUpdatedEvent"] | components["schemas"]["SchedulerStartedEvent"] | components["schemas"]["SchedulerRoundStartedEvent"] | components["schemas"]["SchedulerAgentCompletedEvent"] | components["schemas"]["SchedulerStoppedEvent"];
        RunFailedEvent: {
            /** @constant */
            envelope_version: "v0";
            /** Format: uuid */
            run_id: string;
            /** Format: int64 */
            seq: number;
            /** Format: date-time */
            ts: string;
            error: components["schemas"]["RunFailedEventError"];
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "run_failed";
        } & {
            [key: string]: unknown;
        };
        RunFailedEventError: {
            code: string;
            message: string;
        } & {
            [key: string]: unknown;
        };
        RunNode: {
            id: string;
            type: string;
            /** @description nodes of the same graph that must end first */
            depends_on?: string[];
            status: components["schemas"]["NodeStatus"];
            /** Format: date-time */
            started_at?: string;
            /** Format: date-time */
            ended_at?: string;
            output?: unknown;
            error?: components["schemas"]["RunNodeError"];
        };
        RunNodeError: {
            code: string;
            message: string;
        };
        RunStartedEvent: {
            /** @constant */
            envelope_version: "v0";
            /** Format: uuid */
            run_id: string;
            /** Format: int64 */
            seq: number;
            /** Format: date-time */
            ts: string;
            plan_hash: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "run_started";
        } & {
            [key: string]: unknown;
        };
        /** @enum {string} */
        RunStatus: "running" | "waiting" | "succeeded" | "failed" | "canceled";
        RunStep: {
            node_id: string;
            /** Format: int64 */
            step: number;
            /** Format: int64 */
            attempt: number;
            request_id: string;
            /** @enum {string} */
            status: "intent" | "dispatched" | "settled" | "failed" | "ambiguous" | "dropped";
            model?: string;
            provider?: string;
            llm_request?: unknown;
            llm_response?: unknown;
            llm_call?: components["schemas"]["RunStepLlmCall"];
            tool_calls: components["schemas"]["RunStepToolCall"][];
            tool_results: components["schemas"]["RunStepToolResult"][];
            error?: components["schemas"]["RunStepError"];
            /** Format: date-time */
            started_at: string;
            /** Format: date-time */
            ended_at?: string;
        };
        RunStepError: {
            code: string;
        };
        RunStepLlmCall: {
            /** Format: int64 */
            step: number;
            request_id: string;
            provider: string;
            model: string;
            response_id: string;
            stop_reason: string;
            usage: components["schemas"]["RunStepLlmCallUsage"];
        };
        RunStepLlmCallUsage: {
            [key: string]: unknown;
        };
        RunStepToolCall: {
            tool_call_id: string;
            name: string;
            arguments: string;
        };
        RunStepToolResult: {
            tool_call_id: string;
            name: string;
            output: string;
        };
        RunSummary: {
            /** Format: uuid */
            run_id: string;
            status: components["schemas"]["RunStatus"];
            plan_hash: string;
            name?: string;
            /** Format: uuid */
            customer_id?: string;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            ended_at?: string;
        };
        RunTask: {
            content: string;
            /** @enum {string} */
            status: "pending" | "in_progress" | "completed";
        };
        SchedulerAgentCompletedEvent: {
            /** @constant */
            envelope_version: "v0";
            /** Format: uuid */
            run_id: string;
            /** Format: int64 */
            seq: number;
            /** Format: date-time */
            ts: string;
            node_id: string;
            /** Format: int64 */
            round: number;
            agent: string;
            /** @enum {string} */
            role: "agent" | "coordinator";
            /** Format: int64 */
            index?: number;
            agent_node_id: string;
            /** @enum {string} */
            status: "succeeded" | "failed";
            error?: components["schemas"]["SchedulerAgentCompletedEventError"];
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "scheduler_agent_completed";
        } & {
            [key: string]: unknown;
        };
        SchedulerAgentCompletedEventError: {
            code: string;
            message: string;
        } & {
            [key: string]: unknown;
        };
        SchedulerPolicy: {
            /** @default 5 */
            max_rounds: number;
            /** @default 4 */
            max_concurrency: number;
            /** @default 100 */
            max_steps: number;
            /** @default 600000 */
            timeout_ms: number;
        };
        SchedulerPolicyInput: {
            /** @default 5 */
            max_rounds?: number;
            /** @default 4 */
            max_concurrency?: number;
            /** @default 100 */
            max_steps?: number;
            /** @default 600000 */
            timeout_ms?: number;
        };
        SchedulerRoundStartedEvent: {
            /** @constant */
            envelope_version: "v0";
            /** Format: uuid */
            run_id: string;
            /** Format: int64 */
            seq: number;
            /** Format: date-time */
            ts: string;
            node_id: string;
            /** Format: int64 */
            round: number;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "scheduler_round_started";
        } & {
            [key: string]: unknown;
        };
        SchedulerStartedEvent: {
            /** @constant */
            envelope_version: "v0";
            /** Format: uuid */
            run_id: string;
            /** Format: int64 */
            seq: number;
            /** Format: date-time */
            ts: string;
            node_id: string;
            policy: components["schemas"]["SchedulerPolicy"];
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "scheduler_started";
        } & {
            [key: string]: unknown;
        };
        SchedulerStoppedEvent: {
            /** @constant */
            envelope_version: "v0";
            /** Format: uuid */
            run_id: string;
            /** Format: int64 */
            seq: number;
            /** Format: date-time */
            ts: string;
            node_id: string;
            /** @enum {string} */
            reason: "done" | "max_rounds" | "max_steps" | "timeout" | "error";
            /** Format: int64 */
            rounds: number;
            /** Format: int64 */
            steps: number;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "scheduler_stopped";
        } & {
            [key: string]: unknown;
        };
        SendMessageRequest: {
            to: string;
            subject: string;
            body: {
                [key: string]: unknown;
            };
            /** Format: uuid */
            thread_id?: string;
            from?: string;
        };
        Session: {
            /** Format: uuid */
            id: string;
            /** Format: uuid */
            project_id: string;
            /** Format: uuid */
            customer_id?: string;
            metadata: {
                [key: string]: unknown;
            };
            /** Format: int64 */
            message_count: number;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
        };
        SessionMessage: {
            /** Format: uuid */
            id: string;
            /** Format: int64 */
            seq: number;
            /** @enum {string} */
            role: "system" | "user" | "assistant" | "tool";
            content: string | components["schemas"]["SessionMessageContent"][];
            /** Format: uuid */
            run_id?: string;
            /** Format: date-time */
            created_at: string;
        };
        SessionMessageContent: {
            type: string;
        } & {
            [key: string]: unknown;
        };
        SessionWithMessages: {
            /** Format: uuid */
            id: string;
            /** Format: uuid */
            project_id: string;
            /** Format: uuid */
            customer_id?: string;
            metadata: {
                [key: string]: unknown;
            };
            /** Format: int64 */
            message_count: number;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
            messages: components["schemas"]["SessionMessage"][];
        };
        SetAutoTopUpRequest: {
            enabled: boolean;
            /** Format: int64 */
            threshold_cents: number;
            /** Format: int64 */
            amount_cents: number;
        };
        SetCustomerSubscriptionResult: {
            subscription: components["schemas"]["Subscription"];
        };
        SetSubscriptionRequest: {
            tier_code: string;
            /**
             * @default active
             * @enum {string}
             */
            subscription_status?: "active" | "trialing" | "past_due" | "canceled" | "unpaid" | "incomplete" | "incomplete_expired" | "paused";
            /** @enum {string} */
            billing_provider?: "external" | "crypto" | "app_store";
            billing_customer_id?: string;
            billing_subscription_id?: string;
            /** Format: date-time */
            current_period_start?: string;
            /** Format: date-time */
            current_period_end?: string;
        };
        SignInOptions: {
            oauth_providers: ("github" | "google")[];
            demo_owner: boolean;
            password_reset: boolean;
        };
        SignUpInBrowserRequest: {
            email: string;
            password: string;
        };
        SignupProject: {
            issued_key: components["schemas"]["ApiKey"];
            project: components["schemas"]["Project"];
        };
        SimpleError: {
            error: string;
        };
        /** @enum {string} */
        SqlDialect: "sqlite" | "postgres" | "mysql" | "sqlserver";
        SqlPolicy: {
            dialect: components["schemas"]["SqlDialect"];
            read_only: boolean;
            tables?: components["schemas"]["SqlPolicyTables"] | null;
            columns?: components["schemas"]["SqlPolicyColumns"] | null;
            joins?: components["schemas"]["SqlPolicyJoins"] | null;
            subqueries?: components["schemas"]["SqlPolicySubqueries"] | null;
            functions?: components["schemas"]["SqlPolicyFunctions"] | null;
            limits?: components["schemas"]["SqlPolicyLimits"] | null;
        };
        SqlPolicyColumns: {
            hidden?: string[] | null;
        };
        SqlPolicyFunctions: {
            allowlist?: string[] | null;
        };
        SqlPolicyJoins: {
            max_joins?: number | null;
        };
        SqlPolicyLimits: {
            default_limit?: number | null;
            max_limit?: number | null;
            timeout_ms?: number | null;
        };
        SqlPolicySubqueries: {
            allowed?: boolean | null;
        };
        SqlPolicyTables: {
            allowlist?: string[] | null;
            denylist?: string[] | null;
        };
        SqlProfile: {
            /** Format: uuid */
            id: string;
            /** Format: uuid */
            project_id: string;
            name: string;
            policy: components["schemas"]["SqlPolicy"];
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
        };
        SqlProfileResult: {
            profile: components["schemas"]["SqlProfile"];
        };
        StartCardVerificationRequest: {
            success_url?: string;
            cancel_url?: string;
        };
        StartEvent: {
            request_id: string;
            provider: string;
            model: string;
            /** @enum {string} */
            stream_mode: "text-delta" | "structured-patch";
            /** @constant */
            stream_version: "v2";
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "start";
        };
        StartPortalSessionRequest: {
            /** Format: uuid */
            project_id: string;
            code: string;
        };
        StateHandle: {
            /** Format: uuid */
            id: string;
            /** Format: uuid */
            project_id: string;
            /** Format: uuid */
            customer_id?: string;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            expires_at?: string;
        };
        StoredImage: {
            /** Format: uuid */
            id: string;
            pinned: boolean;
            url: string;
            /** Format: date-time */
            expires_at?: string;
        };
        SubmitToolResultsRequest: {
            node_id: string;
            step: number;
            request_id: string;
            results: components["schemas"]["SubmitToolResultsRequestResult"][];
        };
        SubmitToolResultsRequestResult: {
            tool_call_id: string;
            name: string;
            output: string;
        };
        SubscribeCustomerRequest: {
            tier_id: string;
            success_url: string;
            cancel_url: string;
        };
        Subscription: {
            /** Format: uuid */
            id: string;
            /** Format: uuid */
            project_id: string;
            /** Format: uuid */
            customer_id: string;
            /** Format: uuid */
            tier_id: string;
            tier_code: string;
            tier_display_name: string;
            /** Format: int64 */
            price_amount_cents?: number;
            price_currency?: string;
            /** @enum {string} */
            price_interval?: "month" | "year";
            billing_provider?: string;
            billing_customer_id?: string;
            billing_subscription_id?: string;
            subscription_status: components["schemas"]["SubscriptionStatus"];
            /** Format: date-time */
            current_period_start: string;
            /** Format: date-time */
            current_period_end: string;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
        };
        /** @enum {string} */
        SubscriptionStatus: "active" | "trialing" | "past_due" | "canceled" | "unpaid" | "incomplete" | "incomplete_expired" | "paused";
        SwitchCase: {
            route: string;
            /** @enum {string} */
            op: "equals" | "matches" | "exists";
            /** @default  */
            path?: string;
            value?: unknown;
        };
        TaskListUpdatedEvent: {
            /** @constant */
            envelope_version: "v0";
            /** Format: uuid */
            run_id: string;
            /** Format: int64 */
            seq: number;
            /** Format: date-time */
            ts: string;
            node_id: string;
            task_list: components["schemas"]["TaskListUpdatedEventTaskList"];
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "task_list_updated";
        } & {
            [key: string]: unknown;
        };
        TaskListUpdatedEventTaskList: {
            /** Format: int64 */
            step: number;
            request_id: string;
            artifact_key: string;
            /** Format: int64 */
            bytes: number;
            sha256: string;
            tool_call_id: string;
            tasks: components["schemas"]["TaskListUpdatedEventTaskListTask"][];
        } & {
            [key: string]: unknown;
        };
        TaskListUpdatedEventTaskListTask: {
            content: string;
            /** @enum {string} */
            status: "pending" | "in_progress" | "completed";
        } & {
            [key: string]: unknown;
        };
        TestAgentRequest: {
            input: components["schemas"]["InputMessage"][];
            options?: components["schemas"]["RunAgentRequestOptions"];
            customer_id?: string;
            /** @default {} */
            mock_tools?: {
                [key: string]: unknown;
            };
        };
        TestToolHookResult: {
            status: components["schemas"]["ToolHookStatus"];
            /** Format: int64 */
            response_status: number | null;
            response_body: string;
            /** Format: int64 */
            latency_ms: number;
            error: string | null;
        };
        TestWebhookRequest: {
            event_type?: string | null;
        };
        TestWebhookResult: {
            /** @enum {string} */
            status: "delivered" | "failed";
            /** Format: int64 */
            response_status: number | null;
            response_body: string;
            /** Format: int64 */
            latency_ms: number;
            error: string | null;
        };
        TextPart: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "text";
            text: string;
            logprobs?: components["schemas"]["TextPartLogprob"][];
        };
        TextPartLogprob: {
            [key: string]: unknown;
        };
        Tier: {
            /** Format: uuid */
            id: string;
            /** Format: uuid */
            project_id: string;
            tier_code: string;
            display_name: string;
            /** @enum {string} */
            billing_mode: "subscription" | "paygo";
            /** Format: int64 */
            spend_limit_cents?: number | null;
            models: components["schemas"]["TierModel"][];
            billing_provider?: string;
            billing_price_ref?: string;
            /** Format: int64 */
            price_amount_cents?: number;
            price_currency?: string;
            price_interval?: string;
            /** Format: int64 */
            trial_days?: number;
            /** Format: int64 */
            promo_credits_cents?: number;
            /** Format: int64 */
            customer_token_max_ttl_seconds?: number;
            /** Format: int64 */
            rate_limit_per_minute?: number;
            overage_enabled: boolean;
            is_default: boolean;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
        };
        TierChange: {
            subscription: components["schemas"]["TierChangeSubscription"];
            /** @enum {string} */
            action: "upgraded" | "downgraded" | "changed" | "unchanged" | "scheduled_cancellation";
        };
        TierChangePreview: {
            /**
             * @description what `POST /customers/me/change-tier` would do; `checkout`: buy the tier with `POST /customers/me/checkout`
             * @enum {string}
             */
            action: "upgraded" | "downgraded" | "changed" | "unchanged" | "scheduled_cancellation" | "checkout";
            /** Format: int64 */
            due_now_cents: number;
            /**
             * Format: int64
             * @description deducted from later payments
             */
            credit_cents: number;
            currency?: string;
            /**
             * Format: date-time
             * @description absent: at once
             */
            effective_at?: string;
            /**
             * Format: int64
             * @description the next regular payment
             */
            next_amount_cents?: number;
            /** Format: date-time */
            next_at?: string;
            /** Format: int64 */
            trial_days?: number;
            lost_models: string[];
            added_models: string[];
            /** @description where the change moves the limit; null: no limit */
            spend_limit_cents?: components["schemas"]["TierChangePreviewSpendLimitCents"];
            /** @description the wallet no longer pays when the limit is reached */
            loses_wallet: boolean;
        };
        TierChangePreviewSpendLimitCents: {
            /** Format: int64 */
            from: number | null;
            /** Format: int64 */
            to: number | null;
        };
        TierChangeSubscription: {
            tier_code: string;
            tier_display_name: string;
            /** Format: int64 */
            price_amount_cents?: number;
            price_currency?: string;
            /** @enum {string} */
            price_interval?: "month" | "year";
            subscription_status: string;
            /** Format: date-time */
            current_period_start: string;
            /** Format: date-time */
            current_period_end: string;
        };
        TierModel: {
            /** Format: uuid */
            id: string;
            /** Format: uuid */
            tier_id: string;
            model_id: string;
            model_display_name: string;
            description: string;
            capabilities: string[];
            /** Format: int64 */
            context_window: number;
            /** Format: int64 */
            max_output_tokens: number;
            deprecated: boolean;
            /** Format: int64 */
            input_price_per_million_cents: number;
            /** Format: int64 */
            output_price_per_million_cents: number;
            /** Format: int64 */
            price_per_image_cents?: number;
            is_default: boolean;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
        };
        TierModelInput: {
            model_id: string;
            /** @default false */
            is_default?: boolean;
            /** Format: int64 */
            input_price_per_million_cents?: number;
            /** Format: int64 */
            output_price_per_million_cents?: number;
            /** Format: int64 */
            price_per_image_cents?: number;
        };
        Tool: {
            /** @enum {string} */
            type: "function" | "web" | "x_search" | "code_execution" | "image_generation";
            function?: components["schemas"]["ToolFunction"];
            web?: components["schemas"]["ToolWeb"];
            x_search?: components["schemas"]["ToolXSearch"];
            code_execution?: components["schemas"]["ToolCodeExecution"];
            image_generation?: components["schemas"]["ToolImageGeneration"];
        };
        ToolCall: {
            id: string;
            /** @enum {string} */
            type: "function" | "web" | "x_search" | "code_execution" | "image_generation";
            function?: components["schemas"]["ToolCallFunction"];
        };
        ToolCallFunction: {
            name: string;
            arguments: string;
        };
        ToolChoice: {
            /** @enum {string} */
            type: "auto" | "required" | "none";
            function?: string;
        };
        ToolCodeExecution: {
            [key: string]: unknown;
        };
        ToolExecution: {
            /**
             * @default server
             * @enum {string}
             */
            mode?: "server" | "client";
        };
        /** @enum {string} */
        ToolFailurePolicy: "stop" | "continue" | "retry";
        ToolFunction: {
            name: string;
            description?: string;
            parameters?: {
                [key: string]: unknown;
            };
        };
        ToolHook: {
            /** Format: uuid */
            id: string;
            /** Format: uuid */
            project_id: string;
            hook_type: components["schemas"]["ToolHookType"];
            endpoint_url: string;
            enabled: boolean;
            /** Format: int64 */
            timeout_ms: number;
            fail_behavior: components["schemas"]["ToolHookFailBehavior"];
            tools_allowlist: string[];
            allow_mutation: boolean;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
        };
        ToolHookEvent: {
            /** Format: uuid */
            id: string;
            /** Format: uuid */
            hook_config_id: string;
            request_id: string;
            tool_call_id: string;
            status: components["schemas"]["ToolHookStatus"];
            /** Format: int64 */
            response_status?: number;
            response_body: string;
            /** Format: int64 */
            latency_ms: number;
            error: string | null;
            /** Format: date-time */
            created_at: string;
        };
        /** @enum {string} */
        ToolHookFailBehavior: "fail_closed" | "fail_open";
        ToolHookResult: {
            hook: components["schemas"]["ToolHook"];
        };
        /** @enum {string} */
        ToolHookStatus: "success" | "blocked" | "timeout" | "error";
        /** @enum {string} */
        ToolHookType: "pre_tool_use" | "post_tool_use" | "tool_execute";
        ToolImageGeneration: {
            model: string;
        };
        ToolLimitsSpec: {
            /** @default 8 */
            max_llm_calls?: number;
            /** @default 16 */
            max_tool_calls_per_step?: number;
            /** @default 86400000 */
            wait_ttl_ms?: number;
        };
        ToolRef: {
            definition?: components["schemas"]["Tool"];
            /** Format: uuid */
            hook_id?: string;
            fragment?: components["schemas"]["ToolRefFragment"];
        };
        ToolRefFragment: {
            ref: string;
            inputs?: {
                [key: string]: string;
            };
        };
        ToolResult: {
            tool_call_id: string;
            name: string;
            output: unknown;
        };
        ToolUseDeltaEvent: {
            tool_call_delta: components["schemas"]["ToolUseStartEventToolCallDelta"];
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "tool_use_delta";
        };
        ToolUseStartEvent: {
            tool_call_delta: components["schemas"]["ToolUseStartEventToolCallDelta"];
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "tool_use_start";
        };
        ToolUseStartEventToolCallDelta: {
            id: string;
            /** @enum {string} */
            type: "function" | "web" | "x_search" | "code_execution" | "image_generation";
            function?: components["schemas"]["ToolUseStartEventToolCallDeltaFunction"];
            /** Format: int64 */
            index: number;
        };
        ToolUseStartEventToolCallDeltaFunction: {
            name: string;
            arguments: string;
        };
        ToolUseStopEvent: {
            tool_calls: components["schemas"]["ToolCall"][];
            tool_result?: components["schemas"]["ToolResult"];
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "tool_use_stop";
        };
        ToolWeb: {
            [key: string]: unknown;
        };
        ToolXSearch: {
            [key: string]: unknown;
        };
        TopUpWalletRequest: {
            /** Format: int64 */
            credit_amount_cents: number;
            success_url: string;
            cancel_url: string;
        };
        TranscriptionResult: {
            text: string;
        } & {
            [key: string]: unknown;
        };
        UnchargedUsage: {
            usage: components["schemas"]["UnchargedUsageUsage"][];
            next_cursor?: string;
        };
        UnchargedUsageUsage: {
            request_id: string;
            /**
             * Format: uuid
             * @description absent for requests of the owner
             */
            customer_id?: string;
            model: string;
            /**
             * Format: int64
             * @description usage beyond what was held; never charged to the customer
             */
            overrun_microcents: number;
            /**
             * Format: int64
             * @description an upper bound of what was served without a report
             */
            unreconciled_microcents: number;
            /** Format: date-time */
            occurred_at: string;
        };
        UpdateAgentRequest: {
            name?: string;
            slug?: string;
            description?: string | null;
            system?: string | null;
            model?: string | null;
            tools?: components["schemas"]["ToolRef"][] | null;
            fragments?: {
                [key: string]: components["schemas"]["AgentFragment"];
            } | null;
            max_steps?: number | null;
            max_duration_sec?: number | null;
            step_timeout_sec?: number | null;
            tool_failure_policy?: components["schemas"]["ToolFailurePolicy"] | null;
            tool_retry_count?: number | null;
            expected_revision?: number;
        };
        UpdateApiKeyRequest: {
            label?: string;
            /** Format: date-time */
            expires_at?: string | null;
        };
        UpdateEvent: components["schemas"]["UpdateEventDelta"] | components["schemas"]["UpdateEventPatch"];
        UpdateEventDelta: {
            delta: string;
            content?: string;
            /** @constant */
            type: "update";
        };
        UpdateEventPatch: {
            patch: components["schemas"]["UpdateEventPatchPatch"][];
            complete_fields: string[];
            /** @constant */
            type: "update";
        };
        UpdateEventPatchPatch: {
            /** @enum {string} */
            op: "add" | "replace";
            path: string;
            value: unknown;
        };
        UpdateMemberRequest: {
            role: components["schemas"]["Role"];
        };
        UpdateProjectRequest: {
            name?: string;
            description?: string | null;
            /** @enum {string} */
            billing_mode?: "managed" | "byob";
            markup_percentage?: number;
            publishable_claims?: boolean;
            response_cache?: boolean;
            response_storage?: boolean | null;
            /** @enum {string} */
            unsupported_parameters?: "refuse" | "drop";
            /** @description of buttons and marks in the portal */
            portal_color?: string | null;
            /** @description origins whose pages may embed the portal */
            portal_origins?: string[];
        };
        UpdateSessionRequest: {
            metadata: {
                [key: string]: unknown;
            };
        };
        UpdateSqlProfileRequest: {
            name?: string;
            policy?: components["schemas"]["SqlPolicy"];
        };
        UpdateTierRequest: {
            tier_code?: string;
            display_name?: string;
            models?: components["schemas"]["TierModelInput"][];
            /** @enum {string} */
            billing_mode?: "subscription" | "paygo";
            /** Format: int64 */
            spend_limit_cents?: number | null;
            billing_provider?: ("stripe" | "crypto" | "app_store" | "external") | null;
            billing_price_ref?: string | null;
            /** Format: int64 */
            price_amount_cents?: number | null;
            price_currency?: string;
            /** @enum {string} */
            price_interval?: "month" | "year";
            trial_days?: number | null;
            /** Format: int64 */
            promo_credits_cents?: number | null;
            /** Format: int64 */
            customer_token_max_ttl_seconds?: number | null;
            rate_limit_per_minute?: number | null;
            overage_enabled?: boolean;
            is_default?: boolean;
        };
        UpdateTierResult: {
            tier: components["schemas"]["Tier"];
        };
        UpdateToolHookRequest: {
            /** @description https */
            endpoint_url?: string | null;
            enabled?: boolean | null;
            /** @description 1 to 60000, default 5000 */
            timeout_ms?: number | null;
            /** @description one of fail_closed, fail_open; default by type: post_tool_use opens, the others close */
            fail_behavior?: string | null;
            /** @description names of the tools that the hook covers; empty = every tool; required for tool_execute */
            tools_allowlist?: string[] | null;
            /** @description only for post_tool_use: the hook may replace the result */
            allow_mutation?: boolean | null;
            rotate_secret?: boolean | null;
        };
        UpdateToolHookResult: {
            hook: components["schemas"]["ToolHook"];
            signing_secret?: string;
        };
        UpdateWebhookRequest: {
            /** @description required; https */
            endpoint_url?: string | null;
            /** @description required; of customer.created, customer.updated, customer.deleted, usage.threshold_exceeded, request.completed, billing.subscription_changed, billing.payment_refunded, account.admission_blocked */
            events?: string[] | null;
            enabled?: boolean | null;
            /** @description `body` (default), `timestamped`, or `standard`: the headers of Standard Webhooks */
            signature_form?: string | null;
            /** @description `standard` (default) or `fast` */
            retry_schedule?: string | null;
            rotate_secret?: boolean | null;
        };
        UsageThresholdExceededWebhookEvent: {
            /** @constant */
            event_type: "usage.threshold_exceeded";
            /** Format: uuid */
            event_id: string;
            /** Format: date-time */
            timestamp: string;
            /** Format: uuid */
            project_id: string;
            data: components["schemas"]["WebhookThresholdData"];
        };
        User: {
            /** Format: uuid */
            id: string;
            email: string;
            /** Format: uuid */
            project_id: string;
            /** Format: date-time */
            created_at: string;
        };
        ValidateSqlRequest: {
            sql: string;
            /** Format: uuid */
            profile_id?: string;
            policy?: components["schemas"]["SqlPolicy"];
        };
        ValidateSqlResult: {
            /** @constant */
            valid: true;
            normalized_sql: string;
            read_only: boolean;
            tables: string[];
            /** Format: int64 */
            limit?: number;
            /** Format: int64 */
            timeout_ms?: number;
        };
        WalletTopUp: {
            /** Format: uuid */
            id: string;
            session_id: string;
            /** Format: uri */
            url: string;
            /** Format: uri */
            checkout_url: string;
            /** Format: int64 */
            credit_amount_cents: number;
            /** @enum {string} */
            status: "pending" | "completed" | "expired" | "failed";
        };
        Webhook: {
            /** Format: uuid */
            id: string;
            /** Format: uuid */
            project_id: string;
            endpoint_url: string;
            signing_secret?: string;
            enabled: boolean;
            /** @enum {string} */
            disabled_reason?: "owner" | "failures" | "gone";
            events: components["schemas"]["WebhookEventType"][];
            signature_form: components["schemas"]["WebhookSignatureForm"];
            retry_schedule: components["schemas"]["WebhookRetrySchedule"];
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
        };
        WebhookAdmissionData: {
            /** Format: uuid */
            account_id: string;
            refusal_code: string;
            /** Format: int64 */
            required_microcents: number;
            /** Format: int64 */
            available_microcents: number;
            /** Format: int64 */
            shortfall_microcents: number;
        };
        WebhookAttempt: {
            /** Format: int64 */
            attempt: number;
            /** @enum {string} */
            outcome: "delivered" | "retry" | "failed" | "interrupted";
            /** Format: int64 */
            response_status?: number;
            /** Format: int64 */
            latency_ms?: number;
            error?: string;
            /** Format: date-time */
            started_at: string;
        };
        WebhookCustomerData: {
            customer: components["schemas"]["WebhookCustomerDataCustomer"];
        };
        WebhookCustomerDataCustomer: {
            /** Format: uuid */
            id: string;
            external_id: string;
            email: string;
            /** Format: uuid */
            tier_id?: string;
            tier_code?: string;
            metadata: {
                [key: string]: unknown;
            };
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
        };
        WebhookDeletedCustomerData: {
            customer: components["schemas"]["WebhookDeletedCustomerDataCustomer"];
        };
        WebhookDeletedCustomerDataCustomer: {
            /** Format: uuid */
            id: string;
            external_id: string;
            email: string;
            /** Format: uuid */
            tier_id?: string;
            tier_code?: string;
        };
        WebhookDelivery: {
            /** Format: uuid */
            id: string;
            /** Format: uuid */
            webhook_config_id: string;
            event_type: components["schemas"]["WebhookEventType"];
            /** Format: uuid */
            event_id: string;
            payload: {
                [key: string]: unknown;
            };
            status: components["schemas"]["WebhookDeliveryStatus"];
            /** Format: int64 */
            attempt_count: number;
            /** Format: int64 */
            response_status?: number;
            /** Format: int64 */
            latency_ms?: number;
            error?: string;
            attempts: components["schemas"]["WebhookAttempt"][];
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
        };
        /** @enum {string} */
        WebhookDeliveryStatus: "pending" | "processing" | "delivered" | "failed";
        WebhookEventResult: {
            event: components["schemas"]["WebhookDelivery"];
        };
        /** @enum {string} */
        WebhookEventType: "customer.created" | "customer.updated" | "customer.deleted" | "usage.threshold_exceeded" | "request.completed" | "billing.subscription_changed" | "billing.payment_refunded" | "account.admission_blocked";
        WebhookRefundData: {
            /** Format: uuid */
            payment_id: string;
            /** Format: uuid */
            customer_id?: string;
            /** @enum {string} */
            kind: "wallet_topup" | "subscription" | "tier_change";
            /**
             * Format: int64
             * @description of this refund
             */
            amount_cents: number;
            currency: string;
        };
        WebhookRequestData: {
            request_id: string;
            response_id?: string;
            model: string;
            provider: string;
            /** Format: int64 */
            status: number;
            success: boolean;
            streaming: boolean;
            execution_origin: string;
            /** Format: int64 */
            input_tokens: number;
            /** Format: int64 */
            cache_read_input_tokens: number;
            /** Format: int64 */
            cache_write_input_tokens: number;
            /** Format: int64 */
            output_tokens: number;
            /** Format: int64 */
            total_tokens: number;
            /** Format: int64 */
            duration_ms: number;
            /** Format: uuid */
            customer_id?: string;
            /** Format: uuid */
            tier_id?: string;
            tier_code?: string;
        };
        WebhookResult: {
            webhook: components["schemas"]["Webhook"];
        };
        /** @enum {string} */
        WebhookRetrySchedule: "standard" | "fast";
        /** @enum {string} */
        WebhookSignatureForm: "body" | "timestamped" | "standard";
        WebhookSubscriptionData: {
            /** Format: uuid */
            customer_id: string;
            /** Format: uuid */
            tier_id: string;
            tier_code: string;
            billing_provider?: string;
            billing_customer_id?: string;
            billing_subscription_id?: string;
            subscription_status: components["schemas"]["SubscriptionStatus"];
            /** Format: date-time */
            current_period_start?: string;
            /** Format: date-time */
            current_period_end?: string;
        };
        WebhookThresholdData: {
            /** Format: uuid */
            customer_id: string;
            /** Format: uuid */
            tier_id: string;
            tier_code: string;
            /** @constant */
            plan_type: "subscription";
            /** @constant */
            unit: "microcents";
            /** Format: int64 */
            threshold_percent: number;
            percentage_used: number;
            /** Format: int64 */
            used: number;
            /** Format: int64 */
            limit: number;
            /** Format: int64 */
            remaining: number;
            /** Format: date-time */
            window_start: string;
            /** Format: date-time */
            window_end: string;
        };
        WithdrawCreditRequest: {
            /** @description never more than is left of the granted credit */
            amount_cents: number;
        };
        WorkflowExecution: {
            /** @default 16 */
            max_parallelism?: number;
            /** @default 600000 */
            node_timeout_ms?: number;
            /** @default 86400000 */
            run_timeout_ms?: number;
        };
        WorkflowInput: {
            name: string;
            /**
             * @default json
             * @enum {string}
             */
            type?: "json" | "string" | "number" | "integer" | "boolean" | "object" | "array" | "null";
            /** @default false */
            required?: boolean;
            default?: unknown;
            description?: string;
        };
        WorkflowIssue: {
            code: string;
            path: string;
            message: string;
        };
        WorkflowOutput: {
            name: string;
            from: string;
            /** @default  */
            pointer?: string;
        };
        /**
         * Workflow
         * @description A workflow spec, workflow.v0 or workflow.v1
         */
        WorkflowSpec: components["schemas"]["WorkflowSpecWorkflowV0"] | components["schemas"]["WorkflowSpecWorkflowV1"];
        WorkflowSpecWorkflowV0: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            kind: "workflow.v0";
            name?: string;
            /** @default [] */
            outputs?: components["schemas"]["WorkflowOutput"][];
            /** @default {} */
            execution?: components["schemas"]["WorkflowExecution"];
            nodes: (components["schemas"]["WorkflowSpecWorkflowV0NodeLlmResponses"] | components["schemas"]["WorkflowSpecWorkflowV0NodeJoinAll"] | components["schemas"]["WorkflowSpecWorkflowV0NodeTransformJson"] | components["schemas"]["WorkflowSpecWorkflowV0NodeAgentRun"] | components["schemas"]["WorkflowSpecWorkflowV0NodeAgentScheduler"])[];
            /** @default [] */
            edges?: components["schemas"]["WorkflowSpecWorkflowV0Edge"][];
        };
        WorkflowSpecWorkflowV0Edge: {
            from: string;
            to: string;
        };
        WorkflowSpecWorkflowV0NodeAgentRun: components["schemas"]["WorkflowSpecWorkflowV0NodeAgentRunAgent"] | components["schemas"]["WorkflowSpecWorkflowV0NodeAgentRunInput"];
        WorkflowSpecWorkflowV0NodeAgentRunAgent: {
            id: string;
            /** @constant */
            type: "agent.run";
            agent: string;
            model?: string;
            max_steps?: number;
            max_duration_sec?: number;
            step_timeout_sec?: number;
            tool_failure_policy?: components["schemas"]["ToolFailurePolicy"];
            tool_retry_count?: number;
            /** @default true */
            stream?: boolean;
            /** @default {} */
            tool_execution?: components["schemas"]["ToolExecution"];
            tool_limits?: components["schemas"]["WorkflowSpecWorkflowV0NodeAgentRunAgentToolLimits"];
            /** @default [] */
            bindings?: components["schemas"]["NodeBinding"][];
            input?: unknown[] | components["schemas"]["WorkflowSpecWorkflowV0NodeAgentRunAgentInput"];
        } & {
            [key: string]: unknown;
        };
        WorkflowSpecWorkflowV0NodeAgentRunAgentInput: {
            input?: unknown[];
            agent?: string;
            model?: string;
            max_steps?: number;
            max_duration_sec?: number;
            step_timeout_sec?: number;
            tool_failure_policy?: components["schemas"]["ToolFailurePolicy"];
            tool_retry_count?: number;
            /** @default true */
            stream?: boolean;
            /** @default {} */
            tool_execution?: components["schemas"]["ToolExecution"];
            tool_limits?: components["schemas"]["WorkflowSpecWorkflowV0NodeAgentRunAgentToolLimits"];
            /** @default [] */
            bindings?: components["schemas"]["NodeBinding"][];
        } & {
            [key: string]: unknown;
        };
        WorkflowSpecWorkflowV0NodeAgentRunAgentToolLimits: {
            /** @default 16 */
            max_tool_calls_per_step?: number;
            /** @default 86400000 */
            wait_ttl_ms?: number;
        };
        WorkflowSpecWorkflowV0NodeAgentRunInput: {
            id: string;
            /** @constant */
            type: "agent.run";
            input: components["schemas"]["WorkflowSpecWorkflowV0NodeAgentRunInputInput"];
        } & {
            [key: string]: unknown;
        };
        WorkflowSpecWorkflowV0NodeAgentRunInputInput: {
            agent: string;
            input?: unknown[];
            model?: string;
            max_steps?: number;
            max_duration_sec?: number;
            step_timeout_sec?: number;
            tool_failure_policy?: components["schemas"]["ToolFailurePolicy"];
            tool_retry_count?: number;
            /** @default true */
            stream?: boolean;
            /** @default {} */
            tool_execution?: components["schemas"]["ToolExecution"];
            tool_limits?: components["schemas"]["WorkflowSpecWorkflowV0NodeAgentRunAgentToolLimits"];
            /** @default [] */
            bindings?: components["schemas"]["NodeBinding"][];
        } & {
            [key: string]: unknown;
        };
        WorkflowSpecWorkflowV0NodeAgentScheduler: components["schemas"]["WorkflowSpecWorkflowV0NodeAgentSchedulerAgents"] | components["schemas"]["WorkflowSpecWorkflowV0NodeAgentSchedulerInput"];
        WorkflowSpecWorkflowV0NodeAgentSchedulerAgents: {
            id: string;
            /** @constant */
            type: "agent.scheduler";
            agents: components["schemas"]["WorkflowSpecWorkflowV0NodeAgentSchedulerAgentsAgent"][];
            coordinator: components["schemas"]["WorkflowSpecWorkflowV0NodeAgentSchedulerAgentsCoordinator"];
            /** @default {} */
            policy?: components["schemas"]["SchedulerPolicyInput"];
        } & {
            [key: string]: unknown;
        };
        WorkflowSpecWorkflowV0NodeAgentSchedulerAgentsAgent: {
            agent: string;
            input: components["schemas"]["InputMessage"][];
            /** @default 1 */
            count?: number;
        };
        WorkflowSpecWorkflowV0NodeAgentSchedulerAgentsCoordinator: {
            agent: string;
            input: components["schemas"]["InputMessage"][];
        };
        WorkflowSpecWorkflowV0NodeAgentSchedulerInput: {
            id: string;
            /** @constant */
            type: "agent.scheduler";
            input: components["schemas"]["WorkflowSpecWorkflowV0NodeAgentSchedulerInputInput"];
        } & {
            [key: string]: unknown;
        };
        WorkflowSpecWorkflowV0NodeAgentSchedulerInputInput: {
            agents: components["schemas"]["WorkflowSpecWorkflowV0NodeAgentSchedulerAgentsAgent"][];
            coordinator: components["schemas"]["WorkflowSpecWorkflowV0NodeAgentSchedulerAgentsCoordinator"];
            /** @default {} */
            policy?: components["schemas"]["SchedulerPolicyInput"];
        } & {
            [key: string]: unknown;
        };
        WorkflowSpecWorkflowV0NodeJoinAll: {
            id: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "join.all";
            input?: unknown;
        };
        WorkflowSpecWorkflowV0NodeLlmResponses: {
            id: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "llm.responses";
            input: components["schemas"]["WorkflowSpecWorkflowV0NodeLlmResponsesInputRequest"] | components["schemas"]["WorkflowSpecWorkflowV0NodeLlmResponsesInputInput"];
        } & {
            [key: string]: unknown;
        };
        WorkflowSpecWorkflowV0NodeLlmResponsesInputInput: {
            /** @default true */
            stream?: boolean;
            /** @default {} */
            tool_execution?: components["schemas"]["ToolExecution"];
            /** @default {} */
            tool_limits?: components["schemas"]["ToolLimitsSpec"];
            /** @default [] */
            bindings?: components["schemas"]["NodeBinding"][];
            input: unknown[];
        } & {
            [key: string]: unknown;
        };
        WorkflowSpecWorkflowV0NodeLlmResponsesInputRequest: {
            /** @default true */
            stream?: boolean;
            /** @default {} */
            tool_execution?: components["schemas"]["ToolExecution"];
            /** @default {} */
            tool_limits?: components["schemas"]["ToolLimitsSpec"];
            /** @default [] */
            bindings?: components["schemas"]["NodeBinding"][];
            /** @description A body of POST /responses; bindings may put parts of it in */
            request: components["schemas"]["WorkflowSpecWorkflowV0NodeLlmResponsesInputRequestRequest"];
        };
        WorkflowSpecWorkflowV0NodeLlmResponsesInputRequestRequest: {
            [key: string]: unknown;
        };
        WorkflowSpecWorkflowV0NodeTransformJson: {
            id: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "transform.json";
            input: components["schemas"]["WorkflowSpecWorkflowV0NodeTransformJsonInputObject"] | components["schemas"]["WorkflowSpecWorkflowV0NodeTransformJsonInputMerge"] | components["schemas"]["NodeSource"];
        };
        WorkflowSpecWorkflowV0NodeTransformJsonInputMerge: {
            merge: components["schemas"]["NodeSource"][];
        };
        WorkflowSpecWorkflowV0NodeTransformJsonInputObject: {
            object: {
                [key: string]: components["schemas"]["NodeSource"];
            };
        };
        WorkflowSpecWorkflowV1: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            kind: "workflow.v1";
            name?: string;
            /** @default [] */
            outputs?: components["schemas"]["WorkflowOutput"][];
            /** @default {} */
            execution?: components["schemas"]["WorkflowExecution"];
            /** @default [] */
            inputs?: components["schemas"]["WorkflowInput"][];
            nodes: (components["schemas"]["WorkflowSpecWorkflowV1NodeLlmResponses"] | components["schemas"]["WorkflowSpecWorkflowV1NodeRouteSwitch"] | components["schemas"]["WorkflowSpecWorkflowV1NodeJoinAll"] | components["schemas"]["WorkflowSpecWorkflowV1NodeJoinAny"] | components["schemas"]["WorkflowSpecWorkflowV1NodeJoinCollect"] | components["schemas"]["WorkflowSpecWorkflowV1NodeTransformJson"] | components["schemas"]["WorkflowSpecWorkflowV1NodeMapFanout"] | components["schemas"]["WorkflowSpecWorkflowV1NodeAgentRun"] | components["schemas"]["WorkflowSpecWorkflowV1NodeAgentScheduler"])[];
            /** @default [] */
            edges?: components["schemas"]["WorkflowSpecWorkflowV1Edge"][];
        };
        WorkflowSpecWorkflowV1Edge: {
            from: string;
            to: string;
            when?: components["schemas"]["EdgeCondition"];
        };
        WorkflowSpecWorkflowV1NodeAgentRun: components["schemas"]["WorkflowSpecWorkflowV1NodeAgentRunAgent"] | components["schemas"]["WorkflowSpecWorkflowV1NodeAgentRunInput"];
        WorkflowSpecWorkflowV1NodeAgentRunAgent: {
            id: string;
            retry?: components["schemas"]["RetryPolicy"];
            /** @constant */
            type: "agent.run";
            agent: string;
            model?: string;
            max_steps?: number;
            max_duration_sec?: number;
            step_timeout_sec?: number;
            tool_failure_policy?: components["schemas"]["ToolFailurePolicy"];
            tool_retry_count?: number;
            /** @default true */
            stream?: boolean;
            /** @default {} */
            tool_execution?: components["schemas"]["ToolExecution"];
            tool_limits?: components["schemas"]["WorkflowSpecWorkflowV0NodeAgentRunAgentToolLimits"];
            /** @default [] */
            bindings?: components["schemas"]["AnyBinding"][];
            input?: unknown[] | components["schemas"]["WorkflowSpecWorkflowV1NodeAgentRunAgentInput"];
        } & {
            [key: string]: unknown;
        };
        WorkflowSpecWorkflowV1NodeAgentRunAgentInput: {
            input?: unknown[];
            agent?: string;
            model?: string;
            max_steps?: number;
            max_duration_sec?: number;
            step_timeout_sec?: number;
            tool_failure_policy?: components["schemas"]["ToolFailurePolicy"];
            tool_retry_count?: number;
            /** @default true */
            stream?: boolean;
            /** @default {} */
            tool_execution?: components["schemas"]["ToolExecution"];
            tool_limits?: components["schemas"]["WorkflowSpecWorkflowV0NodeAgentRunAgentToolLimits"];
            /** @default [] */
            bindings?: components["schemas"]["AnyBinding"][];
        } & {
            [key: string]: unknown;
        };
        WorkflowSpecWorkflowV1NodeAgentRunInput: {
            id: string;
            retry?: components["schemas"]["RetryPolicy"];
            /** @constant */
            type: "agent.run";
            input: components["schemas"]["WorkflowSpecWorkflowV1NodeAgentRunInputInput"];
        } & {
            [key: string]: unknown;
        };
        WorkflowSpecWorkflowV1NodeAgentRunInputInput: {
            agent: string;
            input?: unknown[];
            model?: string;
            max_steps?: number;
            max_duration_sec?: number;
            step_timeout_sec?: number;
            tool_failure_policy?: components["schemas"]["ToolFailurePolicy"];
            tool_retry_count?: number;
            /** @default true */
            stream?: boolean;
            /** @default {} */
            tool_execution?: components["schemas"]["ToolExecution"];
            tool_limits?: components["schemas"]["WorkflowSpecWorkflowV0NodeAgentRunAgentToolLimits"];
            /** @default [] */
            bindings?: components["schemas"]["AnyBinding"][];
        } & {
            [key: string]: unknown;
        };
        WorkflowSpecWorkflowV1NodeAgentScheduler: components["schemas"]["WorkflowSpecWorkflowV1NodeAgentSchedulerAgents"] | components["schemas"]["WorkflowSpecWorkflowV1NodeAgentSchedulerInput"];
        WorkflowSpecWorkflowV1NodeAgentSchedulerAgents: {
            id: string;
            retry?: components["schemas"]["RetryPolicy"];
            /** @constant */
            type: "agent.scheduler";
            agents: components["schemas"]["WorkflowSpecWorkflowV0NodeAgentSchedulerAgentsAgent"][];
            coordinator: components["schemas"]["WorkflowSpecWorkflowV0NodeAgentSchedulerAgentsCoordinator"];
            /** @default {} */
            policy?: components["schemas"]["SchedulerPolicyInput"];
        } & {
            [key: string]: unknown;
        };
        WorkflowSpecWorkflowV1NodeAgentSchedulerInput: {
            id: string;
            retry?: components["schemas"]["RetryPolicy"];
            /** @constant */
            type: "agent.scheduler";
            input: components["schemas"]["WorkflowSpecWorkflowV0NodeAgentSchedulerInputInput"];
        } & {
            [key: string]: unknown;
        };
        WorkflowSpecWorkflowV1NodeJoinAll: {
            id: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "join.all";
            input?: unknown;
            retry?: components["schemas"]["RetryPolicy"];
        };
        WorkflowSpecWorkflowV1NodeJoinAny: {
            id: string;
            retry?: components["schemas"]["RetryPolicy"];
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "join.any";
            input?: components["schemas"]["JoinAnyInput"];
        };
        WorkflowSpecWorkflowV1NodeJoinCollect: {
            id: string;
            retry?: components["schemas"]["RetryPolicy"];
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "join.collect";
            input?: components["schemas"]["JoinCollectInput"];
        };
        WorkflowSpecWorkflowV1NodeLlmResponses: {
            id: string;
            retry?: components["schemas"]["RetryPolicy"];
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "llm.responses";
            input: components["schemas"]["WorkflowSpecWorkflowV1NodeLlmResponsesInputRequest"] | components["schemas"]["WorkflowSpecWorkflowV1NodeLlmResponsesInputInput"];
        } & {
            [key: string]: unknown;
        };
        WorkflowSpecWorkflowV1NodeLlmResponsesInputInput: {
            /** @default true */
            stream?: boolean;
            /** @default {} */
            tool_execution?: components["schemas"]["ToolExecution"];
            /** @default {} */
            tool_limits?: components["schemas"]["ToolLimitsSpec"];
            /** @default [] */
            bindings?: components["schemas"]["AnyBinding"][];
            input: unknown[];
        } & {
            [key: string]: unknown;
        };
        WorkflowSpecWorkflowV1NodeLlmResponsesInputRequest: {
            /** @default true */
            stream?: boolean;
            /** @default {} */
            tool_execution?: components["schemas"]["ToolExecution"];
            /** @default {} */
            tool_limits?: components["schemas"]["ToolLimitsSpec"];
            /** @default [] */
            bindings?: components["schemas"]["AnyBinding"][];
            /** @description A body of POST /responses; bindings may put parts of it in */
            request: components["schemas"]["WorkflowSpecWorkflowV1NodeLlmResponsesInputRequestRequest"];
        };
        WorkflowSpecWorkflowV1NodeLlmResponsesInputRequestRequest: {
            [key: string]: unknown;
        };
        WorkflowSpecWorkflowV1NodeMapFanout: {
            id: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "map.fanout";
            input: components["schemas"]["FanoutInput"];
        };
        WorkflowSpecWorkflowV1NodeRouteSwitch: {
            id: string;
            retry?: components["schemas"]["RetryPolicy"];
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "route.switch";
            input: (components["schemas"]["WorkflowSpecWorkflowV1NodeLlmResponsesInputRequest"] | components["schemas"]["WorkflowSpecWorkflowV1NodeLlmResponsesInputInput"]) | components["schemas"]["WorkflowSpecWorkflowV1NodeRouteSwitchInputCases"];
        } & {
            [key: string]: unknown;
        };
        WorkflowSpecWorkflowV1NodeRouteSwitchInputCases: {
            cases: components["schemas"]["SwitchCase"][];
            default?: string;
        } & {
            [key: string]: unknown;
        };
        WorkflowSpecWorkflowV1NodeTransformJson: {
            id: string;
            retry?: components["schemas"]["RetryPolicy"];
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "transform.json";
            input: components["schemas"]["WorkflowSpecWorkflowV1NodeTransformJsonInputObject"] | components["schemas"]["WorkflowSpecWorkflowV1NodeTransformJsonInputMerge"] | components["schemas"]["AnySource"];
        };
        WorkflowSpecWorkflowV1NodeTransformJsonInputMerge: {
            merge: components["schemas"]["AnySource"][];
        };
        WorkflowSpecWorkflowV1NodeTransformJsonInputObject: {
            object: {
                [key: string]: components["schemas"]["AnySource"];
            };
        };
    };
    responses: {
        /** @description The request does not validate. Codes: `VALIDATION_ERROR`, `INVALID_INPUT`, `MODEL_CAPABILITY_UNSUPPORTED`, `TOOL_UNHANDLED`, `TOOL_NOT_MOCKED`, `TOOL_LOOP_LIMIT`, `POINTER_NOT_FOUND`, `AGENT_LIMIT_REACHED` */
        native400: {
            headers: {
                "X-Service-Request-Id": components["headers"]["X-Service-Request-Id"];
                "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ApiError"];
            };
        };
        /** @description Credentials are missing or invalid. Codes: `UNAUTHORIZED` */
        native401: {
            headers: {
                "X-Service-Request-Id": components["headers"]["X-Service-Request-Id"];
                "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ApiError"];
            };
        };
        /** @description A billing limit refuses the request; `code` names it. Codes: `PAYMENT_REQUIRED`, `UPSTREAM_PAYMENT_REQUIRED`, `SUBSCRIPTION_INACTIVE`, `TIER_ALLOWANCE_EXHAUSTED`, `WALLET_EMPTY`, `PROVIDER_ACCOUNT_UNFUNDED`, `FREE_CREDIT_DAILY_CAP`, `ACCOUNT_QUOTA_EXCEEDED`, `API_KEY_SPEND_LIMIT_REACHED` */
        native402: {
            headers: {
                "X-Service-Request-Id": components["headers"]["X-Service-Request-Id"];
                "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ApiError"];
            };
        };
        /** @description The credential is valid, but not for this. Codes: `FORBIDDEN` */
        native403: {
            headers: {
                "X-Service-Request-Id": components["headers"]["X-Service-Request-Id"];
                "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ApiError"];
            };
        };
        /** @description Not found, or not yours. Codes: `NOT_FOUND` */
        native404: {
            headers: {
                "X-Service-Request-Id": components["headers"]["X-Service-Request-Id"];
                "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ApiError"];
            };
        };
        /** @description The request conflicts with what is there. Codes: `CONFLICT` */
        native409: {
            headers: {
                "X-Service-Request-Id": components["headers"]["X-Service-Request-Id"];
                "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ApiError"];
            };
        };
        /** @description The request body is too large. Codes: `PAYLOAD_TOO_LARGE` */
        native413: {
            headers: {
                "X-Service-Request-Id": components["headers"]["X-Service-Request-Id"];
                "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ApiError"];
            };
        };
        /** @description Rate limit exceeded */
        native429: {
            headers: {
                "X-Service-Request-Id": components["headers"]["X-Service-Request-Id"];
                "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                "Retry-After": components["headers"]["Retry-After"];
                [name: string]: unknown;
            };
            content: {
                /** @example rate limit exceeded */
                "text/plain": string;
            };
        };
        /** @description A fault of the service, or an error of a provider. Codes: `INTERNAL_ERROR`, `PROVIDER_ERROR`, `INVALID_OUTPUT`, `WEB_SEARCH_FAILED`, `WEB_FETCH_FAILED` */
        native500: {
            headers: {
                "X-Service-Request-Id": components["headers"]["X-Service-Request-Id"];
                "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ApiError"];
            };
        };
        /** @description Overloaded (with Retry-After), timed out, or a part of the service is unavailable. Codes: `SERVICE_UNAVAILABLE`, `PROVIDER_TIMEOUT`, `RELAY_TIMEOUT`, `HOOK_FAILED`, `TOOL_WAIT_TIMEOUT`, `WEB_SEARCH_UNAVAILABLE`, `WEB_FETCH_UNAVAILABLE` */
        native503: {
            headers: {
                "X-Service-Request-Id": components["headers"]["X-Service-Request-Id"];
                "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                "Retry-After": components["headers"]["Retry-After"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ApiError"];
            };
        };
        /** @description The request does not validate */
        openai400: {
            headers: {
                "X-Service-Request-Id": components["headers"]["X-Service-Request-Id"];
                "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["OpenAiError"];
            };
        };
        /** @description Credentials are missing or invalid */
        openai401: {
            headers: {
                "X-Service-Request-Id": components["headers"]["X-Service-Request-Id"];
                "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["OpenAiError"];
            };
        };
        /** @description A billing limit refuses the request; `code` names it */
        openai402: {
            headers: {
                "X-Service-Request-Id": components["headers"]["X-Service-Request-Id"];
                "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["OpenAiError"];
            };
        };
        /** @description The credential is valid, but not for this */
        openai403: {
            headers: {
                "X-Service-Request-Id": components["headers"]["X-Service-Request-Id"];
                "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["OpenAiError"];
            };
        };
        /** @description Not found, or not yours */
        openai404: {
            headers: {
                "X-Service-Request-Id": components["headers"]["X-Service-Request-Id"];
                "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["OpenAiError"];
            };
        };
        /** @description The request conflicts with what is there */
        openai409: {
            headers: {
                "X-Service-Request-Id": components["headers"]["X-Service-Request-Id"];
                "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["OpenAiError"];
            };
        };
        /** @description The request body is too large */
        openai413: {
            headers: {
                "X-Service-Request-Id": components["headers"]["X-Service-Request-Id"];
                "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["OpenAiError"];
            };
        };
        /** @description Rate limit exceeded */
        openai429: {
            headers: {
                "X-Service-Request-Id": components["headers"]["X-Service-Request-Id"];
                "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                "Retry-After": components["headers"]["Retry-After"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["OpenAiError"];
            };
        };
        /** @description A fault of the service, or an error of a provider */
        openai500: {
            headers: {
                "X-Service-Request-Id": components["headers"]["X-Service-Request-Id"];
                "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["OpenAiError"];
            };
        };
        /** @description Overloaded (with Retry-After), timed out, or a part of the service is unavailable */
        openai503: {
            headers: {
                "X-Service-Request-Id": components["headers"]["X-Service-Request-Id"];
                "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                "Retry-After": components["headers"]["Retry-After"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["OpenAiError"];
            };
        };
        /** @description The request does not validate */
        anthropic400: {
            headers: {
                "X-Service-Request-Id": components["headers"]["X-Service-Request-Id"];
                "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["AnthropicError"];
            };
        };
        /** @description Credentials are missing or invalid */
        anthropic401: {
            headers: {
                "X-Service-Request-Id": components["headers"]["X-Service-Request-Id"];
                "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["AnthropicError"];
            };
        };
        /** @description A billing limit refuses the request; `code` names it */
        anthropic402: {
            headers: {
                "X-Service-Request-Id": components["headers"]["X-Service-Request-Id"];
                "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["AnthropicError"];
            };
        };
        /** @description The credential is valid, but not for this */
        anthropic403: {
            headers: {
                "X-Service-Request-Id": components["headers"]["X-Service-Request-Id"];
                "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["AnthropicError"];
            };
        };
        /** @description Not found, or not yours */
        anthropic404: {
            headers: {
                "X-Service-Request-Id": components["headers"]["X-Service-Request-Id"];
                "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["AnthropicError"];
            };
        };
        /** @description The request conflicts with what is there */
        anthropic409: {
            headers: {
                "X-Service-Request-Id": components["headers"]["X-Service-Request-Id"];
                "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["AnthropicError"];
            };
        };
        /** @description The request body is too large */
        anthropic413: {
            headers: {
                "X-Service-Request-Id": components["headers"]["X-Service-Request-Id"];
                "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["AnthropicError"];
            };
        };
        /** @description Rate limit exceeded */
        anthropic429: {
            headers: {
                "X-Service-Request-Id": components["headers"]["X-Service-Request-Id"];
                "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                "Retry-After": components["headers"]["Retry-After"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["AnthropicError"];
            };
        };
        /** @description A fault of the service, or an error of a provider */
        anthropic500: {
            headers: {
                "X-Service-Request-Id": components["headers"]["X-Service-Request-Id"];
                "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["AnthropicError"];
            };
        };
        /** @description Overloaded (with Retry-After), timed out, or a part of the service is unavailable */
        anthropic503: {
            headers: {
                "X-Service-Request-Id": components["headers"]["X-Service-Request-Id"];
                "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                "Retry-After": components["headers"]["Retry-After"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["AnthropicError"];
            };
        };
        /** @description The request does not validate */
        google400: {
            headers: {
                "X-Service-Request-Id": components["headers"]["X-Service-Request-Id"];
                "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["GoogleError"];
            };
        };
        /** @description Credentials are missing or invalid */
        google401: {
            headers: {
                "X-Service-Request-Id": components["headers"]["X-Service-Request-Id"];
                "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["GoogleError"];
            };
        };
        /** @description A billing limit refuses the request; `code` names it */
        google402: {
            headers: {
                "X-Service-Request-Id": components["headers"]["X-Service-Request-Id"];
                "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["GoogleError"];
            };
        };
        /** @description The credential is valid, but not for this */
        google403: {
            headers: {
                "X-Service-Request-Id": components["headers"]["X-Service-Request-Id"];
                "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["GoogleError"];
            };
        };
        /** @description Not found, or not yours */
        google404: {
            headers: {
                "X-Service-Request-Id": components["headers"]["X-Service-Request-Id"];
                "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["GoogleError"];
            };
        };
        /** @description The request conflicts with what is there */
        google409: {
            headers: {
                "X-Service-Request-Id": components["headers"]["X-Service-Request-Id"];
                "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["GoogleError"];
            };
        };
        /** @description The request body is too large */
        google413: {
            headers: {
                "X-Service-Request-Id": components["headers"]["X-Service-Request-Id"];
                "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["GoogleError"];
            };
        };
        /** @description Rate limit exceeded */
        google429: {
            headers: {
                "X-Service-Request-Id": components["headers"]["X-Service-Request-Id"];
                "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                "Retry-After": components["headers"]["Retry-After"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["GoogleError"];
            };
        };
        /** @description A fault of the service, or an error of a provider */
        google500: {
            headers: {
                "X-Service-Request-Id": components["headers"]["X-Service-Request-Id"];
                "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["GoogleError"];
            };
        };
        /** @description Overloaded (with Retry-After), timed out, or a part of the service is unavailable */
        google503: {
            headers: {
                "X-Service-Request-Id": components["headers"]["X-Service-Request-Id"];
                "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                "Retry-After": components["headers"]["Retry-After"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["GoogleError"];
            };
        };
        /** @description Understood, but cannot be done */
        native422: {
            headers: {
                "X-Service-Request-Id": components["headers"]["X-Service-Request-Id"];
                "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ApiError"];
            };
        };
        /** @description The request does not validate */
        simple400: {
            headers: {
                "X-Service-Request-Id": components["headers"]["X-Service-Request-Id"];
                "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["SimpleError"];
            };
        };
        /** @description Credentials are missing or invalid */
        simple401: {
            headers: {
                "X-Service-Request-Id": components["headers"]["X-Service-Request-Id"];
                "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["SimpleError"];
            };
        };
        /** @description The credential is valid, but not for this */
        simple403: {
            headers: {
                "X-Service-Request-Id": components["headers"]["X-Service-Request-Id"];
                "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["SimpleError"];
            };
        };
        /** @description Not found, or not yours */
        simple404: {
            headers: {
                "X-Service-Request-Id": components["headers"]["X-Service-Request-Id"];
                "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["SimpleError"];
            };
        };
        /** @description Rate limit exceeded */
        simple429: {
            headers: {
                "X-Service-Request-Id": components["headers"]["X-Service-Request-Id"];
                "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                "Retry-After": components["headers"]["Retry-After"];
                [name: string]: unknown;
            };
            content: {
                /** @example rate limit exceeded */
                "text/plain": string;
            };
        };
        /** @description A fault of the service, or an error of a provider */
        simple500: {
            headers: {
                "X-Service-Request-Id": components["headers"]["X-Service-Request-Id"];
                "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["SimpleError"];
            };
        };
        /** @description Overloaded (with Retry-After), timed out, or a part of the service is unavailable */
        simple503: {
            headers: {
                "X-Service-Request-Id": components["headers"]["X-Service-Request-Id"];
                "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                "Retry-After": components["headers"]["Retry-After"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["SimpleError"];
            };
        };
        /** @description The request body is too large */
        simple413: {
            headers: {
                "X-Service-Request-Id": components["headers"]["X-Service-Request-Id"];
                "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["SimpleError"];
            };
        };
        /** @description The request conflicts with what is there */
        simple409: {
            headers: {
                "X-Service-Request-Id": components["headers"]["X-Service-Request-Id"];
                "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["SimpleError"];
            };
        };
        /** @description The request does not validate */
        vendors400: {
            headers: {
                "X-Service-Request-Id": components["headers"]["X-Service-Request-Id"];
                "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "error": {
                 *         "message": "the request was refused",
                 *         "type": "type",
                 *         "param": "param",
                 *         "code": "code"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["OpenAiError"] | components["schemas"]["AnthropicError"];
            };
        };
        /** @description Credentials are missing or invalid */
        vendors401: {
            headers: {
                "X-Service-Request-Id": components["headers"]["X-Service-Request-Id"];
                "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "error": {
                 *         "message": "the request was refused",
                 *         "type": "type",
                 *         "param": "param",
                 *         "code": "code"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["OpenAiError"] | components["schemas"]["AnthropicError"];
            };
        };
        /** @description The credential is valid, but not for this */
        vendors403: {
            headers: {
                "X-Service-Request-Id": components["headers"]["X-Service-Request-Id"];
                "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "error": {
                 *         "message": "the request was refused",
                 *         "type": "type",
                 *         "param": "param",
                 *         "code": "code"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["OpenAiError"] | components["schemas"]["AnthropicError"];
            };
        };
        /** @description Not found, or not yours */
        vendors404: {
            headers: {
                "X-Service-Request-Id": components["headers"]["X-Service-Request-Id"];
                "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "error": {
                 *         "message": "the request was refused",
                 *         "type": "type",
                 *         "param": "param",
                 *         "code": "code"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["OpenAiError"] | components["schemas"]["AnthropicError"];
            };
        };
        /** @description Rate limit exceeded */
        vendors429: {
            headers: {
                "X-Service-Request-Id": components["headers"]["X-Service-Request-Id"];
                "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                "Retry-After": components["headers"]["Retry-After"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "error": {
                 *         "message": "the request was refused",
                 *         "type": "type",
                 *         "param": "param",
                 *         "code": "code"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["OpenAiError"] | components["schemas"]["AnthropicError"];
            };
        };
        /** @description A fault of the service, or an error of a provider */
        vendors500: {
            headers: {
                "X-Service-Request-Id": components["headers"]["X-Service-Request-Id"];
                "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "error": {
                 *         "message": "the request was refused",
                 *         "type": "type",
                 *         "param": "param",
                 *         "code": "code"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["OpenAiError"] | components["schemas"]["AnthropicError"];
            };
        };
        /** @description Overloaded (with Retry-After), timed out, or a part of the service is unavailable */
        vendors503: {
            headers: {
                "X-Service-Request-Id": components["headers"]["X-Service-Request-Id"];
                "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                "Retry-After": components["headers"]["Retry-After"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "error": {
                 *         "message": "the request was refused",
                 *         "type": "type",
                 *         "param": "param",
                 *         "code": "code"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["OpenAiError"] | components["schemas"]["AnthropicError"];
            };
        };
        /** @description The request does not validate */
        images400: {
            headers: {
                "X-Service-Request-Id": components["headers"]["X-Service-Request-Id"];
                "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ImagesError"];
            };
        };
        /** @description Credentials are missing or invalid */
        images401: {
            headers: {
                "X-Service-Request-Id": components["headers"]["X-Service-Request-Id"];
                "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ApiError"];
            };
        };
        /** @description A billing limit refuses the request; `code` names it */
        images402: {
            headers: {
                "X-Service-Request-Id": components["headers"]["X-Service-Request-Id"];
                "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ApiError"];
            };
        };
        /** @description The credential is valid, but not for this */
        images403: {
            headers: {
                "X-Service-Request-Id": components["headers"]["X-Service-Request-Id"];
                "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ApiError"];
            };
        };
        /** @description Not found, or not yours */
        images404: {
            headers: {
                "X-Service-Request-Id": components["headers"]["X-Service-Request-Id"];
                "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ApiError"];
            };
        };
        /** @description The request conflicts with what is there */
        images409: {
            headers: {
                "X-Service-Request-Id": components["headers"]["X-Service-Request-Id"];
                "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ApiError"];
            };
        };
        /** @description The request body is too large */
        images413: {
            headers: {
                "X-Service-Request-Id": components["headers"]["X-Service-Request-Id"];
                "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ApiError"];
            };
        };
        /** @description Rate limit exceeded */
        images429: {
            headers: {
                "X-Service-Request-Id": components["headers"]["X-Service-Request-Id"];
                "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                "Retry-After": components["headers"]["Retry-After"];
                [name: string]: unknown;
            };
            content: {
                /** @example rate limit exceeded */
                "text/plain": string;
            };
        };
        /** @description A fault of the service, or an error of a provider */
        images500: {
            headers: {
                "X-Service-Request-Id": components["headers"]["X-Service-Request-Id"];
                "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ApiError"];
            };
        };
        /** @description Overloaded (with Retry-After), timed out, or a part of the service is unavailable */
        images503: {
            headers: {
                "X-Service-Request-Id": components["headers"]["X-Service-Request-Id"];
                "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                "Retry-After": components["headers"]["Retry-After"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ApiError"];
            };
        };
        /** @description Gone. Codes: `GONE` */
        native410: {
            headers: {
                "X-Service-Request-Id": components["headers"]["X-Service-Request-Id"];
                "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ApiError"];
            };
        };
    };
    parameters: {
        /** @description Same key and same body: same answer, no second effect, at most one charge. Kept for 24 hours. A request with a key is generated to its end, and charged in full, when its client leaves: the repeat gets the answer. */
        IdempotencyKey: string;
        /** @description Whether an exact repeat may be answered from the response cache, at no charge. Default: as the project says. */
        ServiceCache: "0" | "1";
        /** @description With a secret key: acts for this customer of the project, who is charged. */
        ServiceCustomerId: string;
    };
    requestBodies: never;
    headers: {
        /** @description The id of the request, as the client sent it, or a new id */
        "X-Service-Request-Id": string;
        /** @description Requests per minute */
        "RateLimit-Limit": number;
        /** @description Requests that are left now */
        "RateLimit-Remaining": number;
        /** @description Seconds until the whole limit is available again */
        "RateLimit-Reset": number;
        /** @description Seconds after which a repeat may succeed */
        "Retry-After": number;
        /** @description Parameters that the provider lacks and did not receive, by a setting of the project, separated by commas */
        "X-Service-Dropped-Parameters": string;
        /** @description `true` on a repeat that gets the answer of the first request */
        "Idempotent-Replayed": string;
    };
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    createResponse: {
        parameters: {
            query?: never;
            header?: {
                /** @description With a secret key: acts for this customer of the project, who is charged. */
                "X-Service-Customer-Id"?: components["parameters"]["ServiceCustomerId"];
                /** @description Same key and same body: same answer, no second effect, at most one charge. Kept for 24 hours. A request with a key is generated to its end, and charged in full, when its client leaves: the repeat gets the answer. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /** @description Whether an exact repeat may be answered from the response cache, at no charge. Default: as the project says. */
                "X-Service-Cache"?: components["parameters"]["ServiceCache"];
            };
            path?: never;
            cookie?: never;
        };
        /** @description At most 33554432 bytes, 200000 members and elements, and 100000 members of objects. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateResponseRequest"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Service-Request-Id": components["headers"]["X-Service-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ModelResponse"];
                    "application/x-ndjson": components["schemas"]["ResponseEvent"];
                    "text/event-stream": components["schemas"]["ResponseEvent"];
                };
            };
            400: components["responses"]["native400"];
            401: components["responses"]["native401"];
            402: components["responses"]["native402"];
            403: components["responses"]["native403"];
            404: components["responses"]["native404"];
            409: components["responses"]["native409"];
            413: components["responses"]["native413"];
            429: components["responses"]["native429"];
            500: components["responses"]["native500"];
            503: components["responses"]["native503"];
        };
    };
    createProjectResponse: {
        parameters: {
            query?: never;
            header?: {
                /** @description With a secret key: acts for this customer of the project, who is charged. */
                "X-Service-Customer-Id"?: components["parameters"]["ServiceCustomerId"];
                /** @description Same key and same body: same answer, no second effect, at most one charge. Kept for 24 hours. A request with a key is generated to its end, and charged in full, when its client leaves: the repeat gets the answer. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /** @description Whether an exact repeat may be answered from the response cache, at no charge. Default: as the project says. */
                "X-Service-Cache"?: components["parameters"]["ServiceCache"];
            };
            path: {
                /** @description The id of the project */
                id: string;
            };
            cookie?: never;
        };
        /** @description At most 33554432 bytes, 200000 members and elements, and 100000 members of objects. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateResponseRequest"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Service-Request-Id": components["headers"]["X-Service-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ModelResponse"];
                    "application/x-ndjson": components["schemas"]["ResponseEvent"];
                    "text/event-stream": components["schemas"]["ResponseEvent"];
                };
            };
            400: components["responses"]["native400"];
            401: components["responses"]["native401"];
            402: components["responses"]["native402"];
            403: components["responses"]["native403"];
            404: components["responses"]["native404"];
            409: components["responses"]["native409"];
            413: components["responses"]["native413"];
            429: components["responses"]["native429"];
            500: components["responses"]["native500"];
            503: components["responses"]["native503"];
        };
    };
    createChatCompletion: {
        parameters: {
            query?: never;
            header?: {
                /** @description With a secret key: acts for this customer of the project, who is charged. */
                "X-Service-Customer-Id"?: components["parameters"]["ServiceCustomerId"];
                /** @description Same key and same body: same answer, no second effect, at most one charge. Kept for 24 hours. A request with a key is generated to its end, and charged in full, when its client leaves: the repeat gets the answer. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /** @description Whether an exact repeat may be answered from the response cache, at no charge. Default: as the project says. */
                "X-Service-Cache"?: components["parameters"]["ServiceCache"];
            };
            path?: never;
            cookie?: never;
        };
        /** @description At most 33554432 bytes, 200000 members and elements, and 100000 members of objects. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["ChatCompletionRequest"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Service-Request-Id": components["headers"]["X-Service-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    "X-Service-Dropped-Parameters": components["headers"]["X-Service-Dropped-Parameters"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ChatCompletion"];
                    "text/event-stream": components["schemas"]["ChatCompletionEvent"];
                };
            };
            400: components["responses"]["openai400"];
            401: components["responses"]["openai401"];
            402: components["responses"]["openai402"];
            403: components["responses"]["openai403"];
            404: components["responses"]["openai404"];
            409: components["responses"]["openai409"];
            413: components["responses"]["openai413"];
            429: components["responses"]["openai429"];
            500: components["responses"]["openai500"];
            503: components["responses"]["openai503"];
        };
    };
    createCompletion: {
        parameters: {
            query?: never;
            header?: {
                /** @description With a secret key: acts for this customer of the project, who is charged. */
                "X-Service-Customer-Id"?: components["parameters"]["ServiceCustomerId"];
                /** @description Same key and same body: same answer, no second effect, at most one charge. Kept for 24 hours. A request with a key is generated to its end, and charged in full, when its client leaves: the repeat gets the answer. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /** @description Whether an exact repeat may be answered from the response cache, at no charge. Default: as the project says. */
                "X-Service-Cache"?: components["parameters"]["ServiceCache"];
            };
            path?: never;
            cookie?: never;
        };
        /** @description At most 33554432 bytes, 200000 members and elements, and 100000 members of objects. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["CompletionsRequest"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Service-Request-Id": components["headers"]["X-Service-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    "X-Service-Dropped-Parameters": components["headers"]["X-Service-Dropped-Parameters"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Completion"];
                    "text/event-stream": components["schemas"]["CreateCompletionResult"];
                };
            };
            400: components["responses"]["openai400"];
            401: components["responses"]["openai401"];
            402: components["responses"]["openai402"];
            403: components["responses"]["openai403"];
            404: components["responses"]["openai404"];
            409: components["responses"]["openai409"];
            413: components["responses"]["openai413"];
            429: components["responses"]["openai429"];
            500: components["responses"]["openai500"];
            503: components["responses"]["openai503"];
        };
    };
    createOpenAiResponse: {
        parameters: {
            query?: never;
            header?: {
                /** @description With a secret key: acts for this customer of the project, who is charged. */
                "X-Service-Customer-Id"?: components["parameters"]["ServiceCustomerId"];
                /** @description Same key and same body: same answer, no second effect, at most one charge. Kept for 24 hours. A request with a key is generated to its end, and charged in full, when its client leaves: the repeat gets the answer. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /** @description Whether an exact repeat may be answered from the response cache, at no charge. Default: as the project says. */
                "X-Service-Cache"?: components["parameters"]["ServiceCache"];
            };
            path?: never;
            cookie?: never;
        };
        /** @description At most 33554432 bytes, 200000 members and elements, and 100000 members of objects. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["OpenAiResponseRequest"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Service-Request-Id": components["headers"]["X-Service-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OpenAiResponse"];
                    "text/event-stream": components["schemas"]["OpenAiResponseEvent"];
                };
            };
            400: components["responses"]["openai400"];
            401: components["responses"]["openai401"];
            402: components["responses"]["openai402"];
            403: components["responses"]["openai403"];
            404: components["responses"]["openai404"];
            409: components["responses"]["openai409"];
            413: components["responses"]["openai413"];
            429: components["responses"]["openai429"];
            500: components["responses"]["openai500"];
            503: components["responses"]["openai503"];
        };
    };
    createAnthropicMessage: {
        parameters: {
            query?: never;
            header?: {
                /** @description With a secret key: acts for this customer of the project, who is charged. */
                "X-Service-Customer-Id"?: components["parameters"]["ServiceCustomerId"];
                /** @description Same key and same body: same answer, no second effect, at most one charge. Kept for 24 hours. A request with a key is generated to its end, and charged in full, when its client leaves: the repeat gets the answer. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /** @description Whether an exact repeat may be answered from the response cache, at no charge. Default: as the project says. */
                "X-Service-Cache"?: components["parameters"]["ServiceCache"];
            };
            path?: never;
            cookie?: never;
        };
        /** @description At most 33554432 bytes, 200000 members and elements, and 100000 members of objects. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["AnthropicMessageRequest"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Service-Request-Id": components["headers"]["X-Service-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    "X-Service-Dropped-Parameters": components["headers"]["X-Service-Dropped-Parameters"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AnthropicMessage"];
                    "text/event-stream": components["schemas"]["AnthropicMessageEvent"];
                };
            };
            400: components["responses"]["anthropic400"];
            401: components["responses"]["anthropic401"];
            402: components["responses"]["anthropic402"];
            403: components["responses"]["anthropic403"];
            404: components["responses"]["anthropic404"];
            409: components["responses"]["anthropic409"];
            413: components["responses"]["anthropic413"];
            429: components["responses"]["anthropic429"];
            500: components["responses"]["anthropic500"];
            503: components["responses"]["anthropic503"];
        };
    };
    createDecision: {
        parameters: {
            query?: never;
            header?: {
                /** @description With a secret key: acts for this customer of the project, who is charged. */
                "X-Service-Customer-Id"?: components["parameters"]["ServiceCustomerId"];
                /** @description Same key and same body: same answer, no second effect, at most one charge. Kept for 24 hours. A request with a key is generated to its end, and charged in full, when its client leaves: the repeat gets the answer. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /** @description Whether an exact repeat may be answered from the response cache, at no charge. Default: as the project says. */
                "X-Service-Cache"?: components["parameters"]["ServiceCache"];
            };
            path?: never;
            cookie?: never;
        };
        /** @description At most 33554432 bytes, 200000 members and elements, and 100000 members of objects. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateDecisionRequest"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Service-Request-Id": components["headers"]["X-Service-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Decision"];
                };
            };
            400: components["responses"]["openai400"];
            401: components["responses"]["openai401"];
            402: components["responses"]["openai402"];
            403: components["responses"]["openai403"];
            404: components["responses"]["openai404"];
            409: components["responses"]["openai409"];
            413: components["responses"]["openai413"];
            429: components["responses"]["openai429"];
            500: components["responses"]["openai500"];
            503: components["responses"]["openai503"];
        };
    };
    generateGoogleContent: {
        parameters: {
            query?: never;
            header?: {
                /** @description With a secret key: acts for this customer of the project, who is charged. */
                "X-Service-Customer-Id"?: components["parameters"]["ServiceCustomerId"];
                /** @description Same key and same body: same answer, no second effect, at most one charge. Kept for 24 hours. A request with a key is generated to its end, and charged in full, when its client leaves: the repeat gets the answer. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /** @description Whether an exact repeat may be answered from the response cache, at no charge. Default: as the project says. */
                "X-Service-Cache"?: components["parameters"]["ServiceCache"];
            };
            path: {
                /** @description The model of the model */
                model: string;
            };
            cookie?: never;
        };
        /** @description At most 33554432 bytes, 200000 members and elements, and 100000 members of objects. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["GoogleGenerateRequest"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Service-Request-Id": components["headers"]["X-Service-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    "X-Service-Dropped-Parameters": components["headers"]["X-Service-Dropped-Parameters"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GoogleGenerateResult"];
                };
            };
            400: components["responses"]["google400"];
            401: components["responses"]["google401"];
            402: components["responses"]["google402"];
            403: components["responses"]["google403"];
            404: components["responses"]["google404"];
            409: components["responses"]["google409"];
            413: components["responses"]["google413"];
            429: components["responses"]["google429"];
            500: components["responses"]["google500"];
            503: components["responses"]["google503"];
        };
    };
    streamGoogleContent: {
        parameters: {
            query?: {
                alt?: "sse" | "json";
            };
            header?: {
                /** @description With a secret key: acts for this customer of the project, who is charged. */
                "X-Service-Customer-Id"?: components["parameters"]["ServiceCustomerId"];
                /** @description Same key and same body: same answer, no second effect, at most one charge. Kept for 24 hours. A request with a key is generated to its end, and charged in full, when its client leaves: the repeat gets the answer. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /** @description Whether an exact repeat may be answered from the response cache, at no charge. Default: as the project says. */
                "X-Service-Cache"?: components["parameters"]["ServiceCache"];
            };
            path: {
                /** @description The model of the model */
                model: string;
            };
            cookie?: never;
        };
        /** @description At most 33554432 bytes, 200000 members and elements, and 100000 members of objects. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["GoogleGenerateRequest"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Service-Request-Id": components["headers"]["X-Service-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    "X-Service-Dropped-Parameters": components["headers"]["X-Service-Dropped-Parameters"];
                    [name: string]: unknown;
                };
                content: {
                    "text/event-stream": components["schemas"]["GoogleGenerateEvent"];
                    /**
                     * @example [
                     *       {
                     *         "candidates": [
                     *           {
                     *             "content": {
                     *               "role": "role",
                     *               "parts": [
                     *                 {}
                     *               ]
                     *             },
                     *             "finishReason": "finishReason",
                     *             "index": 1
                     *           }
                     *         ],
                     *         "usageMetadata": {
                     *           "promptTokenCount": 0,
                     *           "candidatesTokenCount": 0,
                     *           "totalTokenCount": 0
                     *         },
                     *         "modelVersion": "modelVersion",
                     *         "responseId": "responseId"
                     *       }
                     *     ]
                     */
                    "application/json": components["schemas"]["GoogleGenerateEvent"][];
                };
            };
            400: components["responses"]["google400"];
            401: components["responses"]["google401"];
            402: components["responses"]["google402"];
            403: components["responses"]["google403"];
            404: components["responses"]["google404"];
            409: components["responses"]["google409"];
            413: components["responses"]["google413"];
            429: components["responses"]["google429"];
            500: components["responses"]["google500"];
            503: components["responses"]["google503"];
        };
    };
    register: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description At most 65536 bytes, 200000 members and elements, and 100000 members of objects. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["RegisterRequest"];
            };
        };
        responses: {
            /** @description Success */
            201: {
                headers: {
                    "X-Service-Request-Id": components["headers"]["X-Service-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AuthResult"];
                };
            };
            400: components["responses"]["native400"];
            409: components["responses"]["native409"];
            413: components["responses"]["native413"];
            429: components["responses"]["native429"];
            500: components["responses"]["native500"];
            503: components["responses"]["native503"];
        };
    };
    login: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description At most 65536 bytes, 200000 members and elements, and 100000 members of objects. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["LoginRequest"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Service-Request-Id": components["headers"]["X-Service-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AuthResult"];
                };
            };
            400: components["responses"]["native400"];
            401: components["responses"]["native401"];
            413: components["responses"]["native413"];
            429: components["responses"]["native429"];
            500: components["responses"]["native500"];
            503: components["responses"]["native503"];
        };
    };
    refreshSession: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description At most 65536 bytes, 200000 members and elements, and 100000 members of objects. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["KeepBrowserSessionRequest"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Service-Request-Id": components["headers"]["X-Service-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AuthTokens"];
                };
            };
            400: components["responses"]["native400"];
            401: components["responses"]["native401"];
            413: components["responses"]["native413"];
            429: components["responses"]["native429"];
            500: components["responses"]["native500"];
            503: components["responses"]["native503"];
        };
    };
    logout: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description At most 65536 bytes, 200000 members and elements, and 100000 members of objects. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["KeepBrowserSessionRequest"];
            };
        };
        responses: {
            /** @description Success */
            204: {
                headers: {
                    "X-Service-Request-Id": components["headers"]["X-Service-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["native400"];
            413: components["responses"]["native413"];
            429: components["responses"]["native429"];
            500: components["responses"]["native500"];
            503: components["responses"]["native503"];
        };
    };
    getCurrentUser: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Service-Request-Id": components["headers"]["X-Service-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MeResult"];
                };
            };
            400: components["responses"]["native400"];
            401: components["responses"]["native401"];
            403: components["responses"]["native403"];
            429: components["responses"]["native429"];
            500: components["responses"]["native500"];
            503: components["responses"]["native503"];
        };
    };
    getSignInOptions: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Service-Request-Id": components["headers"]["X-Service-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SignInOptions"];
                };
            };
            400: components["responses"]["native400"];
            429: components["responses"]["native429"];
            500: components["responses"]["native500"];
            503: components["responses"]["native503"];
        };
    };
    keepBrowserSession: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description At most 65536 bytes, 200000 members and elements, and 100000 members of objects. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["KeepBrowserSessionRequest"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Service-Request-Id": components["headers"]["X-Service-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BrowserSession"];
                };
            };
            400: components["responses"]["native400"];
            401: components["responses"]["native401"];
            403: components["responses"]["native403"];
            413: components["responses"]["native413"];
            429: components["responses"]["native429"];
            500: components["responses"]["native500"];
            503: components["responses"]["native503"];
        };
    };
    resumeBrowserSession: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Service-Request-Id": components["headers"]["X-Service-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BrowserSession"];
                };
            };
            400: components["responses"]["native400"];
            401: components["responses"]["native401"];
            403: components["responses"]["native403"];
            413: components["responses"]["native413"];
            429: components["responses"]["native429"];
            500: components["responses"]["native500"];
            503: components["responses"]["native503"];
        };
    };
    endBrowserSession: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            204: {
                headers: {
                    "X-Service-Request-Id": components["headers"]["X-Service-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["native400"];
            403: components["responses"]["native403"];
            413: components["responses"]["native413"];
            429: components["responses"]["native429"];
            500: components["responses"]["native500"];
            503: components["responses"]["native503"];
        };
    };
    signUpInBrowser: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description At most 65536 bytes, 200000 members and elements, and 100000 members of objects. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["SignUpInBrowserRequest"];
            };
        };
        responses: {
            /** @description Success */
            201: {
                headers: {
                    "X-Service-Request-Id": components["headers"]["X-Service-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BrowserSession"];
                };
            };
            400: components["responses"]["native400"];
            403: components["responses"]["native403"];
            409: components["responses"]["native409"];
            413: components["responses"]["native413"];
            429: components["responses"]["native429"];
            500: components["responses"]["native500"];
            503: components["responses"]["native503"];
        };
    };
    startOAuth: {
        parameters: {
            query: {
                provider: "github" | "google";
                return_to?: string;
                handoff_nonce?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Service-Request-Id": components["headers"]["X-Service-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OauthStartResult"];
                };
            };
            400: components["responses"]["native400"];
            413: components["responses"]["native413"];
            429: components["responses"]["native429"];
            500: components["responses"]["native500"];
            503: components["responses"]["native503"];
        };
    };
    authorizeOAuth: {
        parameters: {
            query: {
                provider: "github" | "google";
                return_to?: string;
                handoff_nonce?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description See elsewhere */
            303: {
                headers: {
                    "X-Service-Request-Id": components["headers"]["X-Service-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["native400"];
            429: components["responses"]["native429"];
            500: components["responses"]["native500"];
            503: components["responses"]["native503"];
        };
    };
    completeOAuth: {
        parameters: {
            query: {
                state: string;
                code?: string;
                error?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Service-Request-Id": components["headers"]["X-Service-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AuthResult"];
                    /** @example text */
                    "text/html": string;
                };
            };
            /** @description See elsewhere */
            303: {
                headers: {
                    "X-Service-Request-Id": components["headers"]["X-Service-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["native400"];
            401: components["responses"]["native401"];
            403: components["responses"]["native403"];
            429: components["responses"]["native429"];
            500: components["responses"]["native500"];
            503: components["responses"]["native503"];
        };
    };
    startDevice: {
        parameters: {
            query?: never;
            header?: {
                /** @description With a secret key: acts for this customer of the project, who is charged. */
                "X-Service-Customer-Id"?: components["parameters"]["ServiceCustomerId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            201: {
                headers: {
                    "X-Service-Request-Id": components["headers"]["X-Service-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DeviceStartResult"];
                };
            };
            400: components["responses"]["native400"];
            401: components["responses"]["native401"];
            403: components["responses"]["native403"];
            404: components["responses"]["native404"];
            413: components["responses"]["native413"];
            429: components["responses"]["native429"];
            500: components["responses"]["native500"];
            503: components["responses"]["native503"];
        };
    };
    pollDeviceToken: {
        parameters: {
            query?: never;
            header?: {
                /** @description With a secret key: acts for this customer of the project, who is charged. */
                "X-Service-Customer-Id"?: components["parameters"]["ServiceCustomerId"];
            };
            path?: never;
            cookie?: never;
        };
        /** @description At most 1048576 bytes, 200000 members and elements, and 100000 members of objects. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["DeviceTokenRequest"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Service-Request-Id": components["headers"]["X-Service-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CustomerToken"];
                };
            };
            /** @description The request does not validate. Codes: `VALIDATION_ERROR`, `INVALID_INPUT`, `MODEL_CAPABILITY_UNSUPPORTED`, `TOOL_UNHANDLED`, `TOOL_NOT_MOCKED`, `TOOL_LOOP_LIMIT`, `POINTER_NOT_FOUND`, `AGENT_LIMIT_REACHED` */
            400: {
                headers: {
                    "X-Service-Request-Id": components["headers"]["X-Service-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "layer": "request",
                     *       "cause": "validation",
                     *       "status_code": 400,
                     *       "code": "code",
                     *       "message": "the request was refused",
                     *       "retryable": false,
                     *       "detail": "detail",
                     *       "request_id": "request-id",
                     *       "provider_request_id": "provider-request-id",
                     *       "batch_id": "batch-id",
                     *       "item_id": "item-id",
                     *       "error": "api_error",
                     *       "fields": [
                     *         {
                     *           "field": "field",
                     *           "message": "the request was refused"
                     *         }
                     *       ],
                     *       "issues": [
                     *         {
                     *           "code": "code",
                     *           "path": "path",
                     *           "message": "the request was refused"
                     *         }
                     *       ],
                     *       "failures": [
                     *         {
                     *           "layer": "request",
                     *           "cause": "validation",
                     *           "status_code": 400,
                     *           "code": "code",
                     *           "message": "the request was refused",
                     *           "retryable": false,
                     *           "detail": "detail",
                     *           "request_id": "request-id",
                     *           "provider_request_id": "provider-request-id",
                     *           "batch_id": "batch-id",
                     *           "item_id": "item-id"
                     *         }
                     *       ],
                     *       "usage": {
                     *         "input_tokens": 12,
                     *         "output_tokens": 34,
                     *         "total_tokens": 46,
                     *         "cache_read_input_tokens": 1,
                     *         "cache_write_input_tokens": 1,
                     *         "reasoning_tokens": 1,
                     *         "web_search_requests": 1
                     *       },
                     *       "charged_microcents": 1
                     *     }
                     */
                    "application/json": components["schemas"]["ApiError"] | components["schemas"]["DeviceTokenError"];
                };
            };
            401: components["responses"]["native401"];
            403: components["responses"]["native403"];
            404: components["responses"]["native404"];
            413: components["responses"]["native413"];
            429: components["responses"]["native429"];
            500: components["responses"]["native500"];
            503: components["responses"]["native503"];
        };
    };
    approveDevice: {
        parameters: {
            query?: never;
            header?: {
                /** @description With a secret key: acts for this customer of the project, who is charged. */
                "X-Service-Customer-Id"?: components["parameters"]["ServiceCustomerId"];
            };
            path?: never;
            cookie?: never;
        };
        /** @description At most 1048576 bytes, 200000 members and elements, and 100000 members of objects. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["DeviceApproveRequest"];
            };
        };
        responses: {
            /** @description Success */
            204: {
                headers: {
                    "X-Service-Request-Id": components["headers"]["X-Service-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["native400"];
            401: components["responses"]["native401"];
            403: components["responses"]["native403"];
            404: components["responses"]["native404"];
            413: components["responses"]["native413"];
            429: components["responses"]["native429"];
            500: components["responses"]["native500"];
            503: components["responses"]["native503"];
        };
    };
    showDevicePage: {
        parameters: {
            query?: {
                user_code?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Service-Request-Id": components["headers"]["X-Service-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /** @example text */
                    "text/html": string;
                };
            };
            400: components["responses"]["native400"];
            429: components["responses"]["native429"];
            500: components["responses"]["native500"];
            503: components["responses"]["native503"];
        };
    };
    continueDevice: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description See elsewhere */
            303: {
                headers: {
                    "X-Service-Request-Id": components["headers"]["X-Service-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The request does not validate. Codes: `VALIDATION_ERROR`, `INVALID_INPUT`, `MODEL_CAPABILITY_UNSUPPORTED`, `TOOL_UNHANDLED`, `TOOL_NOT_MOCKED`, `TOOL_LOOP_LIMIT`, `POINTER_NOT_FOUND`, `AGENT_LIMIT_REACHED` */
            400: {
                headers: {
                    "X-Service-Request-Id": components["headers"]["X-Service-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                    /** @example text */
                    "text/html": string;
                };
            };
            /** @description Not found, or not yours. Codes: `NOT_FOUND` */
            404: {
                headers: {
                    "X-Service-Request-Id": components["headers"]["X-Service-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                    /** @example text */
                    "text/html": string;
                };
            };
            413: components["responses"]["native413"];
            429: components["responses"]["native429"];
            500: components["responses"]["native500"];
            503: components["responses"]["native503"];
        };
    };
    mintCustomerToken: {
        parameters: {
            query?: never;
            header?: {
                /** @description With a secret key: acts for this customer of the project, who is charged. */
                "X-Service-Customer-Id"?: components["parameters"]["ServiceCustomerId"];
            };
            path?: never;
            cookie?: never;
        };
        /** @description At most 1048576 bytes, 200000 members and elements, and 100000 members of objects. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["MintCustomerTokenRequest"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Service-Request-Id": components["headers"]["X-Service-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CustomerToken"];
                };
            };
            400: components["responses"]["native400"];
            401: components["responses"]["native401"];
            402: components["responses"]["native402"];
            403: components["responses"]["native403"];
            404: components["responses"]["native404"];
            409: components["responses"]["native409"];
            413: components["responses"]["native413"];
            429: components["responses"]["native429"];
            500: components["responses"]["native500"];
            503: components["responses"]["native503"];
        };
    };
    requestPasswordReset: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description At most 65536 bytes, 200000 members and elements, and 100000 members of objects. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["RequestPasswordResetRequest"];
            };
        };
        responses: {
            /** @description Success */
            204: {
                headers: {
                    "X-Service-Request-Id": components["headers"]["X-Service-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["native400"];
            404: components["responses"]["native404"];
            413: components["responses"]["native413"];
            429: components["responses"]["native429"];
            500: components["responses"]["native500"];
            503: components["responses"]["native503"];
        };
    };
    completePasswordReset: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description At most 65536 bytes, 200000 members and elements, and 100000 members of objects. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["CompletePasswordResetRequest"];
            };
        };
        responses: {
            /** @description Success */
            204: {
                headers: {
                    "X-Service-Request-Id": components["headers"]["X-Service-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["native400"];
            404: components["responses"]["native404"];
            413: components["responses"]["native413"];
            429: components["responses"]["native429"];
            500: components["responses"]["native500"];
            503: components["responses"]["native503"];
        };
    };
    devLogin: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Service-Request-Id": components["headers"]["X-Service-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AuthResult"];
                };
            };
            400: components["responses"]["native400"];
            404: components["responses"]["native404"];
            413: components["responses"]["native413"];
            429: components["responses"]["native429"];
            500: components["responses"]["native500"];
            503: components["responses"]["native503"];
        };
    };
    listSigningKeys: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Service-Request-Id": components["headers"]["X-Service-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListSigningKeysResult"];
                };
            };
            400: components["responses"]["native400"];
            429: components["responses"]["native429"];
            500: components["responses"]["native500"];
            503: components["responses"]["native503"];
        };
    };
    listApiKeys: {
        parameters: {
            query?: {
                /** @description At most this many entries */
                limit?: number;
                /** @description Skips this many entries; `next_cursor` of a page is the offset of the next one */
                offset?: number;
                project_id?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Service-Request-Id": components["headers"]["X-Service-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListApiKeysResult"];
                };
            };
            400: components["responses"]["native400"];
            401: components["responses"]["native401"];
            403: components["responses"]["native403"];
            429: components["responses"]["native429"];
            500: components["responses"]["native500"];
            503: components["responses"]["native503"];
        };
    };
    createApiKey: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description At most 1048576 bytes, 200000 members and elements, and 100000 members of objects. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateApiKeyRequest"];
            };
        };
        responses: {
            /** @description Success */
            201: {
                headers: {
                    "X-Service-Request-Id": components["headers"]["X-Service-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiKeyResult"];
                };
            };
            400: components["responses"]["native400"];
            401: components["responses"]["native401"];
            403: components["responses"]["native403"];
            404: components["responses"]["native404"];
            413: components["responses"]["native413"];
            429: components["responses"]["native429"];
            500: components["responses"]["native500"];
            503: components["responses"]["native503"];
        };
    };
    deleteApiKey: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the api key */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            204: {
                headers: {
                    "X-Service-Request-Id": components["headers"]["X-Service-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["native400"];
            401: components["responses"]["native401"];
            403: components["responses"]["native403"];
            404: components["responses"]["native404"];
            413: components["responses"]["native413"];
            429: components["responses"]["native429"];
            500: components["responses"]["native500"];
            503: components["responses"]["native503"];
        };
    };
    updateApiKey: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the api key */
                id: string;
            };
            cookie?: never;
        };
        /** @description At most 1048576 bytes, 200000 members and elements, and 100000 members of objects. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["UpdateApiKeyRequest"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Service-Request-Id": components["headers"]["X-Service-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiKeyResult"];
                };
            };
            400: components["responses"]["native400"];
            401: components["responses"]["native401"];
            403: components["responses"]["native403"];
            404: components["responses"]["native404"];
            413: components["responses"]["native413"];
            429: components["responses"]["native429"];
            500: components["responses"]["native500"];
            503: components["responses"]["native503"];
        };
    };
    createApiKeyRotate: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the api key */
                id: string;
            };
            cookie?: never;
        };
        /** @description At most 1048576 bytes, 200000 members and elements, and 100000 members of objects. */
        requestBody?: {
            content: {
                "application/json": components["schemas"]["RotateApiKeyRequest"];
            };
        };
        responses: {
            /** @description Success */
            201: {
                headers: {
                    "X-Service-Request-Id": components["headers"]["X-Service-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiKeyResult"];
                };
            };
            400: components["responses"]["native400"];
            401: components["responses"]["native401"];
            403: components["responses"]["native403"];
            404: components["responses"]["native404"];
            409: components["responses"]["native409"];
            413: components["responses"]["native413"];
            429: components["responses"]["native429"];
            500: components["responses"]["native500"];
            503: components["responses"]["native503"];
        };
    };
    listProjectApiKeys: {
        parameters: {
            query?: {
                /** @description At most this many entries */
                limit?: number;
                /** @description Skips this many entries; `next_cursor` of a page is the offset of the next one */
                offset?: number;
            };
            header?: never;
            path: {
                /** @description The id of the project */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Service-Request-Id": components["headers"]["X-Service-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListApiKeysResult"];
                };
            };
            400: components["responses"]["native400"];
            401: components["responses"]["native401"];
            403: components["responses"]["native403"];
            404: components["responses"]["native404"];
            429: components["responses"]["native429"];
            500: components["responses"]["native500"];
            503: components["responses"]["native503"];
        };
    };
    createProjectApiKey: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the project */
                id: string;
            };
            cookie?: never;
        };
        /** @description At most 1048576 bytes, 200000 members and elements, and 100000 members of objects. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateApiKeyRequest"];
            };
        };
        responses: {
            /** @description Success */
            201: {
                headers: {
                    "X-Service-Request-Id": components["headers"]["X-Service-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiKeyResult"];
                };
            };
            400: components["responses"]["native400"];
            401: components["responses"]["native401"];
            403: components["responses"]["native403"];
            404: components["responses"]["native404"];
            413: components["responses"]["native413"];
            429: components["responses"]["native429"];
            500: components["responses"]["native500"];
            503: components["responses"]["native503"];
        };
    };
    deleteProjectApiKey: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the project */
                id: string;
                /** @description The id of the api key */
                key_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            204: {
                headers: {
                    "X-Service-Request-Id": components["headers"]["X-Service-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["native400"];
            401: components["responses"]["native401"];
            403: components["responses"]["native403"];
            404: components["responses"]["native404"];
            413: components["responses"]["native413"];
            429: components["responses"]["native429"];
            500: components["responses"]["native500"];
            503: components["responses"]["native503"];
        };
    };
    updateProjectApiKey: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the project */
                id: string;
                /** @description The id of the api key */
                key_id: string;
            };
            cookie?: never;
        };
        /** @description At most 1048576 bytes, 200000 members and elements, and 100000 members of objects. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["UpdateApiKeyRequest"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Service-Request-Id": components["headers"]["X-Service-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiKeyResult"];
                };
            };
            400: components["responses"]["native400"];
            401: components["responses"]["native401"];
            403: components["responses"]["native403"];
            404: components["responses"]["native404"];
            413: components["responses"]["native413"];
            429: components["responses"]["native429"];
            500: components["responses"]["native500"];
            503: components["responses"]["native503"];
        };
    };
    createProjectApiKeyRotate: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the project */
                id: string;
                /** @description The id of the api key */
                key_id: string;
            };
            cookie?: never;
        };
        /** @description At most 1048576 bytes, 200000 members and elements, and 100000 members of objects. */
        requestBody?: {
            content: {
                "application/json": components["schemas"]["RotateApiKeyRequest"];
            };
        };
        responses: {
            /** @description Success */
            201: {
                headers: {
                    "X-Service-Request-Id": components["headers"]["X-Service-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiKeyResult"];
                };
            };
            400: components["responses"]["native400"];
            401: components["responses"]["native401"];
            403: components["responses"]["native403"];
            404: components["responses"]["native404"];
            409: components["responses"]["native409"];
            413: components["responses"]["native413"];
            429: components["responses"]["native429"];
            500: components["responses"]["native500"];
            503: components["responses"]["native503"];
        };
    };
    listProjects: {
        parameters: {
            query?: {
                /** @description At most this many entries */
                limit?: number;
                /** @description Skips this many entries; `next_cursor` of a page is the offset of the next one */
                offset?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Service-Request-Id": components["headers"]["X-Service-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListProjectsResult"];
                };
            };
            400: components["responses"]["native400"];
            401: components["responses"]["native401"];
            403: components["responses"]["native403"];
            429: components["responses"]["native429"];
            500: components["responses"]["native500"];
            503: components["responses"]["native503"];
        };
    };
    createProject: {
        parameters: {
            query?: never;
            header?: {
                /** @description Same key and same body: same answer, no second effect, at most one charge. Kept for 24 hours. A request with a key is generated to its end, and charged in full, when its client leaves: the repeat gets the answer. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        /** @description At most 1048576 bytes, 200000 members and elements, and 100000 members of objects. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateProjectRequest"];
            };
        };
        responses: {
            /** @description Success */
            201: {
                headers: {
                    "X-Service-Request-Id": components["headers"]["X-Service-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ProjectResult"];
                };
            };
            400: components["responses"]["native400"];
            401: components["responses"]["native401"];
            403: components["responses"]["native403"];
            409: components["responses"]["native409"];
            413: components["responses"]["native413"];
            429: components["responses"]["native429"];
            500: components["responses"]["native500"];
            503: components["responses"]["native503"];
        };
    };
    getProject: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the project */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Service-Request-Id": components["headers"]["X-Service-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ProjectResult"];
                };
            };
            400: components["responses"]["native400"];
            401: components["responses"]["native401"];
            403: components["responses"]["native403"];
            404: components["responses"]["native404"];
            429: components["responses"]["native429"];
            500: components["responses"]["native500"];
            503: components["responses"]["native503"];
        };
    };
    updateProject: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the project */
                id: string;
            };
            cookie?: never;
        };
        /** @description At most 1048576 bytes, 200000 members and elements, and 100000 members of objects. */
        requestBody?: {
            content: {
                "application/json": components["schemas"]["UpdateProjectRequest"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Service-Request-Id": components["headers"]["X-Service-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ProjectResult"];
                };
            };
            400: components["responses"]["native400"];
            401: components["responses"]["native401"];
            403: components["responses"]["native403"];
            404: components["responses"]["native404"];
            413: components["responses"]["native413"];
            429: components["responses"]["native429"];
            500: components["responses"]["native500"];
            503: components["responses"]["native503"];
        };
    };
    deleteProject: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the project */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            204: {
                headers: {
                    "X-Service-Request-Id": components["headers"]["X-Service-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["native400"];
            401: components["responses"]["native401"];
            403: components["responses"]["native403"];
            404: components["responses"]["native404"];
            409: components["responses"]["native409"];
            413: components["responses"]["native413"];
            429: components["responses"]["native429"];
            500: components["responses"]["native500"];
            503: components["responses"]["native503"];
        };
    };
    listMembers: {
        parameters: {
            query?: {
                /** @description At most this many entries */
                limit?: number;
                cursor?: string;
            };
            header?: never;
            path: {
                /** @description The id of the project */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Service-Request-Id": components["headers"]["X-Service-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MemberListResult"];
                };
            };
            400: components["responses"]["native400"];
            401: components["responses"]["native401"];
            403: components["responses"]["native403"];
            404: components["responses"]["native404"];
            429: components["responses"]["native429"];
            500: components["responses"]["native500"];
            503: components["responses"]["native503"];
        };
    };
    removeMember: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the project */
                id: string;
                /** @description The id of the member */
                user_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            204: {
                headers: {
                    "X-Service-Request-Id": components["headers"]["X-Service-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["native400"];
            401: components["responses"]["native401"];
            403: components["responses"]["native403"];
            404: components["responses"]["native404"];
            409: components["responses"]["native409"];
            413: components["responses"]["native413"];
            429: components["responses"]["native429"];
            500: components["responses"]["native500"];
            503: components["responses"]["native503"];
        };
    };
    updateMember: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the project */
                id: string;
                /** @description The id of the member */
                user_id: string;
            };
            cookie?: never;
        };
        /** @description At most 1048576 bytes, 200000 members and elements, and 100000 members of objects. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["UpdateMemberRequest"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Service-Request-Id": components["headers"]["X-Service-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MemberResult"];
                };
            };
            400: components["responses"]["native400"];
            401: components["responses"]["native401"];
            403: components["responses"]["native403"];
            404: components["responses"]["native404"];
            409: components["responses"]["native409"];
            413: components["responses"]["native413"];
            429: components["responses"]["native429"];
            500: components["responses"]["native500"];
            503: components["responses"]["native503"];
        };
    };
    leaveProject: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the project */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            204: {
                headers: {
                    "X-Service-Request-Id": components["headers"]["X-Service-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["native400"];
            401: components["responses"]["native401"];
            403: components["responses"]["native403"];
            404: components["responses"]["native404"];
            409: components["responses"]["native409"];
            413: components["responses"]["native413"];
            429: components["responses"]["native429"];
            500: components["responses"]["native500"];
            503: components["responses"]["native503"];
        };
    };
    listInvitations: {
        parameters: {
            query?: {
                /** @description At most this many entries */
                limit?: number;
                cursor?: string;
            };
            header?: never;
            path: {
                /** @description The id of the project */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Service-Request-Id": components["headers"]["X-Service-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InvitationListResult"];
                };
            };
            400: components["responses"]["native400"];
            401: components["responses"]["native401"];
            403: components["responses"]["native403"];
            404: components["responses"]["native404"];
            429: components["responses"]["native429"];
            500: components["responses"]["native500"];
            503: components["responses"]["native503"];
        };
    };
    createInvitation: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the project */
                id: string;
            };
            cookie?: never;
        };
        /** @description At most 1048576 bytes, 200000 members and elements, and 100000 members of objects. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateInvitationRequest"];
            };
        };
        responses: {
            /** @description Success */
            201: {
                headers: {
                    "X-Service-Request-Id": components["headers"]["X-Service-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InvitationResult"];
                };
            };
            400: components["responses"]["native400"];
            401: components["responses"]["native401"];
            403: components["responses"]["native403"];
            404: components["responses"]["native404"];
            409: components["responses"]["native409"];
            413: components["responses"]["native413"];
            429: components["responses"]["native429"];
            500: components["responses"]["native500"];
            503: components["responses"]["native503"];
        };
    };
    resendInvitation: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the project */
                id: string;
                /** @description The id of the invitation */
                invitation_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Service-Request-Id": components["headers"]["X-Service-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InvitationResult"];
                };
            };
            400: components["responses"]["native400"];
            401: components["responses"]["native401"];
            403: components["responses"]["native403"];
            404: components["responses"]["native404"];
            413: components["responses"]["native413"];
            429: components["responses"]["native429"];
            500: components["responses"]["native500"];
            503: components["responses"]["native503"];
        };
    };
    revokeInvitation: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the project */
                id: string;
                /** @description The id of the invitation */
                invitation_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            204: {
                headers: {
                    "X-Service-Request-Id": components["headers"]["X-Service-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["native400"];
            401: components["responses"]["native401"];
            403: components["responses"]["native403"];
            404: components["responses"]["native404"];
            413: components["responses"]["native413"];
            429: components["responses"]["native429"];
            500: components["responses"]["native500"];
            503: components["responses"]["native503"];
        };
    };
    previewInvitation: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description At most 65536 bytes, 200000 members and elements, and 100000 members of objects. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["InvitationCodeRequest"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Service-Request-Id": components["headers"]["X-Service-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InvitationPreviewResult"];
                };
            };
            400: components["responses"]["native400"];
            404: components["responses"]["native404"];
            413: components["responses"]["native413"];
            429: components["responses"]["native429"];
            500: components["responses"]["native500"];
            503: components["responses"]["native503"];
        };
    };
    acceptInvitation: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description At most 1048576 bytes, 200000 members and elements, and 100000 members of objects. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["InvitationCodeRequest"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Service-Request-Id": components["headers"]["X-Service-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AcceptInvitationResult"];
                };
            };
            400: components["responses"]["native400"];
            401: components["responses"]["native401"];
            403: components["responses"]["native403"];
            404: components["responses"]["native404"];
            409: components["responses"]["native409"];
            413: components["responses"]["native413"];
            429: components["responses"]["native429"];
            500: components["responses"]["native500"];
            503: components["responses"]["native503"];
        };
    };
    getAccountBalance: {
        parameters: {
            query?: never;
            header?: {
                /** @description With a secret key: acts for this customer of the project, who is charged. */
                "X-Service-Customer-Id"?: components["parameters"]["ServiceCustomerId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Service-Request-Id": components["headers"]["X-Service-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AccountBalance"];
                };
            };
            400: components["responses"]["native400"];
            401: components["responses"]["native401"];
            403: components["responses"]["native403"];
            404: components["responses"]["native404"];
            429: components["responses"]["native429"];
            500: components["responses"]["native500"];
            503: components["responses"]["native503"];
        };
    };
    getAccountUsage: {
        parameters: {
            query?: {
                from?: string;
                to?: string;
                group_by?: "day" | "model" | "customer" | "key";
                /** @description At most this many entries */
                limit?: number;
                /** @description Skips this many entries; `next_cursor` of a page is the offset of the next one */
                offset?: number;
            };
            header?: {
                /** @description With a secret key: acts for this customer of the project, who is charged. */
                "X-Service-Customer-Id"?: components["parameters"]["ServiceCustomerId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Service-Request-Id": components["headers"]["X-Service-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AccountUsage"];
                };
            };
            400: components["responses"]["native400"];
            401: components["responses"]["native401"];
            403: components["responses"]["native403"];
            404: components["responses"]["native404"];
            429: components["responses"]["native429"];
            500: components["responses"]["native500"];
            503: components["responses"]["native503"];
        };
    };
    listAuditLog: {
        parameters: {
            query?: {
                /** @description At most this many entries */
                limit?: number;
                /** @description Skips this many entries; `next_cursor` of a page is the offset of the next one */
                offset?: number;
                action?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Service-Request-Id": components["headers"]["X-Service-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AuditLogResult"];
                };
            };
            400: components["responses"]["native400"];
            401: components["responses"]["native401"];
            403: components["responses"]["native403"];
            429: components["responses"]["native429"];
            500: components["responses"]["native500"];
            503: components["responses"]["native503"];
        };
    };
    verifyLedger: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Service-Request-Id": components["headers"]["X-Service-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LedgerVerify"];
                };
            };
            400: components["responses"]["native400"];
            401: components["responses"]["native401"];
            403: components["responses"]["native403"];
            429: components["responses"]["native429"];
            500: components["responses"]["native500"];
            503: components["responses"]["native503"];
        };
    };
    listCustomers: {
        parameters: {
            query?: {
                /** @description At most this many entries */
                limit?: number;
                /** @description Skips this many entries; `next_cursor` of a page is the offset of the next one */
                offset?: number;
                /** @description beginning of the email or external id, in any case */
                q?: string;
                /** @description in any case */
                email?: string;
                external_id?: string;
                tier_code?: string;
                /** @description of the subscription */
                status?: "active" | "trialing" | "past_due" | "canceled" | "unpaid" | "incomplete" | "incomplete_expired" | "paused" | "none";
                sort?: "created_at" | "-created_at";
                cursor?: string;
                /** @description counts all matches, up to 100,000 */
                total?: "0" | "1" | "true" | "false";
            };
            header?: {
                /** @description With a secret key: acts for this customer of the project, who is charged. */
                "X-Service-Customer-Id"?: components["parameters"]["ServiceCustomerId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Service-Request-Id": components["headers"]["X-Service-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CustomerList"];
                };
            };
            400: components["responses"]["native400"];
            401: components["responses"]["native401"];
            403: components["responses"]["native403"];
            404: components["responses"]["native404"];
            429: components["responses"]["native429"];
            500: components["responses"]["native500"];
            503: components["responses"]["native503"];
        };
    };
    upsertCustomer: {
        parameters: {
            query?: never;
            header?: {
                /** @description With a secret key: acts for this customer of the project, who is charged. */
                "X-Service-Customer-Id"?: components["parameters"]["ServiceCustomerId"];
            };
            path?: never;
            cookie?: never;
        };
        /** @description At most 1048576 bytes, 200000 members and elements, and 100000 members of objects. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateCustomerRequest"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Service-Request-Id": components["headers"]["X-Service-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CustomerEnvelope"];
                };
            };
            /** @description Success */
            201: {
                headers: {
                    "X-Service-Request-Id": components["headers"]["X-Service-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CustomerEnvelope"];
                };
            };
            400: components["responses"]["native400"];
            401: components["responses"]["native401"];
            403: components["responses"]["native403"];
            404: components["responses"]["native404"];
            409: components["responses"]["native409"];
            413: components["responses"]["native413"];
            429: components["responses"]["native429"];
            500: components["responses"]["native500"];
            503: components["responses"]["native503"];
        };
    };
    createCustomer: {
        parameters: {
            query?: never;
            header?: {
                /** @description With a secret key: acts for this customer of the project, who is charged. */
                "X-Service-Customer-Id"?: components["parameters"]["ServiceCustomerId"];
                /** @description Same key and same body: same answer, no second effect, at most one charge. Kept for 24 hours. A request with a key is generated to its end, and charged in full, when its client leaves: the repeat gets the answer. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        /** @description At most 1048576 bytes, 200000 members and elements, and 100000 members of objects. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateCustomerRequest"];
            };
        };
        responses: {
            /** @description Success */
            201: {
                headers: {
                    "X-Service-Request-Id": components["headers"]["X-Service-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CustomerEnvelope"];
                };
            };
            400: components["responses"]["native400"];
            401: components["responses"]["native401"];
            403: components["responses"]["native403"];
            404: components["responses"]["native404"];
            409: components["responses"]["native409"];
            413: components["responses"]["native413"];
            429: components["responses"]["native429"];
            500: components["responses"]["native500"];
            503: components["responses"]["native503"];
        };
    };
    claimCustomer: {
        parameters: {
            query?: never;
            header?: {
                /** @description With a secret key: acts for this customer of the project, who is charged. */
                "X-Service-Customer-Id"?: components["parameters"]["ServiceCustomerId"];
            };
            path?: never;
            cookie?: never;
        };
        /** @description At most 1048576 bytes, 200000 members and elements, and 100000 members of objects. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["ClaimCustomerRequest"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Service-Request-Id": components["headers"]["X-Service-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CustomerEnvelope"];
                };
            };
            400: components["responses"]["native400"];
            401: components["responses"]["native401"];
            403: components["responses"]["native403"];
            404: components["responses"]["native404"];
            409: components["responses"]["native409"];
            413: components["responses"]["native413"];
            429: components["responses"]["native429"];
            500: components["responses"]["native500"];
            503: components["responses"]["native503"];
        };
    };
    getCustomerByExternalId: {
        parameters: {
            query?: never;
            header?: {
                /** @description With a secret key: acts for this customer of the project, who is charged. */
                "X-Service-Customer-Id"?: components["parameters"]["ServiceCustomerId"];
            };
            path: {
                /** @description The id of the by external id */
                external_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Service-Request-Id": components["headers"]["X-Service-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CustomerEnvelope"];
                };
            };
            400: components["responses"]["native400"];
            401: components["responses"]["native401"];
            403: components["responses"]["native403"];
            404: components["responses"]["native404"];
            429: components["responses"]["native429"];
            500: components["responses"]["native500"];
            503: components["responses"]["native503"];
        };
    };
    getCustomer: {
        parameters: {
            query?: never;
            header?: {
                /** @description With a secret key: acts for this customer of the project, who is charged. */
                "X-Service-Customer-Id"?: components["parameters"]["ServiceCustomerId"];
            };
            path: {
                /** @description The id of the customer */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Service-Request-Id": components["headers"]["X-Service-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CustomerEnvelope"];
                };
            };
            400: components["responses"]["native400"];
            401: components["responses"]["native401"];
            403: components["responses"]["native403"];
            404: components["responses"]["native404"];
            429: components["responses"]["native429"];
            500: components["responses"]["native500"];
            503: components["responses"]["native503"];
        };
    };
    deleteCustomer: {
        parameters: {
            query?: {
                cancel_subscription?: "0" | "1" | "true" | "false";
            };
            header?: {
                /** @description With a secret key: acts for this customer of the project, who is charged. */
                "X-Service-Customer-Id"?: components["parameters"]["ServiceCustomerId"];
            };
            path: {
                /** @description The id of the customer */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            204: {
                headers: {
                    "X-Service-Request-Id": components["headers"]["X-Service-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["native400"];
            401: components["responses"]["native401"];
            403: components["responses"]["native403"];
            404: components["responses"]["native404"];
            413: components["responses"]["native413"];
            429: components["responses"]["native429"];
            500: components["responses"]["native500"];
            503: components["responses"]["native503"];
        };
    };
    updateCustomer: {
        parameters: {
            query?: never;
            header?: {
                /** @description With a secret key: acts for this customer of the project, who is charged. */
                "X-Service-Customer-Id"?: components["parameters"]["ServiceCustomerId"];
            };
            path: {
                /** @description The id of the customer */
                id: string;
            };
            cookie?: never;
        };
        /** @description At most 1048576 bytes, 200000 members and elements, and 100000 members of objects. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["CustomerChange"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Service-Request-Id": components["headers"]["X-Service-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CustomerEnvelope"];
                };
            };
            400: components["responses"]["native400"];
            401: components["responses"]["native401"];
            403: components["responses"]["native403"];
            404: components["responses"]["native404"];
            413: components["responses"]["native413"];
            429: components["responses"]["native429"];
            500: components["responses"]["native500"];
            503: components["responses"]["native503"];
        };
    };
    blockCustomer: {
        parameters: {
            query?: never;
            header?: {
                /** @description With a secret key: acts for this customer of the project, who is charged. */
                "X-Service-Customer-Id"?: components["parameters"]["ServiceCustomerId"];
            };
            path: {
                /** @description The id of the customer */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Service-Request-Id": components["headers"]["X-Service-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CustomerEnvelope"];
                };
            };
            400: components["responses"]["native400"];
            401: components["responses"]["native401"];
            403: components["responses"]["native403"];
            404: components["responses"]["native404"];
            413: components["responses"]["native413"];
            429: components["responses"]["native429"];
            500: components["responses"]["native500"];
            503: components["responses"]["native503"];
        };
    };
    unblockCustomer: {
        parameters: {
            query?: never;
            header?: {
                /** @description With a secret key: acts for this customer of the project, who is charged. */
                "X-Service-Customer-Id"?: components["parameters"]["ServiceCustomerId"];
            };
            path: {
                /** @description The id of the customer */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Service-Request-Id": components["headers"]["X-Service-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CustomerEnvelope"];
                };
            };
            400: components["responses"]["native400"];
            401: components["responses"]["native401"];
            403: components["responses"]["native403"];
            404: components["responses"]["native404"];
            413: components["responses"]["native413"];
            429: components["responses"]["native429"];
            500: components["responses"]["native500"];
            503: components["responses"]["native503"];
        };
    };
    getCustomerSubscription: {
        parameters: {
            query?: never;
            header?: {
                /** @description With a secret key: acts for this customer of the project, who is charged. */
                "X-Service-Customer-Id"?: components["parameters"]["ServiceCustomerId"];
            };
            path: {
                /** @description The id of the customer */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Service-Request-Id": components["headers"]["X-Service-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GetCustomerSubscriptionResult"];
                };
            };
            400: components["responses"]["native400"];
            401: components["responses"]["native401"];
            403: components["responses"]["native403"];
            404: components["responses"]["native404"];
            429: components["responses"]["native429"];
            500: components["responses"]["native500"];
            503: components["responses"]["native503"];
        };
    };
    setCustomerSubscription: {
        parameters: {
            query?: never;
            header?: {
                /** @description With a secret key: acts for this customer of the project, who is charged. */
                "X-Service-Customer-Id"?: components["parameters"]["ServiceCustomerId"];
            };
            path: {
                /** @description The id of the customer */
                id: string;
            };
            cookie?: never;
        };
        /** @description At most 1048576 bytes, 200000 members and elements, and 100000 members of objects. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["SetSubscriptionRequest"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Service-Request-Id": components["headers"]["X-Service-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SetCustomerSubscriptionResult"];
                };
            };
            400: components["responses"]["native400"];
            401: components["responses"]["native401"];
            403: components["responses"]["native403"];
            404: components["responses"]["native404"];
            409: components["responses"]["native409"];
            413: components["responses"]["native413"];
            429: components["responses"]["native429"];
            500: components["responses"]["native500"];
            503: components["responses"]["native503"];
        };
    };
    cancelCustomerSubscription: {
        parameters: {
            query?: never;
            header?: {
                /** @description With a secret key: acts for this customer of the project, who is charged. */
                "X-Service-Customer-Id"?: components["parameters"]["ServiceCustomerId"];
            };
            path: {
                /** @description The id of the customer */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            204: {
                headers: {
                    "X-Service-Request-Id": components["headers"]["X-Service-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["native400"];
            401: components["responses"]["native401"];
            403: components["responses"]["native403"];
            404: components["responses"]["native404"];
            409: components["responses"]["native409"];
            413: components["responses"]["native413"];
            429: components["responses"]["native429"];
            500: components["responses"]["native500"];
            503: components["responses"]["native503"];
        };
    };
    getCustomerBalance: {
        parameters: {
            query?: never;
            header?: {
                /** @description With a secret key: acts for this customer of the project, who is charged. */
                "X-Service-Customer-Id"?: components["parameters"]["ServiceCustomerId"];
            };
            path: {
                /** @description The id of the customer */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Service-Request-Id": components["headers"]["X-Service-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CustomerBalance"];
                };
            };
            400: components["responses"]["native400"];
            401: components["responses"]["native401"];
            403: components["responses"]["native403"];
            404: components["responses"]["native404"];
            429: components["responses"]["native429"];
            500: components["responses"]["native500"];
            503: components["responses"]["native503"];
        };
    };
    listCustomerBalanceHistory: {
        parameters: {
            query?: {
                /** @description At most this many entries */
                limit?: number;
                /** @description Skips this many entries; `next_cursor` of a page is the offset of the next one */
                offset?: number;
            };
            header?: {
                /** @description With a secret key: acts for this customer of the project, who is charged. */
                "X-Service-Customer-Id"?: components["parameters"]["ServiceCustomerId"];
            };
            path: {
                /** @description The id of the customer */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Service-Request-Id": components["headers"]["X-Service-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BalanceHistory"];
                };
            };
            400: components["responses"]["native400"];
            401: components["responses"]["native401"];
            403: components["responses"]["native403"];
            404: components["responses"]["native404"];
            429: components["responses"]["native429"];
            500: components["responses"]["native500"];
            503: components["responses"]["native503"];
        };
    };
    createCustomerCredit: {
        parameters: {
            query?: never;
            header?: {
                /** @description With a secret key: acts for this customer of the project, who is charged. */
                "X-Service-Customer-Id"?: components["parameters"]["ServiceCustomerId"];
                /** @description Same key and same body: same answer, no second effect, at most one charge. Kept for 24 hours. A request with a key is generated to its end, and charged in full, when its client leaves: the repeat gets the answer. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description The id of the customer */
                id: string;
            };
            cookie?: never;
        };
        /** @description At most 1048576 bytes, 200000 members and elements, and 100000 members of objects. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["CustomerCreditInput"];
            };
        };
        responses: {
            /** @description Success */
            201: {
                headers: {
                    "X-Service-Request-Id": components["headers"]["X-Service-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CustomerCredit"];
                };
            };
            400: components["responses"]["native400"];
            401: components["responses"]["native401"];
            403: components["responses"]["native403"];
            404: components["responses"]["native404"];
            409: components["responses"]["native409"];
            413: components["responses"]["native413"];
            429: components["responses"]["native429"];
            500: components["responses"]["native500"];
            503: components["responses"]["native503"];
        };
    };
    withdrawCustomerCredit: {
        parameters: {
            query?: never;
            header?: {
                /** @description With a secret key: acts for this customer of the project, who is charged. */
                "X-Service-Customer-Id"?: components["parameters"]["ServiceCustomerId"];
                /** @description Same key and same body: same answer, no second effect, at most one charge. Kept for 24 hours. A request with a key is generated to its end, and charged in full, when its client leaves: the repeat gets the answer. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description The id of the customer */
                id: string;
            };
            cookie?: never;
        };
        /** @description At most 1048576 bytes, 200000 members and elements, and 100000 members of objects. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["WithdrawCreditRequest"];
            };
        };
        responses: {
            /** @description Success */
            201: {
                headers: {
                    "X-Service-Request-Id": components["headers"]["X-Service-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CreditWithdrawal"];
                };
            };
            400: components["responses"]["native400"];
            401: components["responses"]["native401"];
            403: components["responses"]["native403"];
            404: components["responses"]["native404"];
            409: components["responses"]["native409"];
            413: components["responses"]["native413"];
            429: components["responses"]["native429"];
            500: components["responses"]["native500"];
            503: components["responses"]["native503"];
        };
    };
    listProjectCustomers: {
        parameters: {
            query?: {
                /** @description At most this many entries */
                limit?: number;
                /** @description Skips this many entries; `next_cursor` of a page is the offset of the next one */
                offset?: number;
                /** @description beginning of the email or external id, in any case */
                q?: string;
                /** @description in any case */
                email?: string;
                external_id?: string;
                tier_code?: string;
                /** @description of the subscription */
                status?: "active" | "trialing" | "past_due" | "canceled" | "unpaid" | "incomplete" | "incomplete_expired" | "paused" | "none";
                sort?: "created_at" | "-created_at";
                cursor?: string;
                /** @description counts all matches, up to 100,000 */
                total?: "0" | "1" | "true" | "false";
            };
            header?: never;
            path: {
                /** @description The id of the project */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Service-Request-Id": components["headers"]["X-Service-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CustomerList"];
                };
            };
            400: components["responses"]["native400"];
            401: components["responses"]["native401"];
            403: components["responses"]["native403"];
            404: components["responses"]["native404"];
            429: components["responses"]["native429"];
            500: components["responses"]["native500"];
            503: components["responses"]["native503"];
        };
    };
    upsertProjectCustomer: {
        parameters: {
            query?: never;
            header?: {
                /** @description With a secret key: acts for this customer of the project, who is charged. */
                "X-Service-Customer-Id"?: components["parameters"]["ServiceCustomerId"];
            };
            path: {
                /** @description The id of the project */
                id: string;
            };
            cookie?: never;
        };
        /** @description At most 1048576 bytes, 200000 members and elements, and 100000 members of objects. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateCustomerRequest"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Service-Request-Id": components["headers"]["X-Service-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CustomerEnvelope"];
                };
            };
            /** @description Success */
            201: {
                headers: {
                    "X-Service-Request-Id": components["headers"]["X-Service-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CustomerEnvelope"];
                };
            };
            400: components["responses"]["native400"];
            401: components["responses"]["native401"];
            403: components["responses"]["native403"];
            404: components["responses"]["native404"];
            409: components["responses"]["native409"];
            413: components["responses"]["native413"];
            429: components["responses"]["native429"];
            500: components["responses"]["native500"];
            503: components["responses"]["native503"];
        };
    };
    createProjectCustomer: {
        parameters: {
            query?: never;
            header?: {
                /** @description Same key and same body: same answer, no second effect, at most one charge. Kept for 24 hours. A request with a key is generated to its end, and charged in full, when its client leaves: the repeat gets the answer. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description The id of the project */
                id: string;
            };
            cookie?: never;
        };
        /** @description At most 1048576 bytes, 200000 members and elements, and 100000 members of objects. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateCustomerRequest"];
            };
        };
        responses: {
            /** @description Success */
            201: {
                headers: {
                    "X-Service-Request-Id": components["headers"]["X-Service-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CustomerEnvelope"];
                };
            };
            400: components["responses"]["native400"];
            401: components["responses"]["native401"];
            403: components["responses"]["native403"];
            404: components["responses"]["native404"];
            409: components["responses"]["native409"];
            413: components["responses"]["native413"];
            429: components["responses"]["native429"];
            500: components["responses"]["native500"];
            503: components["responses"]["native503"];
        };
    };
    getProjectCustomer: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the project */
                id: string;
                /** @description The id of the customer */
                customer_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Service-Request-Id": components["headers"]["X-Service-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CustomerEnvelope"];
                };
            };
            400: components["responses"]["native400"];
            401: components["responses"]["native401"];
            403: components["responses"]["native403"];
            404: components["responses"]["native404"];
            429: components["responses"]["native429"];
            500: components["responses"]["native500"];
            503: components["responses"]["native503"];
        };
    };
    deleteProjectCustomer: {
        parameters: {
            query?: {
                cancel_subscription?: "0" | "1" | "true" | "false";
            };
            header?: never;
            path: {
                /** @description The id of the project */
                id: string;
                /** @description The id of the customer */
                customer_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            204: {
                headers: {
                    "X-Service-Request-Id": components["headers"]["X-Service-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["native400"];
            401: components["responses"]["native401"];
            403: components["responses"]["native403"];
            404: components["responses"]["native404"];
            413: components["responses"]["native413"];
            429: components["responses"]["native429"];
            500: components["responses"]["native500"];
            503: components["responses"]["native503"];
        };
    };
    updateProjectCustomer: {
        parameters: {
            query?: never;
            header?: {
                /** @description With a secret key: acts for this customer of the project, who is charged. */
                "X-Service-Customer-Id"?: components["parameters"]["ServiceCustomerId"];
            };
            path: {
                /** @description The id of the project */
                id: string;
                /** @description The id of the customer */
                customer_id: string;
            };
            cookie?: never;
        };
        /** @description At most 1048576 bytes, 200000 members and elements, and 100000 members of objects. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["CustomerChange"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Service-Request-Id": components["headers"]["X-Service-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CustomerEnvelope"];
                };
            };
            400: components["responses"]["native400"];
            401: components["responses"]["native401"];
            403: components["responses"]["native403"];
            404: components["responses"]["native404"];
            413: components["responses"]["native413"];
            429: components["responses"]["native429"];
            500: components["responses"]["native500"];
            503: components["responses"]["native503"];
        };
    };
    getProjectCustomerUsage: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the project */
                id: string;
                /** @description The id of the customer */
                customer_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Service-Request-Id": components["headers"]["X-Service-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GetProjectCustomerUsageResult"];
                };
            };
            400: components["responses"]["native400"];
            401: components["responses"]["native401"];
            403: components["responses"]["native403"];
            404: components["responses"]["native404"];
            429: components["responses"]["native429"];
            500: components["responses"]["native500"];
            503: components["responses"]["native503"];
        };
    };
    getMe: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Service-Request-Id": components["headers"]["X-Service-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GetMeResult"];
                };
            };
            400: components["responses"]["native400"];
            401: components["responses"]["native401"];
            403: components["responses"]["native403"];
            404: components["responses"]["native404"];
            429: components["responses"]["native429"];
            500: components["responses"]["native500"];
            503: components["responses"]["native503"];
        };
    };
    getMySubscription: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Service-Request-Id": components["headers"]["X-Service-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GetMySubscriptionResult"];
                };
            };
            400: components["responses"]["native400"];
            401: components["responses"]["native401"];
            403: components["responses"]["native403"];
            404: components["responses"]["native404"];
            429: components["responses"]["native429"];
            500: components["responses"]["native500"];
            503: components["responses"]["native503"];
        };
    };
    getMyUsage: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Service-Request-Id": components["headers"]["X-Service-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GetMyUsageResult"];
                };
            };
            400: components["responses"]["native400"];
            401: components["responses"]["native401"];
            403: components["responses"]["native403"];
            404: components["responses"]["native404"];
            429: components["responses"]["native429"];
            500: components["responses"]["native500"];
            503: components["responses"]["native503"];
        };
    };
    getMyBalance: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Service-Request-Id": components["headers"]["X-Service-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CustomerBalance"];
                };
            };
            400: components["responses"]["native400"];
            401: components["responses"]["native401"];
            403: components["responses"]["native403"];
            404: components["responses"]["native404"];
            429: components["responses"]["native429"];
            500: components["responses"]["native500"];
            503: components["responses"]["native503"];
        };
    };
    listMyBalanceHistory: {
        parameters: {
            query?: {
                /** @description At most this many entries */
                limit?: number;
                /** @description Skips this many entries; `next_cursor` of a page is the offset of the next one */
                offset?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Service-Request-Id": components["headers"]["X-Service-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BalanceHistory"];
                };
            };
            400: components["responses"]["native400"];
            401: components["responses"]["native401"];
            403: components["responses"]["native403"];
            404: components["responses"]["native404"];
            429: components["responses"]["native429"];
            500: components["responses"]["native500"];
            503: components["responses"]["native503"];
        };
    };
    createPortalSession: {
        parameters: {
            query?: never;
            header?: {
                /** @description With a secret key: acts for this customer of the project, who is charged. */
                "X-Service-Customer-Id"?: components["parameters"]["ServiceCustomerId"];
            };
            path: {
                /** @description The id of the customer */
                id: string;
            };
            cookie?: never;
        };
        /** @description At most 1048576 bytes, 200000 members and elements, and 100000 members of objects. */
        requestBody?: {
            content: {
                "application/json": components["schemas"]["PortalLinkRequest"];
            };
        };
        responses: {
            /** @description Success */
            201: {
                headers: {
                    "X-Service-Request-Id": components["headers"]["X-Service-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PortalLinkResult"];
                };
            };
            400: components["responses"]["native400"];
            401: components["responses"]["native401"];
            403: components["responses"]["native403"];
            404: components["responses"]["native404"];
            413: components["responses"]["native413"];
            429: components["responses"]["native429"];
            500: components["responses"]["native500"];
            503: components["responses"]["native503"];
        };
    };
    startPortalSession: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description At most 65536 bytes, 200000 members and elements, and 100000 members of objects. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["StartPortalSessionRequest"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Service-Request-Id": components["headers"]["X-Service-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PortalSessionResult"];
                };
            };
            400: components["responses"]["native400"];
            401: components["responses"]["native401"];
            413: components["responses"]["native413"];
            429: components["responses"]["native429"];
            500: components["responses"]["native500"];
            503: components["responses"]["native503"];
        };
    };
    listMyDevices: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Service-Request-Id": components["headers"]["X-Service-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CustomerDeviceListResult"];
                };
            };
            400: components["responses"]["native400"];
            401: components["responses"]["native401"];
            403: components["responses"]["native403"];
            429: components["responses"]["native429"];
            500: components["responses"]["native500"];
            503: components["responses"]["native503"];
        };
    };
    signOutMyDevice: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the device */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            204: {
                headers: {
                    "X-Service-Request-Id": components["headers"]["X-Service-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["native400"];
            401: components["responses"]["native401"];
            403: components["responses"]["native403"];
            404: components["responses"]["native404"];
            413: components["responses"]["native413"];
            429: components["responses"]["native429"];
            500: components["responses"]["native500"];
            503: components["responses"]["native503"];
        };
    };
    listMyPayments: {
        parameters: {
            query?: {
                /** @description At most this many entries */
                limit?: number;
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Service-Request-Id": components["headers"]["X-Service-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PaymentList"];
                };
            };
            400: components["responses"]["native400"];
            401: components["responses"]["native401"];
            403: components["responses"]["native403"];
            429: components["responses"]["native429"];
            500: components["responses"]["native500"];
            503: components["responses"]["native503"];
        };
    };
    listMyTiers: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Service-Request-Id": components["headers"]["X-Service-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListMyTiersResult"];
                };
            };
            400: components["responses"]["native400"];
            401: components["responses"]["native401"];
            403: components["responses"]["native403"];
            429: components["responses"]["native429"];
            500: components["responses"]["native500"];
            503: components["responses"]["native503"];
        };
    };
    previewMyTierChange: {
        parameters: {
            query: {
                tier_code: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Service-Request-Id": components["headers"]["X-Service-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TierChangePreview"];
                };
            };
            400: components["responses"]["native400"];
            401: components["responses"]["native401"];
            403: components["responses"]["native403"];
            404: components["responses"]["native404"];
            409: components["responses"]["native409"];
            429: components["responses"]["native429"];
            500: components["responses"]["native500"];
            503: components["responses"]["native503"];
        };
    };
    changeMyTier: {
        parameters: {
            query?: never;
            header?: {
                /** @description Same key and same body: same answer, no second effect, at most one charge. Kept for 24 hours. A request with a key is generated to its end, and charged in full, when its client leaves: the repeat gets the answer. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        /** @description At most 1048576 bytes, 200000 members and elements, and 100000 members of objects. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["ChangeTierRequest"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Service-Request-Id": components["headers"]["X-Service-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TierChange"];
                };
            };
            400: components["responses"]["native400"];
            401: components["responses"]["native401"];
            402: components["responses"]["native402"];
            403: components["responses"]["native403"];
            404: components["responses"]["native404"];
            409: components["responses"]["native409"];
            413: components["responses"]["native413"];
            429: components["responses"]["native429"];
            500: components["responses"]["native500"];
            503: components["responses"]["native503"];
        };
    };
    listProjectRequests: {
        parameters: {
            query?: {
                from?: string;
                to?: string;
                /** @description unreported: the request ended without a report, because its process stopped */
                status?: "succeeded" | "failed" | "refused" | "unreported";
                model?: string;
                customer_id?: string;
                key_id?: string;
                tier_code?: string;
                error_code?: string;
                request_id?: string;
                min_duration_ms?: number;
                min_cost_microcents?: number;
                uncharged?: "0" | "1" | "true" | "false";
                /** @description At most this many entries */
                limit?: number;
                cursor?: string;
            };
            header?: {
                /** @description With a secret key: acts for this customer of the project, who is charged. */
                "X-Service-Customer-Id"?: components["parameters"]["ServiceCustomerId"];
            };
            path: {
                /** @description The id of the project */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Service-Request-Id": components["headers"]["X-Service-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListProjectRequestsResult"];
                };
            };
            400: components["responses"]["native400"];
            401: components["responses"]["native401"];
            403: components["responses"]["native403"];
            404: components["responses"]["native404"];
            429: components["responses"]["native429"];
            500: components["responses"]["native500"];
            503: components["responses"]["native503"];
        };
    };
    getProjectRequestsLive: {
        parameters: {
            query?: {
                /** @description unreported: the request ended without a report, because its process stopped */
                status?: "succeeded" | "failed" | "refused" | "unreported";
                model?: string;
                customer_id?: string;
                key_id?: string;
                tier_code?: string;
                wait?: "0" | "1" | "true" | "false";
            };
            header?: {
                /** @description With a secret key: acts for this customer of the project, who is charged. */
                "X-Service-Customer-Id"?: components["parameters"]["ServiceCustomerId"];
            };
            path: {
                /** @description The id of the project */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Service-Request-Id": components["headers"]["X-Service-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/x-ndjson": components["schemas"]["GetProjectRequestsLiveResult"];
                    /** @example text */
                    "text/event-stream": string;
                };
            };
            400: components["responses"]["native400"];
            401: components["responses"]["native401"];
            403: components["responses"]["native403"];
            404: components["responses"]["native404"];
            429: components["responses"]["native429"];
            500: components["responses"]["native500"];
            503: components["responses"]["native503"];
        };
    };
    getProjectRequest: {
        parameters: {
            query?: never;
            header?: {
                /** @description With a secret key: acts for this customer of the project, who is charged. */
                "X-Service-Customer-Id"?: components["parameters"]["ServiceCustomerId"];
            };
            path: {
                /** @description The id of the project */
                id: string;
                /** @description The id of the request */
                request_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Service-Request-Id": components["headers"]["X-Service-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GetProjectRequestResult"];
                };
            };
            400: components["responses"]["native400"];
            401: components["responses"]["native401"];
            403: components["responses"]["native403"];
            404: components["responses"]["native404"];
            429: components["responses"]["native429"];
            500: components["responses"]["native500"];
            503: components["responses"]["native503"];
        };
    };
    getProjectUsage: {
        parameters: {
            query?: {
                from?: string;
                to?: string;
                /** @description unreported: the request ended without a report, because its process stopped */
                status?: "succeeded" | "failed" | "refused" | "unreported";
                model?: string;
                customer_id?: string;
                key_id?: string;
                tier_code?: string;
                interval?: "hour" | "day" | "total";
                group_by?: "model" | "customer" | "key" | "tier" | "status";
                /** @description At most this many entries */
                limit?: number;
            };
            header?: {
                /** @description With a secret key: acts for this customer of the project, who is charged. */
                "X-Service-Customer-Id"?: components["parameters"]["ServiceCustomerId"];
            };
            path: {
                /** @description The id of the project */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Service-Request-Id": components["headers"]["X-Service-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GetProjectUsageResult"];
                };
            };
            400: components["responses"]["native400"];
            401: components["responses"]["native401"];
            403: components["responses"]["native403"];
            404: components["responses"]["native404"];
            429: components["responses"]["native429"];
            500: components["responses"]["native500"];
            503: components["responses"]["native503"];
        };
    };
    listUnchargedUsage: {
        parameters: {
            query?: {
                /** @description At most this many entries */
                limit?: number;
                cursor?: string;
                customer_id?: string;
                kind?: "overrun" | "unreconciled";
            };
            header?: {
                /** @description With a secret key: acts for this customer of the project, who is charged. */
                "X-Service-Customer-Id"?: components["parameters"]["ServiceCustomerId"];
            };
            path: {
                /** @description The id of the project */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Service-Request-Id": components["headers"]["X-Service-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UnchargedUsage"];
                };
            };
            400: components["responses"]["native400"];
            401: components["responses"]["native401"];
            403: components["responses"]["native403"];
            404: components["responses"]["native404"];
            429: components["responses"]["native429"];
            500: components["responses"]["native500"];
            503: components["responses"]["native503"];
        };
    };
    listTiers: {
        parameters: {
            query?: never;
            header?: {
                /** @description With a secret key: acts for this customer of the project, who is charged. */
                "X-Service-Customer-Id"?: components["parameters"]["ServiceCustomerId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Service-Request-Id": components["headers"]["X-Service-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListMyTiersResult"];
                };
            };
            400: components["responses"]["native400"];
            401: components["responses"]["native401"];
            403: components["responses"]["native403"];
            404: components["responses"]["native404"];
            429: components["responses"]["native429"];
            500: components["responses"]["native500"];
            503: components["responses"]["native503"];
        };
    };
    getTier: {
        parameters: {
            query?: never;
            header?: {
                /** @description With a secret key: acts for this customer of the project, who is charged. */
                "X-Service-Customer-Id"?: components["parameters"]["ServiceCustomerId"];
            };
            path: {
                /** @description The id of the tier */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Service-Request-Id": components["headers"]["X-Service-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GetTierResult"];
                };
            };
            400: components["responses"]["native400"];
            401: components["responses"]["native401"];
            403: components["responses"]["native403"];
            404: components["responses"]["native404"];
            429: components["responses"]["native429"];
            500: components["responses"]["native500"];
            503: components["responses"]["native503"];
        };
    };
    listProjectTiers: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the project */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Service-Request-Id": components["headers"]["X-Service-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListMyTiersResult"];
                };
            };
            400: components["responses"]["native400"];
            401: components["responses"]["native401"];
            403: components["responses"]["native403"];
            404: components["responses"]["native404"];
            429: components["responses"]["native429"];
            500: components["responses"]["native500"];
            503: components["responses"]["native503"];
        };
    };
    createTier: {
        parameters: {
            query?: never;
            header?: {
                /** @description Same key and same body: same answer, no second effect, at most one charge. Kept for 24 hours. A request with a key is generated to its end, and charged in full, when its client leaves: the repeat gets the answer. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description The id of the project */
                id: string;
            };
            cookie?: never;
        };
        /** @description At most 1048576 bytes, 200000 members and elements, and 100000 members of objects. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateTierRequest"];
            };
        };
        responses: {
            /** @description Success */
            201: {
                headers: {
                    "X-Service-Request-Id": components["headers"]["X-Service-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CreateTierResult"];
                };
            };
            400: components["responses"]["native400"];
            401: components["responses"]["native401"];
            403: components["responses"]["native403"];
            404: components["responses"]["native404"];
            409: components["responses"]["native409"];
            413: components["responses"]["native413"];
            429: components["responses"]["native429"];
            500: components["responses"]["native500"];
            503: components["responses"]["native503"];
        };
    };
    getProjectTier: {
        parameters: {
            query?: never;
            header?: {
                /** @description With a secret key: acts for this customer of the project, who is charged. */
                "X-Service-Customer-Id"?: components["parameters"]["ServiceCustomerId"];
            };
            path: {
                /** @description The id of the project */
                id: string;
                /** @description The id of the tier */
                tier_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Service-Request-Id": components["headers"]["X-Service-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GetTierResult"];
                };
            };
            400: components["responses"]["native400"];
            401: components["responses"]["native401"];
            403: components["responses"]["native403"];
            404: components["responses"]["native404"];
            429: components["responses"]["native429"];
            500: components["responses"]["native500"];
            503: components["responses"]["native503"];
        };
    };
    updateTier: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the project */
                id: string;
                /** @description The id of the tier */
                tier_id: string;
            };
            cookie?: never;
        };
        /** @description At most 1048576 bytes, 200000 members and elements, and 100000 members of objects. */
        requestBody?: {
            content: {
                "application/json": components["schemas"]["UpdateTierRequest"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Service-Request-Id": components["headers"]["X-Service-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UpdateTierResult"];
                };
            };
            400: components["responses"]["native400"];
            401: components["responses"]["native401"];
            403: components["responses"]["native403"];
            404: components["responses"]["native404"];
            409: components["responses"]["native409"];
            413: components["responses"]["native413"];
            429: components["responses"]["native429"];
            500: components["responses"]["native500"];
            503: components["responses"]["native503"];
        };
    };
    deleteTier: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the project */
                id: string;
                /** @description The id of the tier */
                tier_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            204: {
                headers: {
                    "X-Service-Request-Id": components["headers"]["X-Service-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["native400"];
            401: components["responses"]["native401"];
            403: components["responses"]["native403"];
            404: components["responses"]["native404"];
            409: components["responses"]["native409"];
            413: components["responses"]["native413"];
            429: components["responses"]["native429"];
            500: components["responses"]["native500"];
            503: components["responses"]["native503"];
        };
    };
    createTierCheckout: {
        parameters: {
            query?: never;
            header?: {
                /** @description With a secret key: acts for this customer of the project, who is charged. */
                "X-Service-Customer-Id"?: components["parameters"]["ServiceCustomerId"];
                /** @description Same key and same body: same answer, no second effect, at most one charge. Kept for 24 hours. A request with a key is generated to its end, and charged in full, when its client leaves: the repeat gets the answer. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description The id of the tier */
                id: string;
            };
            cookie?: never;
        };
        /** @description At most 1048576 bytes, 200000 members and elements, and 100000 members of objects. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateTierCheckoutRequest"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Service-Request-Id": components["headers"]["X-Service-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CheckoutSession"];
                };
            };
            400: components["responses"]["native400"];
            401: components["responses"]["native401"];
            403: components["responses"]["native403"];
            404: components["responses"]["native404"];
            409: components["responses"]["native409"];
            413: components["responses"]["native413"];
            429: components["responses"]["native429"];
            500: components["responses"]["native500"];
            503: components["responses"]["native503"];
        };
    };
    subscribeCustomer: {
        parameters: {
            query?: never;
            header?: {
                /** @description With a secret key: acts for this customer of the project, who is charged. */
                "X-Service-Customer-Id"?: components["parameters"]["ServiceCustomerId"];
                /** @description Same key and same body: same answer, no second effect, at most one charge. Kept for 24 hours. A request with a key is generated to its end, and charged in full, when its client leaves: the repeat gets the answer. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description The id of the customer */
                id: string;
            };
            cookie?: never;
        };
        /** @description At most 1048576 bytes, 200000 members and elements, and 100000 members of objects. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["SubscribeCustomerRequest"];
            };
        };
        responses: {
            /** @description Success */
            201: {
                headers: {
                    "X-Service-Request-Id": components["headers"]["X-Service-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CheckoutSession"];
                };
            };
            400: components["responses"]["native400"];
            401: components["responses"]["native401"];
            403: components["responses"]["native403"];
            404: components["responses"]["native404"];
            409: components["responses"]["native409"];
            413: components["responses"]["native413"];
            429: components["responses"]["native429"];
            500: components["responses"]["native500"];
            503: components["responses"]["native503"];
        };
    };
    createMyCheckout: {
        parameters: {
            query?: never;
            header?: {
                /** @description Same key and same body: same answer, no second effect, at most one charge. Kept for 24 hours. A request with a key is generated to its end, and charged in full, when its client leaves: the repeat gets the answer. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        /** @description At most 1048576 bytes, 200000 members and elements, and 100000 members of objects. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateMyCheckoutRequest"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Service-Request-Id": components["headers"]["X-Service-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CheckoutSession"];
                };
            };
            400: components["responses"]["native400"];
            401: components["responses"]["native401"];
            403: components["responses"]["native403"];
            404: components["responses"]["native404"];
            409: components["responses"]["native409"];
            413: components["responses"]["native413"];
            429: components["responses"]["native429"];
            500: components["responses"]["native500"];
            503: components["responses"]["native503"];
        };
    };
    listProjectPayments: {
        parameters: {
            query?: {
                /** @description At most this many entries */
                limit?: number;
                cursor?: string;
                customer_id?: string;
                kind?: "wallet_topup" | "subscription" | "tier_change";
                status?: "pending" | "completed" | "expired" | "failed";
            };
            header?: {
                /** @description With a secret key: acts for this customer of the project, who is charged. */
                "X-Service-Customer-Id"?: components["parameters"]["ServiceCustomerId"];
            };
            path: {
                /** @description The id of the project */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Service-Request-Id": components["headers"]["X-Service-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PaymentList"];
                };
            };
            400: components["responses"]["native400"];
            401: components["responses"]["native401"];
            403: components["responses"]["native403"];
            404: components["responses"]["native404"];
            429: components["responses"]["native429"];
            500: components["responses"]["native500"];
            503: components["responses"]["native503"];
        };
    };
    getPayment: {
        parameters: {
            query?: never;
            header?: {
                /** @description With a secret key: acts for this customer of the project, who is charged. */
                "X-Service-Customer-Id"?: components["parameters"]["ServiceCustomerId"];
            };
            path: {
                /** @description The id of the payment */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Service-Request-Id": components["headers"]["X-Service-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PaymentDetail"];
                };
            };
            400: components["responses"]["native400"];
            401: components["responses"]["native401"];
            403: components["responses"]["native403"];
            404: components["responses"]["native404"];
            429: components["responses"]["native429"];
            500: components["responses"]["native500"];
            503: components["responses"]["native503"];
        };
    };
    refundPayment: {
        parameters: {
            query?: never;
            header?: {
                /** @description With a secret key: acts for this customer of the project, who is charged. */
                "X-Service-Customer-Id"?: components["parameters"]["ServiceCustomerId"];
                /** @description Same key and same body: same answer, no second effect, at most one charge. Kept for 24 hours. A request with a key is generated to its end, and charged in full, when its client leaves: the repeat gets the answer. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description The id of the payment */
                id: string;
            };
            cookie?: never;
        };
        /** @description At most 1048576 bytes, 200000 members and elements, and 100000 members of objects. */
        requestBody?: {
            content: {
                "application/json": components["schemas"]["RefundPaymentRequest"];
            };
        };
        responses: {
            /** @description Success */
            201: {
                headers: {
                    "X-Service-Request-Id": components["headers"]["X-Service-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RefundResult"];
                };
            };
            400: components["responses"]["native400"];
            401: components["responses"]["native401"];
            403: components["responses"]["native403"];
            404: components["responses"]["native404"];
            409: components["responses"]["native409"];
            413: components["responses"]["native413"];
            429: components["responses"]["native429"];
            500: components["responses"]["native500"];
            503: components["responses"]["native503"];
        };
    };
    topUpMyWallet: {
        parameters: {
            query?: never;
            header?: {
                /** @description Same key and same body: same answer, no second effect, at most one charge. Kept for 24 hours. A request with a key is generated to its end, and charged in full, when its client leaves: the repeat gets the answer. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        /** @description At most 1048576 bytes, 200000 members and elements, and 100000 members of objects. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["TopUpWalletRequest"];
            };
        };
        responses: {
            /** @description Success */
            201: {
                headers: {
                    "X-Service-Request-Id": components["headers"]["X-Service-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WalletTopUp"];
                };
            };
            400: components["responses"]["native400"];
            401: components["responses"]["native401"];
            403: components["responses"]["native403"];
            404: components["responses"]["native404"];
            409: components["responses"]["native409"];
            413: components["responses"]["native413"];
            429: components["responses"]["native429"];
            500: components["responses"]["native500"];
            503: components["responses"]["native503"];
        };
    };
    topUpCustomerWallet: {
        parameters: {
            query?: never;
            header?: {
                /** @description With a secret key: acts for this customer of the project, who is charged. */
                "X-Service-Customer-Id"?: components["parameters"]["ServiceCustomerId"];
                /** @description Same key and same body: same answer, no second effect, at most one charge. Kept for 24 hours. A request with a key is generated to its end, and charged in full, when its client leaves: the repeat gets the answer. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description The id of the customer */
                id: string;
            };
            cookie?: never;
        };
        /** @description At most 1048576 bytes, 200000 members and elements, and 100000 members of objects. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["TopUpWalletRequest"];
            };
        };
        responses: {
            /** @description Success */
            201: {
                headers: {
                    "X-Service-Request-Id": components["headers"]["X-Service-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WalletTopUp"];
                };
            };
            400: components["responses"]["native400"];
            401: components["responses"]["native401"];
            403: components["responses"]["native403"];
            404: components["responses"]["native404"];
            409: components["responses"]["native409"];
            413: components["responses"]["native413"];
            429: components["responses"]["native429"];
            500: components["responses"]["native500"];
            503: components["responses"]["native503"];
        };
    };
    createAccountTopUp: {
        parameters: {
            query?: never;
            header?: {
                /** @description Same key and same body: same answer, no second effect, at most one charge. Kept for 24 hours. A request with a key is generated to its end, and charged in full, when its client leaves: the repeat gets the answer. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        /** @description At most 1048576 bytes, 200000 members and elements, and 100000 members of objects. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateAccountTopUpRequest"];
            };
        };
        responses: {
            /** @description Success */
            201: {
                headers: {
                    "X-Service-Request-Id": components["headers"]["X-Service-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AccountTopUp"];
                };
            };
            400: components["responses"]["native400"];
            401: components["responses"]["native401"];
            402: components["responses"]["native402"];
            403: components["responses"]["native403"];
            409: components["responses"]["native409"];
            413: components["responses"]["native413"];
            429: components["responses"]["native429"];
            500: components["responses"]["native500"];
            503: components["responses"]["native503"];
        };
    };
    listAccountTopUps: {
        parameters: {
            query?: {
                /** @description At most this many entries */
                limit?: number;
                /** @description Skips this many entries; `next_cursor` of a page is the offset of the next one */
                offset?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Service-Request-Id": components["headers"]["X-Service-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListAccountTopUpsResult"];
                };
            };
            400: components["responses"]["native400"];
            401: components["responses"]["native401"];
            403: components["responses"]["native403"];
            429: components["responses"]["native429"];
            500: components["responses"]["native500"];
            503: components["responses"]["native503"];
        };
    };
    getAccountTopUp: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the topup */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Service-Request-Id": components["headers"]["X-Service-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AccountTopUp"];
                };
            };
            400: components["responses"]["native400"];
            401: components["responses"]["native401"];
            403: components["responses"]["native403"];
            404: components["responses"]["native404"];
            429: components["responses"]["native429"];
            500: components["responses"]["native500"];
            503: components["responses"]["native503"];
        };
    };
    getAutoTopUp: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Service-Request-Id": components["headers"]["X-Service-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AutoTopUp"];
                };
            };
            400: components["responses"]["native400"];
            401: components["responses"]["native401"];
            403: components["responses"]["native403"];
            429: components["responses"]["native429"];
            500: components["responses"]["native500"];
            503: components["responses"]["native503"];
        };
    };
    setAutoTopUp: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description At most 1048576 bytes, 200000 members and elements, and 100000 members of objects. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["SetAutoTopUpRequest"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Service-Request-Id": components["headers"]["X-Service-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AutoTopUp"];
                };
            };
            400: components["responses"]["native400"];
            401: components["responses"]["native401"];
            403: components["responses"]["native403"];
            409: components["responses"]["native409"];
            413: components["responses"]["native413"];
            429: components["responses"]["native429"];
            500: components["responses"]["native500"];
            503: components["responses"]["native503"];
        };
    };
    deleteAutoTopUp: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            204: {
                headers: {
                    "X-Service-Request-Id": components["headers"]["X-Service-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["native400"];
            401: components["responses"]["native401"];
            403: components["responses"]["native403"];
            413: components["responses"]["native413"];
            429: components["responses"]["native429"];
            500: components["responses"]["native500"];
            503: components["responses"]["native503"];
        };
    };
    startCardSetup: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Service-Request-Id": components["headers"]["X-Service-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CardSetup"];
                };
            };
            400: components["responses"]["native400"];
            401: components["responses"]["native401"];
            403: components["responses"]["native403"];
            409: components["responses"]["native409"];
            413: components["responses"]["native413"];
            429: components["responses"]["native429"];
            500: components["responses"]["native500"];
            503: components["responses"]["native503"];
        };
    };
    confirmCardSetup: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description At most 1048576 bytes, 200000 members and elements, and 100000 members of objects. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["ConfirmCardSetupRequest"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Service-Request-Id": components["headers"]["X-Service-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AutoTopUp"];
                };
            };
            400: components["responses"]["native400"];
            401: components["responses"]["native401"];
            403: components["responses"]["native403"];
            404: components["responses"]["native404"];
            409: components["responses"]["native409"];
            413: components["responses"]["native413"];
            429: components["responses"]["native429"];
            500: components["responses"]["native500"];
            503: components["responses"]["native503"];
        };
    };
    getCardVerification: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Service-Request-Id": components["headers"]["X-Service-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CardVerification"];
                };
            };
            400: components["responses"]["native400"];
            401: components["responses"]["native401"];
            403: components["responses"]["native403"];
            429: components["responses"]["native429"];
            500: components["responses"]["native500"];
            503: components["responses"]["native503"];
        };
    };
    startCardVerification: {
        parameters: {
            query?: never;
            header?: {
                /** @description Same key and same body: same answer, no second effect, at most one charge. Kept for 24 hours. A request with a key is generated to its end, and charged in full, when its client leaves: the repeat gets the answer. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        /** @description At most 1048576 bytes, 200000 members and elements, and 100000 members of objects. */
        requestBody?: {
            content: {
                "application/json": components["schemas"]["StartCardVerificationRequest"];
            };
        };
        responses: {
            /** @description Success */
            201: {
                headers: {
                    "X-Service-Request-Id": components["headers"]["X-Service-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CardVerificationSession"];
                };
            };
            400: components["responses"]["native400"];
            401: components["responses"]["native401"];
            403: components["responses"]["native403"];
            409: components["responses"]["native409"];
            413: components["responses"]["native413"];
            429: components["responses"]["native429"];
            500: components["responses"]["native500"];
            503: components["responses"]["native503"];
        };
    };
    confirmCardVerification: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description At most 1048576 bytes, 200000 members and elements, and 100000 members of objects. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["ConfirmCardVerificationRequest"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Service-Request-Id": components["headers"]["X-Service-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CardVerification"];
                };
            };
            400: components["responses"]["native400"];
            401: components["responses"]["native401"];
            403: components["responses"]["native403"];
            404: components["responses"]["native404"];
            409: components["responses"]["native409"];
            413: components["responses"]["native413"];
            422: components["responses"]["native422"];
            429: components["responses"]["native429"];
            500: components["responses"]["native500"];
            503: components["responses"]["native503"];
        };
    };
    receiveStripeWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Service-Request-Id": components["headers"]["X-Service-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ReceiveStripeWebhookResult"];
                };
            };
            400: components["responses"]["native400"];
            413: components["responses"]["native413"];
            429: components["responses"]["native429"];
            500: components["responses"]["native500"];
            503: components["responses"]["native503"];
        };
    };
    showCheckoutReturn: {
        parameters: {
            query: {
                outcome: "success" | "cancel";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Service-Request-Id": components["headers"]["X-Service-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /** @example text */
                    "text/html": string;
                };
            };
            400: components["responses"]["native400"];
            429: components["responses"]["native429"];
            500: components["responses"]["native500"];
            503: components["responses"]["native503"];
        };
    };
    listToolHooks: {
        parameters: {
            query?: {
                /** @description At most this many entries */
                limit?: number;
                /** @description Skips this many entries; `next_cursor` of a page is the offset of the next one */
                offset?: number;
            };
            header?: never;
            path: {
                /** @description The id of the project */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Service-Request-Id": components["headers"]["X-Service-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListToolHooksResult"];
                };
            };
            400: components["responses"]["simple400"];
            401: components["responses"]["simple401"];
            403: components["responses"]["simple403"];
            404: components["responses"]["simple404"];
            429: components["responses"]["simple429"];
            500: components["responses"]["simple500"];
            503: components["responses"]["simple503"];
        };
    };
    createToolHook: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the project */
                id: string;
            };
            cookie?: never;
        };
        /** @description At most 1048576 bytes, 200000 members and elements, and 100000 members of objects. */
        requestBody?: {
            content: {
                "application/json": components["schemas"]["CreateToolHookRequest"];
            };
        };
        responses: {
            /** @description Success */
            201: {
                headers: {
                    "X-Service-Request-Id": components["headers"]["X-Service-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CreateToolHookResult"];
                };
            };
            400: components["responses"]["simple400"];
            401: components["responses"]["simple401"];
            403: components["responses"]["simple403"];
            404: components["responses"]["simple404"];
            413: components["responses"]["simple413"];
            429: components["responses"]["simple429"];
            500: components["responses"]["simple500"];
            503: components["responses"]["simple503"];
        };
    };
    getToolHook: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the project */
                id: string;
                /** @description The id of the tool hook */
                hook_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Service-Request-Id": components["headers"]["X-Service-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ToolHookResult"];
                };
            };
            400: components["responses"]["simple400"];
            401: components["responses"]["simple401"];
            403: components["responses"]["simple403"];
            404: components["responses"]["simple404"];
            429: components["responses"]["simple429"];
            500: components["responses"]["simple500"];
            503: components["responses"]["simple503"];
        };
    };
    updateToolHook: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the project */
                id: string;
                /** @description The id of the tool hook */
                hook_id: string;
            };
            cookie?: never;
        };
        /** @description At most 1048576 bytes, 200000 members and elements, and 100000 members of objects. */
        requestBody?: {
            content: {
                "application/json": components["schemas"]["UpdateToolHookRequest"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Service-Request-Id": components["headers"]["X-Service-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UpdateToolHookResult"];
                };
            };
            400: components["responses"]["simple400"];
            401: components["responses"]["simple401"];
            403: components["responses"]["simple403"];
            404: components["responses"]["simple404"];
            413: components["responses"]["simple413"];
            429: components["responses"]["simple429"];
            500: components["responses"]["simple500"];
            503: components["responses"]["simple503"];
        };
    };
    deleteToolHook: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the project */
                id: string;
                /** @description The id of the tool hook */
                hook_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            204: {
                headers: {
                    "X-Service-Request-Id": components["headers"]["X-Service-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["simple400"];
            401: components["responses"]["simple401"];
            403: components["responses"]["simple403"];
            404: components["responses"]["simple404"];
            413: components["responses"]["simple413"];
            429: components["responses"]["simple429"];
            500: components["responses"]["simple500"];
            503: components["responses"]["simple503"];
        };
    };
    testToolHook: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the project */
                id: string;
                /** @description The id of the tool hook */
                hook_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Service-Request-Id": components["headers"]["X-Service-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TestToolHookResult"];
                };
            };
            400: components["responses"]["simple400"];
            401: components["responses"]["simple401"];
            403: components["responses"]["simple403"];
            404: components["responses"]["simple404"];
            413: components["responses"]["simple413"];
            429: components["responses"]["simple429"];
            500: components["responses"]["simple500"];
            503: components["responses"]["simple503"];
        };
    };
    listToolHookEvents: {
        parameters: {
            query?: {
                /** @description At most this many entries */
                limit?: number;
                /** @description Skips this many entries; `next_cursor` of a page is the offset of the next one */
                offset?: number;
            };
            header?: never;
            path: {
                /** @description The id of the project */
                id: string;
                /** @description The id of the tool hook */
                hook_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Service-Request-Id": components["headers"]["X-Service-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListToolHookEventsResult"];
                };
            };
            400: components["responses"]["simple400"];
            401: components["responses"]["simple401"];
            403: components["responses"]["simple403"];
            404: components["responses"]["simple404"];
            429: components["responses"]["simple429"];
            500: components["responses"]["simple500"];
            503: components["responses"]["simple503"];
        };
    };
    listWebhooks: {
        parameters: {
            query?: {
                /** @description At most this many entries */
                limit?: number;
                /** @description Skips this many entries; `next_cursor` of a page is the offset of the next one */
                offset?: number;
            };
            header?: never;
            path: {
                /** @description The id of the project */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Service-Request-Id": components["headers"]["X-Service-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListWebhooksResult"];
                };
            };
            400: components["responses"]["simple400"];
            401: components["responses"]["simple401"];
            403: components["responses"]["simple403"];
            404: components["responses"]["simple404"];
            429: components["responses"]["simple429"];
            500: components["responses"]["simple500"];
            503: components["responses"]["simple503"];
        };
    };
    createWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the project */
                id: string;
            };
            cookie?: never;
        };
        /** @description At most 1048576 bytes, 200000 members and elements, and 100000 members of objects. */
        requestBody?: {
            content: {
                "application/json": components["schemas"]["CreateWebhookRequest"];
            };
        };
        responses: {
            /** @description Success */
            201: {
                headers: {
                    "X-Service-Request-Id": components["headers"]["X-Service-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookResult"];
                };
            };
            400: components["responses"]["simple400"];
            401: components["responses"]["simple401"];
            403: components["responses"]["simple403"];
            404: components["responses"]["simple404"];
            413: components["responses"]["simple413"];
            429: components["responses"]["simple429"];
            500: components["responses"]["simple500"];
            503: components["responses"]["simple503"];
        };
    };
    getWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the project */
                id: string;
                /** @description The id of the webhook */
                webhook_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Service-Request-Id": components["headers"]["X-Service-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookResult"];
                };
            };
            400: components["responses"]["simple400"];
            401: components["responses"]["simple401"];
            403: components["responses"]["simple403"];
            404: components["responses"]["simple404"];
            429: components["responses"]["simple429"];
            500: components["responses"]["simple500"];
            503: components["responses"]["simple503"];
        };
    };
    updateWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the project */
                id: string;
                /** @description The id of the webhook */
                webhook_id: string;
            };
            cookie?: never;
        };
        /** @description At most 1048576 bytes, 200000 members and elements, and 100000 members of objects. */
        requestBody?: {
            content: {
                "application/json": components["schemas"]["UpdateWebhookRequest"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Service-Request-Id": components["headers"]["X-Service-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookResult"];
                };
            };
            400: components["responses"]["simple400"];
            401: components["responses"]["simple401"];
            403: components["responses"]["simple403"];
            404: components["responses"]["simple404"];
            413: components["responses"]["simple413"];
            429: components["responses"]["simple429"];
            500: components["responses"]["simple500"];
            503: components["responses"]["simple503"];
        };
    };
    deleteWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the project */
                id: string;
                /** @description The id of the webhook */
                webhook_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            204: {
                headers: {
                    "X-Service-Request-Id": components["headers"]["X-Service-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["simple400"];
            401: components["responses"]["simple401"];
            403: components["responses"]["simple403"];
            404: components["responses"]["simple404"];
            413: components["responses"]["simple413"];
            429: components["responses"]["simple429"];
            500: components["responses"]["simple500"];
            503: components["responses"]["simple503"];
        };
    };
    testWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the project */
                id: string;
                /** @description The id of the webhook */
                webhook_id: string;
            };
            cookie?: never;
        };
        /** @description At most 1048576 bytes, 200000 members and elements, and 100000 members of objects. */
        requestBody?: {
            content: {
                "application/json": components["schemas"]["TestWebhookRequest"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Service-Request-Id": components["headers"]["X-Service-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TestWebhookResult"];
                };
            };
            400: components["responses"]["simple400"];
            401: components["responses"]["simple401"];
            403: components["responses"]["simple403"];
            404: components["responses"]["simple404"];
            413: components["responses"]["simple413"];
            429: components["responses"]["simple429"];
            500: components["responses"]["simple500"];
            503: components["responses"]["simple503"];
        };
    };
    listWebhookEventTypes: {
        parameters: {
            query?: never;
            header?: {
                /** @description With a secret key: acts for this customer of the project, who is charged. */
                "X-Service-Customer-Id"?: components["parameters"]["ServiceCustomerId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Service-Request-Id": components["headers"]["X-Service-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListWebhookEventTypesResult"];
                };
            };
            400: components["responses"]["native400"];
            401: components["responses"]["native401"];
            403: components["responses"]["native403"];
            404: components["responses"]["native404"];
            429: components["responses"]["native429"];
            500: components["responses"]["native500"];
            503: components["responses"]["native503"];
        };
    };
    listWebhookEvents: {
        parameters: {
            query?: {
                /** @description At most this many entries */
                limit?: number;
                /** @description Skips this many entries; `next_cursor` of a page is the offset of the next one */
                offset?: number;
                event_type?: components["schemas"]["WebhookEventType"];
                status?: components["schemas"]["WebhookDeliveryStatus"];
            };
            header?: never;
            path: {
                /** @description The id of the project */
                id: string;
                /** @description The id of the webhook */
                webhook_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Service-Request-Id": components["headers"]["X-Service-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListWebhookEventsResult"];
                };
            };
            400: components["responses"]["simple400"];
            401: components["responses"]["simple401"];
            403: components["responses"]["simple403"];
            404: components["responses"]["simple404"];
            429: components["responses"]["simple429"];
            500: components["responses"]["simple500"];
            503: components["responses"]["simple503"];
        };
    };
    redeliverWebhookEvent: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the project */
                id: string;
                /** @description The id of the webhook */
                webhook_id: string;
                /** @description The id of the event */
                event_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Service-Request-Id": components["headers"]["X-Service-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookEventResult"];
                };
            };
            400: components["responses"]["simple400"];
            401: components["responses"]["simple401"];
            403: components["responses"]["simple403"];
            404: components["responses"]["simple404"];
            409: components["responses"]["simple409"];
            413: components["responses"]["simple413"];
            429: components["responses"]["simple429"];
            500: components["responses"]["simple500"];
            503: components["responses"]["simple503"];
        };
    };
    listAgents: {
        parameters: {
            query?: {
                /** @description At most this many entries */
                limit?: number;
                /** @description Skips this many entries; `next_cursor` of a page is the offset of the next one */
                offset?: number;
            };
            header?: {
                /** @description With a secret key: acts for this customer of the project, who is charged. */
                "X-Service-Customer-Id"?: components["parameters"]["ServiceCustomerId"];
            };
            path: {
                /** @description The id of the project */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Service-Request-Id": components["headers"]["X-Service-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListAgentsResult"];
                };
            };
            400: components["responses"]["native400"];
            401: components["responses"]["native401"];
            403: components["responses"]["native403"];
            404: components["responses"]["native404"];
            429: components["responses"]["native429"];
            500: components["responses"]["native500"];
            503: components["responses"]["native503"];
        };
    };
    createAgent: {
        parameters: {
            query?: never;
            header?: {
                /** @description With a secret key: acts for this customer of the project, who is charged. */
                "X-Service-Customer-Id"?: components["parameters"]["ServiceCustomerId"];
                /** @description Same key and same body: same answer, no second effect, at most one charge. Kept for 24 hours. A request with a key is generated to its end, and charged in full, when its client leaves: the repeat gets the answer. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description The id of the project */
                id: string;
            };
            cookie?: never;
        };
        /** @description At most 8388608 bytes, 200000 members and elements, and 100000 members of objects. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateAgentRequest"];
            };
        };
        responses: {
            /** @description Success */
            201: {
                headers: {
                    "X-Service-Request-Id": components["headers"]["X-Service-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentResult"];
                };
            };
            400: components["responses"]["native400"];
            401: components["responses"]["native401"];
            403: components["responses"]["native403"];
            404: components["responses"]["native404"];
            409: components["responses"]["native409"];
            413: components["responses"]["native413"];
            429: components["responses"]["native429"];
            500: components["responses"]["native500"];
            503: components["responses"]["native503"];
        };
    };
    getAgent: {
        parameters: {
            query?: {
                revision?: number;
            };
            header?: {
                /** @description With a secret key: acts for this customer of the project, who is charged. */
                "X-Service-Customer-Id"?: components["parameters"]["ServiceCustomerId"];
            };
            path: {
                /** @description The id of the project */
                id: string;
                /** @description The slug of the agent */
                slug: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Service-Request-Id": components["headers"]["X-Service-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentResult"];
                };
            };
            400: components["responses"]["native400"];
            401: components["responses"]["native401"];
            403: components["responses"]["native403"];
            404: components["responses"]["native404"];
            429: components["responses"]["native429"];
            500: components["responses"]["native500"];
            503: components["responses"]["native503"];
        };
    };
    deleteAgent: {
        parameters: {
            query?: never;
            header?: {
                /** @description With a secret key: acts for this customer of the project, who is charged. */
                "X-Service-Customer-Id"?: components["parameters"]["ServiceCustomerId"];
            };
            path: {
                /** @description The id of the project */
                id: string;
                /** @description The slug of the agent */
                slug: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            204: {
                headers: {
                    "X-Service-Request-Id": components["headers"]["X-Service-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["native400"];
            401: components["responses"]["native401"];
            403: components["responses"]["native403"];
            404: components["responses"]["native404"];
            413: components["responses"]["native413"];
            429: components["responses"]["native429"];
            500: components["responses"]["native500"];
            503: components["responses"]["native503"];
        };
    };
    updateAgent: {
        parameters: {
            query?: never;
            header?: {
                /** @description With a secret key: acts for this customer of the project, who is charged. */
                "X-Service-Customer-Id"?: components["parameters"]["ServiceCustomerId"];
            };
            path: {
                /** @description The id of the project */
                id: string;
                /** @description The slug of the agent */
                slug: string;
            };
            cookie?: never;
        };
        /** @description At most 8388608 bytes, 200000 members and elements, and 100000 members of objects. */
        requestBody?: {
            content: {
                "application/json": components["schemas"]["UpdateAgentRequest"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Service-Request-Id": components["headers"]["X-Service-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentResult"];
                };
            };
            400: components["responses"]["native400"];
            401: components["responses"]["native401"];
            403: components["responses"]["native403"];
            404: components["responses"]["native404"];
            409: components["responses"]["native409"];
            413: components["responses"]["native413"];
            429: components["responses"]["native429"];
            500: components["responses"]["native500"];
            503: components["responses"]["native503"];
        };
    };
    listAgentVersions: {
        parameters: {
            query?: {
                /** @description At most this many entries */
                limit?: number;
                /** @description Skips this many entries; `next_cursor` of a page is the offset of the next one */
                offset?: number;
            };
            header?: {
                /** @description With a secret key: acts for this customer of the project, who is charged. */
                "X-Service-Customer-Id"?: components["parameters"]["ServiceCustomerId"];
            };
            path: {
                /** @description The id of the project */
                id: string;
                /** @description The slug of the agent */
                slug: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Service-Request-Id": components["headers"]["X-Service-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListAgentVersionsResult"];
                };
            };
            400: components["responses"]["native400"];
            401: components["responses"]["native401"];
            403: components["responses"]["native403"];
            404: components["responses"]["native404"];
            429: components["responses"]["native429"];
            500: components["responses"]["native500"];
            503: components["responses"]["native503"];
        };
    };
    runAgent: {
        parameters: {
            query?: never;
            header?: {
                /** @description With a secret key: acts for this customer of the project, who is charged. */
                "X-Service-Customer-Id"?: components["parameters"]["ServiceCustomerId"];
                /** @description Same key and same body: same answer, no second effect, at most one charge. Kept for 24 hours. A request with a key is generated to its end, and charged in full, when its client leaves: the repeat gets the answer. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description The id of the project */
                id: string;
                /** @description The slug of the agent */
                slug: string;
            };
            cookie?: never;
        };
        /** @description At most 8388608 bytes, 200000 members and elements, and 100000 members of objects. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["RunAgentRequest"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Service-Request-Id": components["headers"]["X-Service-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentRunResult"];
                    "application/x-ndjson": components["schemas"]["RunEvent"];
                    "text/event-stream": components["schemas"]["RunEvent"];
                };
            };
            400: components["responses"]["native400"];
            401: components["responses"]["native401"];
            402: components["responses"]["native402"];
            403: components["responses"]["native403"];
            404: components["responses"]["native404"];
            409: components["responses"]["native409"];
            413: components["responses"]["native413"];
            429: components["responses"]["native429"];
            500: components["responses"]["native500"];
            503: components["responses"]["native503"];
        };
    };
    testAgent: {
        parameters: {
            query?: never;
            header?: {
                /** @description With a secret key: acts for this customer of the project, who is charged. */
                "X-Service-Customer-Id"?: components["parameters"]["ServiceCustomerId"];
                /** @description Same key and same body: same answer, no second effect, at most one charge. Kept for 24 hours. A request with a key is generated to its end, and charged in full, when its client leaves: the repeat gets the answer. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description The id of the project */
                id: string;
                /** @description The slug of the agent */
                slug: string;
            };
            cookie?: never;
        };
        /** @description At most 8388608 bytes, 200000 members and elements, and 100000 members of objects. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["TestAgentRequest"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Service-Request-Id": components["headers"]["X-Service-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentTestResult"];
                    "application/x-ndjson": components["schemas"]["RunEvent"];
                    "text/event-stream": components["schemas"]["RunEvent"];
                };
            };
            400: components["responses"]["native400"];
            401: components["responses"]["native401"];
            402: components["responses"]["native402"];
            403: components["responses"]["native403"];
            404: components["responses"]["native404"];
            409: components["responses"]["native409"];
            413: components["responses"]["native413"];
            429: components["responses"]["native429"];
            500: components["responses"]["native500"];
            503: components["responses"]["native503"];
        };
    };
    replayAgent: {
        parameters: {
            query?: never;
            header?: {
                /** @description With a secret key: acts for this customer of the project, who is charged. */
                "X-Service-Customer-Id"?: components["parameters"]["ServiceCustomerId"];
                /** @description Same key and same body: same answer, no second effect, at most one charge. Kept for 24 hours. A request with a key is generated to its end, and charged in full, when its client leaves: the repeat gets the answer. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description The id of the project */
                id: string;
                /** @description The slug of the agent */
                slug: string;
            };
            cookie?: never;
        };
        /** @description At most 8388608 bytes, 200000 members and elements, and 100000 members of objects. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["ReplayAgentRequest"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Service-Request-Id": components["headers"]["X-Service-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentTestResult"];
                    "application/x-ndjson": components["schemas"]["RunEvent"];
                    "text/event-stream": components["schemas"]["RunEvent"];
                };
            };
            400: components["responses"]["native400"];
            401: components["responses"]["native401"];
            402: components["responses"]["native402"];
            403: components["responses"]["native403"];
            404: components["responses"]["native404"];
            409: components["responses"]["native409"];
            413: components["responses"]["native413"];
            429: components["responses"]["native429"];
            500: components["responses"]["native500"];
            503: components["responses"]["native503"];
        };
    };
    listMessages: {
        parameters: {
            query?: {
                /** @description At most this many entries */
                limit?: number;
                /** @description Skips this many entries; `next_cursor` of a page is the offset of the next one */
                offset?: number;
                to?: string;
                thread_id?: string;
                unread?: "0" | "1" | "true" | "false";
            };
            header?: {
                /** @description With a secret key: acts for this customer of the project, who is charged. */
                "X-Service-Customer-Id"?: components["parameters"]["ServiceCustomerId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Service-Request-Id": components["headers"]["X-Service-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListMessagesResult"];
                };
            };
            400: components["responses"]["native400"];
            401: components["responses"]["native401"];
            403: components["responses"]["native403"];
            404: components["responses"]["native404"];
            429: components["responses"]["native429"];
            500: components["responses"]["native500"];
            503: components["responses"]["native503"];
        };
    };
    sendMessage: {
        parameters: {
            query?: never;
            header?: {
                /** @description With a secret key: acts for this customer of the project, who is charged. */
                "X-Service-Customer-Id"?: components["parameters"]["ServiceCustomerId"];
                /** @description Same key and same body: same answer, no second effect, at most one charge. Kept for 24 hours. A request with a key is generated to its end, and charged in full, when its client leaves: the repeat gets the answer. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        /** @description At most 1048576 bytes, 200000 members and elements, and 100000 members of objects. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["SendMessageRequest"];
            };
        };
        responses: {
            /** @description Success */
            201: {
                headers: {
                    "X-Service-Request-Id": components["headers"]["X-Service-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Message"];
                };
            };
            400: components["responses"]["native400"];
            401: components["responses"]["native401"];
            403: components["responses"]["native403"];
            404: components["responses"]["native404"];
            409: components["responses"]["native409"];
            413: components["responses"]["native413"];
            429: components["responses"]["native429"];
            500: components["responses"]["native500"];
            503: components["responses"]["native503"];
        };
    };
    getMessage: {
        parameters: {
            query?: never;
            header?: {
                /** @description With a secret key: acts for this customer of the project, who is charged. */
                "X-Service-Customer-Id"?: components["parameters"]["ServiceCustomerId"];
            };
            path: {
                /** @description The id of the message */
                message_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Service-Request-Id": components["headers"]["X-Service-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Message"];
                };
            };
            400: components["responses"]["native400"];
            401: components["responses"]["native401"];
            403: components["responses"]["native403"];
            404: components["responses"]["native404"];
            429: components["responses"]["native429"];
            500: components["responses"]["native500"];
            503: components["responses"]["native503"];
        };
    };
    markMessageRead: {
        parameters: {
            query?: never;
            header?: {
                /** @description With a secret key: acts for this customer of the project, who is charged. */
                "X-Service-Customer-Id"?: components["parameters"]["ServiceCustomerId"];
            };
            path: {
                /** @description The id of the message */
                message_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            204: {
                headers: {
                    "X-Service-Request-Id": components["headers"]["X-Service-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["native400"];
            401: components["responses"]["native401"];
            403: components["responses"]["native403"];
            404: components["responses"]["native404"];
            413: components["responses"]["native413"];
            429: components["responses"]["native429"];
            500: components["responses"]["native500"];
            503: components["responses"]["native503"];
        };
    };
    listModels: {
        parameters: {
            query?: {
                provider?: string;
                capability?: "text" | "vision" | "document" | "audio" | "tool_use" | "structured_output" | "web_search" | "code_execution" | "image_generation";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Service-Request-Id": components["headers"]["X-Service-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListModelsResult"];
                };
            };
            400: components["responses"]["native400"];
            429: components["responses"]["native429"];
            500: components["responses"]["native500"];
            503: components["responses"]["native503"];
        };
    };
    listCompatibleModels: {
        parameters: {
            query?: {
                /** @description At most this many entries */
                limit?: number;
                after_id?: string;
                before_id?: string;
            };
            header?: {
                /** @description With a secret key: acts for this customer of the project, who is charged. */
                "X-Service-Customer-Id"?: components["parameters"]["ServiceCustomerId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Service-Request-Id": components["headers"]["X-Service-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "object": "list",
                     *       "data": [
                     *         {
                     *           "id": "id",
                     *           "object": "model",
                     *           "created": 1795339800,
                     *           "owned_by": "owned-by",
                     *           "context_length": 1,
                     *           "architecture": {
                     *             "input_modalities": [
                     *               "input-modalitie"
                     *             ],
                     *             "output_modalities": [
                     *               "output-modalitie"
                     *             ]
                     *           },
                     *           "supported_parameters": [
                     *             "supported-parameter"
                     *           ]
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["OpenAiModelList"] | components["schemas"]["AnthropicModelList"];
                };
            };
            400: components["responses"]["vendors400"];
            401: components["responses"]["vendors401"];
            403: components["responses"]["vendors403"];
            404: components["responses"]["vendors404"];
            429: components["responses"]["vendors429"];
            500: components["responses"]["vendors500"];
            503: components["responses"]["vendors503"];
        };
    };
    getCompatibleModel: {
        parameters: {
            query?: never;
            header?: {
                /** @description With a secret key: acts for this customer of the project, who is charged. */
                "X-Service-Customer-Id"?: components["parameters"]["ServiceCustomerId"];
            };
            path: {
                /** @description The model of the model */
                model: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Service-Request-Id": components["headers"]["X-Service-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "id",
                     *       "object": "model",
                     *       "created": 1795339800,
                     *       "owned_by": "owned-by",
                     *       "context_length": 1,
                     *       "architecture": {
                     *         "input_modalities": [
                     *           "input-modalitie"
                     *         ],
                     *         "output_modalities": [
                     *           "output-modalitie"
                     *         ]
                     *       },
                     *       "supported_parameters": [
                     *         "supported-parameter"
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["OpenAiModel"] | components["schemas"]["AnthropicModel"];
                };
            };
            400: components["responses"]["vendors400"];
            401: components["responses"]["vendors401"];
            403: components["responses"]["vendors403"];
            404: components["responses"]["vendors404"];
            429: components["responses"]["vendors429"];
            500: components["responses"]["vendors500"];
            503: components["responses"]["vendors503"];
        };
    };
    getCompatibleModelOfProvider: {
        parameters: {
            query?: never;
            header?: {
                /** @description With a secret key: acts for this customer of the project, who is charged. */
                "X-Service-Customer-Id"?: components["parameters"]["ServiceCustomerId"];
            };
            path: {
                /** @description The provider of the model */
                provider: string;
                /** @description The model of the :provider */
                model: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Service-Request-Id": components["headers"]["X-Service-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "id",
                     *       "object": "model",
                     *       "created": 1795339800,
                     *       "owned_by": "owned-by",
                     *       "context_length": 1,
                     *       "architecture": {
                     *         "input_modalities": [
                     *           "input-modalitie"
                     *         ],
                     *         "output_modalities": [
                     *           "output-modalitie"
                     *         ]
                     *       },
                     *       "supported_parameters": [
                     *         "supported-parameter"
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["OpenAiModel"] | components["schemas"]["AnthropicModel"];
                };
            };
            400: components["responses"]["vendors400"];
            401: components["responses"]["vendors401"];
            403: components["responses"]["vendors403"];
            404: components["responses"]["vendors404"];
            429: components["responses"]["vendors429"];
            500: components["responses"]["vendors500"];
            503: components["responses"]["vendors503"];
        };
    };
    createResponseBatch: {
        parameters: {
            query?: never;
            header?: {
                /** @description With a secret key: acts for this customer of the project, who is charged. */
                "X-Service-Customer-Id"?: components["parameters"]["ServiceCustomerId"];
                /** @description Same key and same body: same answer, no second effect, at most one charge. Kept for 24 hours. A request with a key is generated to its end, and charged in full, when its client leaves: the repeat gets the answer. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /** @description Whether an exact repeat may be answered from the response cache, at no charge. Default: as the project says. */
                "X-Service-Cache"?: components["parameters"]["ServiceCache"];
            };
            path?: never;
            cookie?: never;
        };
        /** @description At most 33554432 bytes, 200000 members and elements, and 100000 members of objects. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateBatchRequest"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Service-Request-Id": components["headers"]["X-Service-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Batch"];
                };
            };
            400: components["responses"]["native400"];
            401: components["responses"]["native401"];
            403: components["responses"]["native403"];
            404: components["responses"]["native404"];
            409: components["responses"]["native409"];
            413: components["responses"]["native413"];
            429: components["responses"]["native429"];
            500: components["responses"]["native500"];
            503: components["responses"]["native503"];
        };
    };
    createEmbeddings: {
        parameters: {
            query?: never;
            header?: {
                /** @description With a secret key: acts for this customer of the project, who is charged. */
                "X-Service-Customer-Id"?: components["parameters"]["ServiceCustomerId"];
                /** @description Same key and same body: same answer, no second effect, at most one charge. Kept for 24 hours. A request with a key is generated to its end, and charged in full, when its client leaves: the repeat gets the answer. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        /** @description At most 33554432 bytes, 200000 members and elements, and 100000 members of objects. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateEmbeddingsRequest"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Service-Request-Id": components["headers"]["X-Service-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EmbeddingsResult"];
                };
            };
            400: components["responses"]["openai400"];
            401: components["responses"]["openai401"];
            402: components["responses"]["openai402"];
            403: components["responses"]["openai403"];
            404: components["responses"]["openai404"];
            409: components["responses"]["openai409"];
            413: components["responses"]["openai413"];
            429: components["responses"]["openai429"];
            500: components["responses"]["openai500"];
            503: components["responses"]["openai503"];
        };
    };
    createModeration: {
        parameters: {
            query?: never;
            header?: {
                /** @description With a secret key: acts for this customer of the project, who is charged. */
                "X-Service-Customer-Id"?: components["parameters"]["ServiceCustomerId"];
                /** @description Same key and same body: same answer, no second effect, at most one charge. Kept for 24 hours. A request with a key is generated to its end, and charged in full, when its client leaves: the repeat gets the answer. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        /** @description At most 33554432 bytes, 200000 members and elements, and 100000 members of objects. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["ModerationsRequest"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Service-Request-Id": components["headers"]["X-Service-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ModerationsResult"];
                };
            };
            400: components["responses"]["openai400"];
            401: components["responses"]["openai401"];
            402: components["responses"]["openai402"];
            403: components["responses"]["openai403"];
            404: components["responses"]["openai404"];
            409: components["responses"]["openai409"];
            413: components["responses"]["openai413"];
            429: components["responses"]["openai429"];
            500: components["responses"]["openai500"];
            503: components["responses"]["openai503"];
        };
    };
    createSpeech: {
        parameters: {
            query?: never;
            header?: {
                /** @description With a secret key: acts for this customer of the project, who is charged. */
                "X-Service-Customer-Id"?: components["parameters"]["ServiceCustomerId"];
                /** @description Same key and same body: same answer, no second effect, at most one charge. Kept for 24 hours. A request with a key is generated to its end, and charged in full, when its client leaves: the repeat gets the answer. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        /** @description At most 33554432 bytes, 200000 members and elements, and 100000 members of objects. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateSpeechRequest"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Service-Request-Id": components["headers"]["X-Service-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "audio/*": string;
                };
            };
            400: components["responses"]["openai400"];
            401: components["responses"]["openai401"];
            402: components["responses"]["openai402"];
            403: components["responses"]["openai403"];
            404: components["responses"]["openai404"];
            409: components["responses"]["openai409"];
            413: components["responses"]["openai413"];
            429: components["responses"]["openai429"];
            500: components["responses"]["openai500"];
            503: components["responses"]["openai503"];
        };
    };
    createTranscription: {
        parameters: {
            query?: never;
            header?: {
                /** @description With a secret key: acts for this customer of the project, who is charged. */
                "X-Service-Customer-Id"?: components["parameters"]["ServiceCustomerId"];
                /** @description Same key and same body: same answer, no second effect, at most one charge. Kept for 24 hours. A request with a key is generated to its end, and charged in full, when its client leaves: the repeat gets the answer. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        /** @description At most 33554432 bytes. */
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "model": "sandbox/echo-1",
                 *       "file": "file"
                 *     }
                 */
                "multipart/form-data": {
                    model: string;
                    prompt?: string;
                    temperature?: string;
                    language?: string;
                    /** @enum {string} */
                    response_format?: "json" | "text" | "srt" | "verbose_json" | "vtt" | "diarized_json";
                    /** @constant */
                    stream?: "false";
                    /**
                     * Format: binary
                     * @description The recording
                     */
                    file: string;
                };
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Service-Request-Id": components["headers"]["X-Service-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TranscriptionResult"];
                    /** @example text */
                    "text/plain": string;
                };
            };
            400: components["responses"]["openai400"];
            401: components["responses"]["openai401"];
            402: components["responses"]["openai402"];
            403: components["responses"]["openai403"];
            404: components["responses"]["openai404"];
            409: components["responses"]["openai409"];
            413: components["responses"]["openai413"];
            429: components["responses"]["openai429"];
            500: components["responses"]["openai500"];
            503: components["responses"]["openai503"];
        };
    };
    createTranslation: {
        parameters: {
            query?: never;
            header?: {
                /** @description With a secret key: acts for this customer of the project, who is charged. */
                "X-Service-Customer-Id"?: components["parameters"]["ServiceCustomerId"];
                /** @description Same key and same body: same answer, no second effect, at most one charge. Kept for 24 hours. A request with a key is generated to its end, and charged in full, when its client leaves: the repeat gets the answer. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        /** @description At most 33554432 bytes. */
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "model": "sandbox/echo-1",
                 *       "file": "file"
                 *     }
                 */
                "multipart/form-data": {
                    model: string;
                    prompt?: string;
                    temperature?: string;
                    /** @enum {string} */
                    response_format?: "json" | "text" | "srt" | "verbose_json" | "vtt";
                    /**
                     * Format: binary
                     * @description The recording
                     */
                    file: string;
                };
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Service-Request-Id": components["headers"]["X-Service-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TranscriptionResult"];
                    /** @example text */
                    "text/plain": string;
                };
            };
            400: components["responses"]["openai400"];
            401: components["responses"]["openai401"];
            402: components["responses"]["openai402"];
            403: components["responses"]["openai403"];
            404: components["responses"]["openai404"];
            409: components["responses"]["openai409"];
            413: components["responses"]["openai413"];
            429: components["responses"]["openai429"];
            500: components["responses"]["openai500"];
            503: components["responses"]["openai503"];
        };
    };
    createImages: {
        parameters: {
            query?: never;
            header?: {
                /** @description With a secret key: acts for this customer of the project, who is charged. */
                "X-Service-Customer-Id"?: components["parameters"]["ServiceCustomerId"];
                /** @description Same key and same body: same answer, no second effect, at most one charge. Kept for 24 hours. A request with a key is generated to its end, and charged in full, when its client leaves: the repeat gets the answer. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        /** @description At most 33554432 bytes, 200000 members and elements, and 100000 members of objects. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["ImagesGenerationsRequest"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Service-Request-Id": components["headers"]["X-Service-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    "X-Service-Dropped-Parameters": components["headers"]["X-Service-Dropped-Parameters"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ImagesResult"];
                };
            };
            400: components["responses"]["openai400"];
            401: components["responses"]["openai401"];
            402: components["responses"]["openai402"];
            403: components["responses"]["openai403"];
            404: components["responses"]["openai404"];
            409: components["responses"]["openai409"];
            413: components["responses"]["openai413"];
            429: components["responses"]["openai429"];
            500: components["responses"]["openai500"];
            503: components["responses"]["openai503"];
        };
    };
    editImages: {
        parameters: {
            query?: never;
            header?: {
                /** @description With a secret key: acts for this customer of the project, who is charged. */
                "X-Service-Customer-Id"?: components["parameters"]["ServiceCustomerId"];
                /** @description Same key and same body: same answer, no second effect, at most one charge. Kept for 24 hours. A request with a key is generated to its end, and charged in full, when its client leaves: the repeat gets the answer. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        /** @description At most 33554432 bytes. */
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "prompt": "A tollgate at dawn, watercolor",
                 *       "image": "image"
                 *     }
                 */
                "multipart/form-data": {
                    model?: string;
                    prompt: string;
                    n?: string;
                    size?: string;
                    /** @enum {string} */
                    response_format?: "url" | "b64_json";
                    quality?: string | null;
                    background?: string | null;
                    moderation?: string | null;
                    output_format?: string | null;
                    style?: string | null;
                    input_fidelity?: string | null;
                    output_compression?: string;
                    /** @constant */
                    stream?: "false";
                    /** @constant */
                    partial_images?: "0";
                    /**
                     * Format: binary
                     * @description The image to start from
                     */
                    image: string;
                    /**
                     * Format: binary
                     * @description Transparent where the image is to be replaced
                     */
                    mask?: string;
                };
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Service-Request-Id": components["headers"]["X-Service-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    "X-Service-Dropped-Parameters": components["headers"]["X-Service-Dropped-Parameters"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ImagesResult"];
                };
            };
            400: components["responses"]["openai400"];
            401: components["responses"]["openai401"];
            402: components["responses"]["openai402"];
            403: components["responses"]["openai403"];
            404: components["responses"]["openai404"];
            409: components["responses"]["openai409"];
            413: components["responses"]["openai413"];
            429: components["responses"]["openai429"];
            500: components["responses"]["openai500"];
            503: components["responses"]["openai503"];
        };
    };
    countMessageTokens: {
        parameters: {
            query?: never;
            header?: {
                /** @description With a secret key: acts for this customer of the project, who is charged. */
                "X-Service-Customer-Id"?: components["parameters"]["ServiceCustomerId"];
            };
            path?: never;
            cookie?: never;
        };
        /** @description At most 33554432 bytes, 200000 members and elements, and 100000 members of objects. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["CountMessageTokensRequest"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Service-Request-Id": components["headers"]["X-Service-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CountMessageTokensResult"];
                };
            };
            400: components["responses"]["anthropic400"];
            401: components["responses"]["anthropic401"];
            403: components["responses"]["anthropic403"];
            404: components["responses"]["anthropic404"];
            413: components["responses"]["anthropic413"];
            429: components["responses"]["anthropic429"];
            500: components["responses"]["anthropic500"];
            503: components["responses"]["anthropic503"];
        };
    };
    countResponseTokens: {
        parameters: {
            query?: never;
            header?: {
                /** @description With a secret key: acts for this customer of the project, who is charged. */
                "X-Service-Customer-Id"?: components["parameters"]["ServiceCustomerId"];
            };
            path?: never;
            cookie?: never;
        };
        /** @description At most 33554432 bytes, 200000 members and elements, and 100000 members of objects. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["ResponsesInputTokensRequest"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Service-Request-Id": components["headers"]["X-Service-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CountResponseTokensResult"];
                };
            };
            400: components["responses"]["openai400"];
            401: components["responses"]["openai401"];
            403: components["responses"]["openai403"];
            404: components["responses"]["openai404"];
            413: components["responses"]["openai413"];
            429: components["responses"]["openai429"];
            500: components["responses"]["openai500"];
            503: components["responses"]["openai503"];
        };
    };
    getOpenAiResponse: {
        parameters: {
            query?: {
                stream?: "0" | "false";
            };
            header?: {
                /** @description With a secret key: acts for this customer of the project, who is charged. */
                "X-Service-Customer-Id"?: components["parameters"]["ServiceCustomerId"];
            };
            path: {
                /** @description The id of the response */
                response_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Service-Request-Id": components["headers"]["X-Service-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OpenAiResponse"];
                };
            };
            400: components["responses"]["openai400"];
            401: components["responses"]["openai401"];
            403: components["responses"]["openai403"];
            404: components["responses"]["openai404"];
            429: components["responses"]["openai429"];
            500: components["responses"]["openai500"];
            503: components["responses"]["openai503"];
        };
    };
    deleteOpenAiResponse: {
        parameters: {
            query?: never;
            header?: {
                /** @description With a secret key: acts for this customer of the project, who is charged. */
                "X-Service-Customer-Id"?: components["parameters"]["ServiceCustomerId"];
            };
            path: {
                /** @description The id of the response */
                response_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Service-Request-Id": components["headers"]["X-Service-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DeleteCompatibleResponseResult"];
                };
            };
            400: components["responses"]["openai400"];
            401: components["responses"]["openai401"];
            403: components["responses"]["openai403"];
            404: components["responses"]["openai404"];
            413: components["responses"]["openai413"];
            429: components["responses"]["openai429"];
            500: components["responses"]["openai500"];
            503: components["responses"]["openai503"];
        };
    };
    listResponseInputItems: {
        parameters: {
            query?: {
                /** @description At most this many entries */
                limit?: number;
                order?: "asc" | "desc";
                after?: string;
            };
            header?: {
                /** @description With a secret key: acts for this customer of the project, who is charged. */
                "X-Service-Customer-Id"?: components["parameters"]["ServiceCustomerId"];
            };
            path: {
                /** @description The id of the response */
                response_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Service-Request-Id": components["headers"]["X-Service-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListResponseInputItemsResult"];
                };
            };
            400: components["responses"]["openai400"];
            401: components["responses"]["openai401"];
            403: components["responses"]["openai403"];
            404: components["responses"]["openai404"];
            429: components["responses"]["openai429"];
            500: components["responses"]["openai500"];
            503: components["responses"]["openai503"];
        };
    };
    listFiles: {
        parameters: {
            query?: {
                /** @description At most this many entries */
                limit?: number;
                order?: "asc" | "desc";
                after?: string;
                purpose?: string;
            };
            header?: {
                /** @description With a secret key: acts for this customer of the project, who is charged. */
                "X-Service-Customer-Id"?: components["parameters"]["ServiceCustomerId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Service-Request-Id": components["headers"]["X-Service-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListFilesResult"];
                };
            };
            400: components["responses"]["openai400"];
            401: components["responses"]["openai401"];
            403: components["responses"]["openai403"];
            404: components["responses"]["openai404"];
            429: components["responses"]["openai429"];
            500: components["responses"]["openai500"];
            503: components["responses"]["openai503"];
        };
    };
    createFile: {
        parameters: {
            query?: never;
            header?: {
                /** @description With a secret key: acts for this customer of the project, who is charged. */
                "X-Service-Customer-Id"?: components["parameters"]["ServiceCustomerId"];
            };
            path?: never;
            cookie?: never;
        };
        /** @description At most 209715200 bytes. */
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "purpose": "batch",
                 *       "file": "file"
                 *     }
                 */
                "multipart/form-data": {
                    /** @constant */
                    purpose: "batch";
                    /** @constant */
                    "expires_after[anchor]"?: "created_at";
                    "expires_after[seconds]"?: number;
                    /**
                     * Format: binary
                     * @description Lines of JSON
                     */
                    file: string;
                };
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Service-Request-Id": components["headers"]["X-Service-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["File"];
                };
            };
            400: components["responses"]["openai400"];
            401: components["responses"]["openai401"];
            403: components["responses"]["openai403"];
            404: components["responses"]["openai404"];
            409: components["responses"]["openai409"];
            413: components["responses"]["openai413"];
            429: components["responses"]["openai429"];
            500: components["responses"]["openai500"];
            503: components["responses"]["openai503"];
        };
    };
    getFile: {
        parameters: {
            query?: never;
            header?: {
                /** @description With a secret key: acts for this customer of the project, who is charged. */
                "X-Service-Customer-Id"?: components["parameters"]["ServiceCustomerId"];
            };
            path: {
                /** @description The id of the file */
                file_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Service-Request-Id": components["headers"]["X-Service-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["File"];
                };
            };
            400: components["responses"]["openai400"];
            401: components["responses"]["openai401"];
            403: components["responses"]["openai403"];
            404: components["responses"]["openai404"];
            429: components["responses"]["openai429"];
            500: components["responses"]["openai500"];
            503: components["responses"]["openai503"];
        };
    };
    deleteFile: {
        parameters: {
            query?: never;
            header?: {
                /** @description With a secret key: acts for this customer of the project, who is charged. */
                "X-Service-Customer-Id"?: components["parameters"]["ServiceCustomerId"];
            };
            path: {
                /** @description The id of the file */
                file_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Service-Request-Id": components["headers"]["X-Service-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DeleteFileResult"];
                };
            };
            400: components["responses"]["openai400"];
            401: components["responses"]["openai401"];
            403: components["responses"]["openai403"];
            404: components["responses"]["openai404"];
            413: components["responses"]["openai413"];
            429: components["responses"]["openai429"];
            500: components["responses"]["openai500"];
            503: components["responses"]["openai503"];
        };
    };
    getFileContent: {
        parameters: {
            query?: never;
            header?: {
                /** @description With a secret key: acts for this customer of the project, who is charged. */
                "X-Service-Customer-Id"?: components["parameters"]["ServiceCustomerId"];
            };
            path: {
                /** @description The id of the file */
                file_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Service-Request-Id": components["headers"]["X-Service-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /** @example text */
                    "application/octet-stream": string;
                };
            };
            400: components["responses"]["openai400"];
            401: components["responses"]["openai401"];
            403: components["responses"]["openai403"];
            404: components["responses"]["openai404"];
            429: components["responses"]["openai429"];
            500: components["responses"]["openai500"];
            503: components["responses"]["openai503"];
        };
    };
    listFileBatches: {
        parameters: {
            query?: {
                /** @description At most this many entries */
                limit?: number;
                after?: string;
            };
            header?: {
                /** @description With a secret key: acts for this customer of the project, who is charged. */
                "X-Service-Customer-Id"?: components["parameters"]["ServiceCustomerId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Service-Request-Id": components["headers"]["X-Service-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListBatchesResult"];
                };
            };
            400: components["responses"]["openai400"];
            401: components["responses"]["openai401"];
            403: components["responses"]["openai403"];
            404: components["responses"]["openai404"];
            429: components["responses"]["openai429"];
            500: components["responses"]["openai500"];
            503: components["responses"]["openai503"];
        };
    };
    createFileBatch: {
        parameters: {
            query?: never;
            header?: {
                /** @description With a secret key: acts for this customer of the project, who is charged. */
                "X-Service-Customer-Id"?: components["parameters"]["ServiceCustomerId"];
            };
            path?: never;
            cookie?: never;
        };
        /** @description At most 1048576 bytes, 200000 members and elements, and 100000 members of objects. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateFileBatchRequest"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Service-Request-Id": components["headers"]["X-Service-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FileBatch"];
                };
            };
            400: components["responses"]["openai400"];
            401: components["responses"]["openai401"];
            403: components["responses"]["openai403"];
            404: components["responses"]["openai404"];
            409: components["responses"]["openai409"];
            413: components["responses"]["openai413"];
            429: components["responses"]["openai429"];
            500: components["responses"]["openai500"];
            503: components["responses"]["openai503"];
        };
    };
    getFileBatch: {
        parameters: {
            query?: never;
            header?: {
                /** @description With a secret key: acts for this customer of the project, who is charged. */
                "X-Service-Customer-Id"?: components["parameters"]["ServiceCustomerId"];
            };
            path: {
                /** @description The id of the batche */
                batch_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Service-Request-Id": components["headers"]["X-Service-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FileBatch"];
                };
            };
            400: components["responses"]["openai400"];
            401: components["responses"]["openai401"];
            403: components["responses"]["openai403"];
            404: components["responses"]["openai404"];
            429: components["responses"]["openai429"];
            500: components["responses"]["openai500"];
            503: components["responses"]["openai503"];
        };
    };
    cancelFileBatch: {
        parameters: {
            query?: never;
            header?: {
                /** @description With a secret key: acts for this customer of the project, who is charged. */
                "X-Service-Customer-Id"?: components["parameters"]["ServiceCustomerId"];
            };
            path: {
                /** @description The id of the batche */
                batch_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Service-Request-Id": components["headers"]["X-Service-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FileBatch"];
                };
            };
            400: components["responses"]["openai400"];
            401: components["responses"]["openai401"];
            403: components["responses"]["openai403"];
            404: components["responses"]["openai404"];
            409: components["responses"]["openai409"];
            413: components["responses"]["openai413"];
            429: components["responses"]["openai429"];
            500: components["responses"]["openai500"];
            503: components["responses"]["openai503"];
        };
    };
    listGoogleModels: {
        parameters: {
            query?: {
                pageSize?: number;
                pageToken?: string;
            };
            header?: {
                /** @description With a secret key: acts for this customer of the project, who is charged. */
                "X-Service-Customer-Id"?: components["parameters"]["ServiceCustomerId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Service-Request-Id": components["headers"]["X-Service-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GoogleModelList"];
                };
            };
            400: components["responses"]["google400"];
            401: components["responses"]["google401"];
            403: components["responses"]["google403"];
            404: components["responses"]["google404"];
            429: components["responses"]["google429"];
            500: components["responses"]["google500"];
            503: components["responses"]["google503"];
        };
    };
    getGoogleModel: {
        parameters: {
            query?: never;
            header?: {
                /** @description With a secret key: acts for this customer of the project, who is charged. */
                "X-Service-Customer-Id"?: components["parameters"]["ServiceCustomerId"];
            };
            path: {
                /** @description The model of the model */
                model: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Service-Request-Id": components["headers"]["X-Service-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GoogleModel"];
                };
            };
            400: components["responses"]["google400"];
            401: components["responses"]["google401"];
            403: components["responses"]["google403"];
            404: components["responses"]["google404"];
            429: components["responses"]["google429"];
            500: components["responses"]["google500"];
            503: components["responses"]["google503"];
        };
    };
    countGoogleTokens: {
        parameters: {
            query?: never;
            header?: {
                /** @description With a secret key: acts for this customer of the project, who is charged. */
                "X-Service-Customer-Id"?: components["parameters"]["ServiceCustomerId"];
            };
            path: {
                /** @description The model of the model */
                model: string;
            };
            cookie?: never;
        };
        /** @description At most 33554432 bytes, 200000 members and elements, and 100000 members of objects. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["GoogleCountTokensRequest"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Service-Request-Id": components["headers"]["X-Service-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GoogleCountTokensResult"];
                };
            };
            400: components["responses"]["google400"];
            401: components["responses"]["google401"];
            403: components["responses"]["google403"];
            404: components["responses"]["google404"];
            413: components["responses"]["google413"];
            429: components["responses"]["google429"];
            500: components["responses"]["google500"];
            503: components["responses"]["google503"];
        };
    };
    embedGoogleContent: {
        parameters: {
            query?: never;
            header?: {
                /** @description With a secret key: acts for this customer of the project, who is charged. */
                "X-Service-Customer-Id"?: components["parameters"]["ServiceCustomerId"];
                /** @description Same key and same body: same answer, no second effect, at most one charge. Kept for 24 hours. A request with a key is generated to its end, and charged in full, when its client leaves: the repeat gets the answer. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description The model of the model */
                model: string;
            };
            cookie?: never;
        };
        /** @description At most 33554432 bytes, 200000 members and elements, and 100000 members of objects. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["GoogleEmbedRequest"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Service-Request-Id": components["headers"]["X-Service-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GoogleEmbedResult"];
                };
            };
            400: components["responses"]["google400"];
            401: components["responses"]["google401"];
            402: components["responses"]["google402"];
            403: components["responses"]["google403"];
            404: components["responses"]["google404"];
            409: components["responses"]["google409"];
            413: components["responses"]["google413"];
            429: components["responses"]["google429"];
            500: components["responses"]["google500"];
            503: components["responses"]["google503"];
        };
    };
    batchEmbedGoogleContents: {
        parameters: {
            query?: never;
            header?: {
                /** @description With a secret key: acts for this customer of the project, who is charged. */
                "X-Service-Customer-Id"?: components["parameters"]["ServiceCustomerId"];
                /** @description Same key and same body: same answer, no second effect, at most one charge. Kept for 24 hours. A request with a key is generated to its end, and charged in full, when its client leaves: the repeat gets the answer. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description The model of the model */
                model: string;
            };
            cookie?: never;
        };
        /** @description At most 33554432 bytes, 200000 members and elements, and 100000 members of objects. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["GoogleBatchEmbedRequest"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Service-Request-Id": components["headers"]["X-Service-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GoogleBatchEmbedResult"];
                };
            };
            400: components["responses"]["google400"];
            401: components["responses"]["google401"];
            402: components["responses"]["google402"];
            403: components["responses"]["google403"];
            404: components["responses"]["google404"];
            409: components["responses"]["google409"];
            413: components["responses"]["google413"];
            429: components["responses"]["google429"];
            500: components["responses"]["google500"];
            503: components["responses"]["google503"];
        };
    };
    generateImage: {
        parameters: {
            query?: never;
            header?: {
                /** @description With a secret key: acts for this customer of the project, who is charged. */
                "X-Service-Customer-Id"?: components["parameters"]["ServiceCustomerId"];
                /** @description Same key and same body: same answer, no second effect, at most one charge. Kept for 24 hours. A request with a key is generated to its end, and charged in full, when its client leaves: the repeat gets the answer. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        /** @description At most 33554432 bytes, 200000 members and elements, and 100000 members of objects. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["GenerateImageRequest"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Service-Request-Id": components["headers"]["X-Service-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ImageGenerationResult"];
                };
            };
            400: components["responses"]["images400"];
            401: components["responses"]["images401"];
            402: components["responses"]["images402"];
            403: components["responses"]["images403"];
            404: components["responses"]["images404"];
            409: components["responses"]["images409"];
            413: components["responses"]["images413"];
            429: components["responses"]["images429"];
            500: components["responses"]["images500"];
            503: components["responses"]["images503"];
        };
    };
    getImage: {
        parameters: {
            query?: never;
            header?: {
                /** @description With a secret key: acts for this customer of the project, who is charged. */
                "X-Service-Customer-Id"?: components["parameters"]["ServiceCustomerId"];
            };
            path: {
                /** @description The id of the image */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Service-Request-Id": components["headers"]["X-Service-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["StoredImage"];
                };
            };
            400: components["responses"]["native400"];
            401: components["responses"]["native401"];
            403: components["responses"]["native403"];
            404: components["responses"]["native404"];
            410: components["responses"]["native410"];
            429: components["responses"]["native429"];
            500: components["responses"]["native500"];
            503: components["responses"]["native503"];
        };
    };
    getImageFile: {
        parameters: {
            query: {
                token: string;
            };
            header?: never;
            path: {
                /** @description The id of the image */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Service-Request-Id": components["headers"]["X-Service-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "image/*": string;
                };
            };
            400: components["responses"]["native400"];
            404: components["responses"]["native404"];
            410: components["responses"]["native410"];
            429: components["responses"]["native429"];
            500: components["responses"]["native500"];
            503: components["responses"]["native503"];
        };
    };
    pinImage: {
        parameters: {
            query?: never;
            header?: {
                /** @description With a secret key: acts for this customer of the project, who is charged. */
                "X-Service-Customer-Id"?: components["parameters"]["ServiceCustomerId"];
            };
            path: {
                /** @description The id of the image */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Service-Request-Id": components["headers"]["X-Service-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["StoredImage"];
                };
            };
            400: components["responses"]["native400"];
            401: components["responses"]["native401"];
            403: components["responses"]["native403"];
            404: components["responses"]["native404"];
            410: components["responses"]["native410"];
            413: components["responses"]["native413"];
            429: components["responses"]["native429"];
            500: components["responses"]["native500"];
            503: components["responses"]["native503"];
        };
    };
    unpinImage: {
        parameters: {
            query?: never;
            header?: {
                /** @description With a secret key: acts for this customer of the project, who is charged. */
                "X-Service-Customer-Id"?: components["parameters"]["ServiceCustomerId"];
            };
            path: {
                /** @description The id of the image */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Service-Request-Id": components["headers"]["X-Service-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["StoredImage"];
                };
            };
            400: components["responses"]["native400"];
            401: components["responses"]["native401"];
            403: components["responses"]["native403"];
            404: components["responses"]["native404"];
            410: components["responses"]["native410"];
            413: components["responses"]["native413"];
            429: components["responses"]["native429"];
            500: components["responses"]["native500"];
            503: components["responses"]["native503"];
        };
    };
    listStateHandles: {
        parameters: {
            query?: {
                /** @description At most this many entries */
                limit?: number;
                /** @description Skips this many entries; `next_cursor` of a page is the offset of the next one */
                offset?: number;
            };
            header?: {
                /** @description With a secret key: acts for this customer of the project, who is charged. */
                "X-Service-Customer-Id"?: components["parameters"]["ServiceCustomerId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Service-Request-Id": components["headers"]["X-Service-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListStateHandlesResult"];
                };
            };
            400: components["responses"]["native400"];
            401: components["responses"]["native401"];
            403: components["responses"]["native403"];
            404: components["responses"]["native404"];
            429: components["responses"]["native429"];
            500: components["responses"]["native500"];
            503: components["responses"]["native503"];
        };
    };
    createStateHandle: {
        parameters: {
            query?: never;
            header?: {
                /** @description With a secret key: acts for this customer of the project, who is charged. */
                "X-Service-Customer-Id"?: components["parameters"]["ServiceCustomerId"];
                /** @description Same key and same body: same answer, no second effect, at most one charge. Kept for 24 hours. A request with a key is generated to its end, and charged in full, when its client leaves: the repeat gets the answer. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        /** @description At most 1048576 bytes, 200000 members and elements, and 100000 members of objects. */
        requestBody?: {
            content: {
                "application/json": components["schemas"]["CreateStateHandleRequest"];
            };
        };
        responses: {
            /** @description Success */
            201: {
                headers: {
                    "X-Service-Request-Id": components["headers"]["X-Service-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["StateHandle"];
                };
            };
            400: components["responses"]["native400"];
            401: components["responses"]["native401"];
            403: components["responses"]["native403"];
            404: components["responses"]["native404"];
            409: components["responses"]["native409"];
            413: components["responses"]["native413"];
            429: components["responses"]["native429"];
            500: components["responses"]["native500"];
            503: components["responses"]["native503"];
        };
    };
    deleteStateHandle: {
        parameters: {
            query?: never;
            header?: {
                /** @description With a secret key: acts for this customer of the project, who is charged. */
                "X-Service-Customer-Id"?: components["parameters"]["ServiceCustomerId"];
            };
            path: {
                /** @description The id of the state handle */
                state_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            204: {
                headers: {
                    "X-Service-Request-Id": components["headers"]["X-Service-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["native400"];
            401: components["responses"]["native401"];
            403: components["responses"]["native403"];
            404: components["responses"]["native404"];
            413: components["responses"]["native413"];
            429: components["responses"]["native429"];
            500: components["responses"]["native500"];
            503: components["responses"]["native503"];
        };
    };
    listSessions: {
        parameters: {
            query?: {
                /** @description At most this many entries */
                limit?: number;
                /** @description Skips this many entries; `next_cursor` of a page is the offset of the next one */
                offset?: number;
            };
            header?: {
                /** @description With a secret key: acts for this customer of the project, who is charged. */
                "X-Service-Customer-Id"?: components["parameters"]["ServiceCustomerId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Service-Request-Id": components["headers"]["X-Service-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListSessionsResult"];
                };
            };
            400: components["responses"]["native400"];
            401: components["responses"]["native401"];
            403: components["responses"]["native403"];
            404: components["responses"]["native404"];
            429: components["responses"]["native429"];
            500: components["responses"]["native500"];
            503: components["responses"]["native503"];
        };
    };
    createSession: {
        parameters: {
            query?: never;
            header?: {
                /** @description With a secret key: acts for this customer of the project, who is charged. */
                "X-Service-Customer-Id"?: components["parameters"]["ServiceCustomerId"];
                /** @description Same key and same body: same answer, no second effect, at most one charge. Kept for 24 hours. A request with a key is generated to its end, and charged in full, when its client leaves: the repeat gets the answer. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        /** @description At most 8388608 bytes, 200000 members and elements, and 100000 members of objects. */
        requestBody?: {
            content: {
                "application/json": components["schemas"]["CreateSessionRequest"];
            };
        };
        responses: {
            /** @description Success */
            201: {
                headers: {
                    "X-Service-Request-Id": components["headers"]["X-Service-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Session"];
                };
            };
            400: components["responses"]["native400"];
            401: components["responses"]["native401"];
            403: components["responses"]["native403"];
            404: components["responses"]["native404"];
            409: components["responses"]["native409"];
            413: components["responses"]["native413"];
            429: components["responses"]["native429"];
            500: components["responses"]["native500"];
            503: components["responses"]["native503"];
        };
    };
    getSession: {
        parameters: {
            query?: never;
            header?: {
                /** @description With a secret key: acts for this customer of the project, who is charged. */
                "X-Service-Customer-Id"?: components["parameters"]["ServiceCustomerId"];
            };
            path: {
                /** @description The id of the session */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Service-Request-Id": components["headers"]["X-Service-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SessionWithMessages"];
                };
            };
            400: components["responses"]["native400"];
            401: components["responses"]["native401"];
            403: components["responses"]["native403"];
            404: components["responses"]["native404"];
            429: components["responses"]["native429"];
            500: components["responses"]["native500"];
            503: components["responses"]["native503"];
        };
    };
    deleteSession: {
        parameters: {
            query?: never;
            header?: {
                /** @description With a secret key: acts for this customer of the project, who is charged. */
                "X-Service-Customer-Id"?: components["parameters"]["ServiceCustomerId"];
            };
            path: {
                /** @description The id of the session */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            204: {
                headers: {
                    "X-Service-Request-Id": components["headers"]["X-Service-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["native400"];
            401: components["responses"]["native401"];
            403: components["responses"]["native403"];
            404: components["responses"]["native404"];
            413: components["responses"]["native413"];
            429: components["responses"]["native429"];
            500: components["responses"]["native500"];
            503: components["responses"]["native503"];
        };
    };
    updateSession: {
        parameters: {
            query?: never;
            header?: {
                /** @description With a secret key: acts for this customer of the project, who is charged. */
                "X-Service-Customer-Id"?: components["parameters"]["ServiceCustomerId"];
            };
            path: {
                /** @description The id of the session */
                id: string;
            };
            cookie?: never;
        };
        /** @description At most 8388608 bytes, 200000 members and elements, and 100000 members of objects. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["UpdateSessionRequest"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Service-Request-Id": components["headers"]["X-Service-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Session"];
                };
            };
            400: components["responses"]["native400"];
            401: components["responses"]["native401"];
            403: components["responses"]["native403"];
            404: components["responses"]["native404"];
            413: components["responses"]["native413"];
            429: components["responses"]["native429"];
            500: components["responses"]["native500"];
            503: components["responses"]["native503"];
        };
    };
    appendSessionMessage: {
        parameters: {
            query?: never;
            header?: {
                /** @description With a secret key: acts for this customer of the project, who is charged. */
                "X-Service-Customer-Id"?: components["parameters"]["ServiceCustomerId"];
                /** @description Same key and same body: same answer, no second effect, at most one charge. Kept for 24 hours. A request with a key is generated to its end, and charged in full, when its client leaves: the repeat gets the answer. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description The id of the session */
                id: string;
            };
            cookie?: never;
        };
        /** @description At most 8388608 bytes, 200000 members and elements, and 100000 members of objects. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["AppendSessionMessageRequest"];
            };
        };
        responses: {
            /** @description Success */
            201: {
                headers: {
                    "X-Service-Request-Id": components["headers"]["X-Service-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SessionMessage"];
                };
            };
            400: components["responses"]["native400"];
            401: components["responses"]["native401"];
            403: components["responses"]["native403"];
            404: components["responses"]["native404"];
            409: components["responses"]["native409"];
            413: components["responses"]["native413"];
            429: components["responses"]["native429"];
            500: components["responses"]["native500"];
            503: components["responses"]["native503"];
        };
    };
    clearSession: {
        parameters: {
            query?: never;
            header?: {
                /** @description With a secret key: acts for this customer of the project, who is charged. */
                "X-Service-Customer-Id"?: components["parameters"]["ServiceCustomerId"];
            };
            path: {
                /** @description The id of the session */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Service-Request-Id": components["headers"]["X-Service-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Session"];
                };
            };
            400: components["responses"]["native400"];
            401: components["responses"]["native401"];
            403: components["responses"]["native403"];
            404: components["responses"]["native404"];
            413: components["responses"]["native413"];
            429: components["responses"]["native429"];
            500: components["responses"]["native500"];
            503: components["responses"]["native503"];
        };
    };
    listSqlProfiles: {
        parameters: {
            query?: {
                /** @description At most this many entries */
                limit?: number;
                /** @description Skips this many entries; `next_cursor` of a page is the offset of the next one */
                offset?: number;
            };
            header?: {
                /** @description With a secret key: acts for this customer of the project, who is charged. */
                "X-Service-Customer-Id"?: components["parameters"]["ServiceCustomerId"];
            };
            path: {
                /** @description The id of the project */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Service-Request-Id": components["headers"]["X-Service-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListSqlProfilesResult"];
                };
            };
            400: components["responses"]["native400"];
            401: components["responses"]["native401"];
            403: components["responses"]["native403"];
            404: components["responses"]["native404"];
            429: components["responses"]["native429"];
            500: components["responses"]["native500"];
            503: components["responses"]["native503"];
        };
    };
    createSqlProfile: {
        parameters: {
            query?: never;
            header?: {
                /** @description With a secret key: acts for this customer of the project, who is charged. */
                "X-Service-Customer-Id"?: components["parameters"]["ServiceCustomerId"];
                /** @description Same key and same body: same answer, no second effect, at most one charge. Kept for 24 hours. A request with a key is generated to its end, and charged in full, when its client leaves: the repeat gets the answer. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description The id of the project */
                id: string;
            };
            cookie?: never;
        };
        /** @description At most 1048576 bytes, 200000 members and elements, and 100000 members of objects. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateSqlProfileRequest"];
            };
        };
        responses: {
            /** @description Success */
            201: {
                headers: {
                    "X-Service-Request-Id": components["headers"]["X-Service-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SqlProfileResult"];
                };
            };
            400: components["responses"]["native400"];
            401: components["responses"]["native401"];
            403: components["responses"]["native403"];
            404: components["responses"]["native404"];
            409: components["responses"]["native409"];
            413: components["responses"]["native413"];
            429: components["responses"]["native429"];
            500: components["responses"]["native500"];
            503: components["responses"]["native503"];
        };
    };
    getSqlProfile: {
        parameters: {
            query?: never;
            header?: {
                /** @description With a secret key: acts for this customer of the project, who is charged. */
                "X-Service-Customer-Id"?: components["parameters"]["ServiceCustomerId"];
            };
            path: {
                /** @description The id of the project */
                id: string;
                /** @description The id of the sql profile */
                profile_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Service-Request-Id": components["headers"]["X-Service-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SqlProfileResult"];
                };
            };
            400: components["responses"]["native400"];
            401: components["responses"]["native401"];
            403: components["responses"]["native403"];
            404: components["responses"]["native404"];
            429: components["responses"]["native429"];
            500: components["responses"]["native500"];
            503: components["responses"]["native503"];
        };
    };
    updateSqlProfile: {
        parameters: {
            query?: never;
            header?: {
                /** @description With a secret key: acts for this customer of the project, who is charged. */
                "X-Service-Customer-Id"?: components["parameters"]["ServiceCustomerId"];
            };
            path: {
                /** @description The id of the project */
                id: string;
                /** @description The id of the sql profile */
                profile_id: string;
            };
            cookie?: never;
        };
        /** @description At most 1048576 bytes, 200000 members and elements, and 100000 members of objects. */
        requestBody?: {
            content: {
                "application/json": components["schemas"]["UpdateSqlProfileRequest"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Service-Request-Id": components["headers"]["X-Service-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SqlProfileResult"];
                };
            };
            400: components["responses"]["native400"];
            401: components["responses"]["native401"];
            403: components["responses"]["native403"];
            404: components["responses"]["native404"];
            413: components["responses"]["native413"];
            429: components["responses"]["native429"];
            500: components["responses"]["native500"];
            503: components["responses"]["native503"];
        };
    };
    deleteSqlProfile: {
        parameters: {
            query?: never;
            header?: {
                /** @description With a secret key: acts for this customer of the project, who is charged. */
                "X-Service-Customer-Id"?: components["parameters"]["ServiceCustomerId"];
            };
            path: {
                /** @description The id of the project */
                id: string;
                /** @description The id of the sql profile */
                profile_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            204: {
                headers: {
                    "X-Service-Request-Id": components["headers"]["X-Service-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["native400"];
            401: components["responses"]["native401"];
            403: components["responses"]["native403"];
            404: components["responses"]["native404"];
            413: components["responses"]["native413"];
            429: components["responses"]["native429"];
            500: components["responses"]["native500"];
            503: components["responses"]["native503"];
        };
    };
    validateSql: {
        parameters: {
            query?: never;
            header?: {
                /** @description With a secret key: acts for this customer of the project, who is charged. */
                "X-Service-Customer-Id"?: components["parameters"]["ServiceCustomerId"];
            };
            path?: never;
            cookie?: never;
        };
        /** @description At most 1048576 bytes, 200000 members and elements, and 100000 members of objects. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["ValidateSqlRequest"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Service-Request-Id": components["headers"]["X-Service-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ValidateSqlResult"];
                };
            };
            400: components["responses"]["native400"];
            401: components["responses"]["native401"];
            403: components["responses"]["native403"];
            404: components["responses"]["native404"];
            413: components["responses"]["native413"];
            429: components["responses"]["native429"];
            500: components["responses"]["native500"];
            503: components["responses"]["native503"];
        };
    };
    listRuns: {
        parameters: {
            query?: {
                /** @description At most this many entries */
                limit?: number;
                /** @description Skips this many entries; `next_cursor` of a page is the offset of the next one */
                offset?: number;
                status?: components["schemas"]["RunStatus"];
            };
            header?: {
                /** @description With a secret key: acts for this customer of the project, who is charged. */
                "X-Service-Customer-Id"?: components["parameters"]["ServiceCustomerId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Service-Request-Id": components["headers"]["X-Service-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListRunsResult"];
                };
            };
            400: components["responses"]["native400"];
            401: components["responses"]["native401"];
            403: components["responses"]["native403"];
            404: components["responses"]["native404"];
            429: components["responses"]["native429"];
            500: components["responses"]["native500"];
            503: components["responses"]["native503"];
        };
    };
    createRun: {
        parameters: {
            query?: never;
            header?: {
                /** @description With a secret key: acts for this customer of the project, who is charged. */
                "X-Service-Customer-Id"?: components["parameters"]["ServiceCustomerId"];
            };
            path?: never;
            cookie?: never;
        };
        /** @description At most 8388608 bytes, 200000 members and elements, and 100000 members of objects. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateRunRequest"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Service-Request-Id": components["headers"]["X-Service-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CreateRunResult"];
                };
            };
            400: components["responses"]["native400"];
            401: components["responses"]["native401"];
            403: components["responses"]["native403"];
            404: components["responses"]["native404"];
            409: components["responses"]["native409"];
            413: components["responses"]["native413"];
            429: components["responses"]["native429"];
            500: components["responses"]["native500"];
            503: components["responses"]["native503"];
        };
    };
    getRun: {
        parameters: {
            query?: never;
            header?: {
                /** @description With a secret key: acts for this customer of the project, who is charged. */
                "X-Service-Customer-Id"?: components["parameters"]["ServiceCustomerId"];
            };
            path: {
                /** @description The id of the run */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Service-Request-Id": components["headers"]["X-Service-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Run"];
                };
            };
            400: components["responses"]["native400"];
            401: components["responses"]["native401"];
            403: components["responses"]["native403"];
            404: components["responses"]["native404"];
            429: components["responses"]["native429"];
            500: components["responses"]["native500"];
            503: components["responses"]["native503"];
        };
    };
    streamRunEvents: {
        parameters: {
            query?: {
                after_seq?: number;
                wait?: "0" | "1" | "true" | "false";
                /** @description At most this many entries */
                limit?: number;
            };
            header?: {
                /** @description With a secret key: acts for this customer of the project, who is charged. */
                "X-Service-Customer-Id"?: components["parameters"]["ServiceCustomerId"];
            };
            path: {
                /** @description The id of the run */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Service-Request-Id": components["headers"]["X-Service-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/x-ndjson": components["schemas"]["RunEvent"];
                    "text/event-stream": components["schemas"]["RunEvent"];
                };
            };
            400: components["responses"]["native400"];
            401: components["responses"]["native401"];
            403: components["responses"]["native403"];
            404: components["responses"]["native404"];
            429: components["responses"]["native429"];
            500: components["responses"]["native500"];
            503: components["responses"]["native503"];
        };
    };
    cancelRun: {
        parameters: {
            query?: never;
            header?: {
                /** @description With a secret key: acts for this customer of the project, who is charged. */
                "X-Service-Customer-Id"?: components["parameters"]["ServiceCustomerId"];
            };
            path: {
                /** @description The id of the run */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Service-Request-Id": components["headers"]["X-Service-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Run"];
                };
            };
            400: components["responses"]["native400"];
            401: components["responses"]["native401"];
            403: components["responses"]["native403"];
            404: components["responses"]["native404"];
            409: components["responses"]["native409"];
            413: components["responses"]["native413"];
            429: components["responses"]["native429"];
            500: components["responses"]["native500"];
            503: components["responses"]["native503"];
        };
    };
    listPendingToolCalls: {
        parameters: {
            query?: never;
            header?: {
                /** @description With a secret key: acts for this customer of the project, who is charged. */
                "X-Service-Customer-Id"?: components["parameters"]["ServiceCustomerId"];
            };
            path: {
                /** @description The id of the run */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Service-Request-Id": components["headers"]["X-Service-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PendingToolsResult"];
                };
            };
            400: components["responses"]["native400"];
            401: components["responses"]["native401"];
            403: components["responses"]["native403"];
            404: components["responses"]["native404"];
            429: components["responses"]["native429"];
            500: components["responses"]["native500"];
            503: components["responses"]["native503"];
        };
    };
    submitToolResults: {
        parameters: {
            query?: never;
            header?: {
                /** @description With a secret key: acts for this customer of the project, who is charged. */
                "X-Service-Customer-Id"?: components["parameters"]["ServiceCustomerId"];
            };
            path: {
                /** @description The id of the run */
                id: string;
            };
            cookie?: never;
        };
        /** @description At most 8388608 bytes, 200000 members and elements, and 100000 members of objects. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["SubmitToolResultsRequest"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Service-Request-Id": components["headers"]["X-Service-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AcceptedToolResults"];
                };
            };
            400: components["responses"]["native400"];
            401: components["responses"]["native401"];
            403: components["responses"]["native403"];
            404: components["responses"]["native404"];
            409: components["responses"]["native409"];
            413: components["responses"]["native413"];
            429: components["responses"]["native429"];
            500: components["responses"]["native500"];
            503: components["responses"]["native503"];
        };
    };
    listRunSteps: {
        parameters: {
            query?: {
                /** @description At most this many entries */
                limit?: number;
                /** @description Skips this many entries; `next_cursor` of a page is the offset of the next one */
                offset?: number;
            };
            header?: {
                /** @description With a secret key: acts for this customer of the project, who is charged. */
                "X-Service-Customer-Id"?: components["parameters"]["ServiceCustomerId"];
            };
            path: {
                /** @description The id of the run */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Service-Request-Id": components["headers"]["X-Service-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListRunStepsResult"];
                };
            };
            400: components["responses"]["native400"];
            401: components["responses"]["native401"];
            403: components["responses"]["native403"];
            404: components["responses"]["native404"];
            429: components["responses"]["native429"];
            500: components["responses"]["native500"];
            503: components["responses"]["native503"];
        };
    };
    listRunTasks: {
        parameters: {
            query?: never;
            header?: {
                /** @description With a secret key: acts for this customer of the project, who is charged. */
                "X-Service-Customer-Id"?: components["parameters"]["ServiceCustomerId"];
            };
            path: {
                /** @description The id of the run */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Service-Request-Id": components["headers"]["X-Service-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListRunTasksResult"];
                };
            };
            400: components["responses"]["native400"];
            401: components["responses"]["native401"];
            403: components["responses"]["native403"];
            404: components["responses"]["native404"];
            429: components["responses"]["native429"];
            500: components["responses"]["native500"];
            503: components["responses"]["native503"];
        };
    };
    compileWorkflow: {
        parameters: {
            query?: never;
            header?: {
                /** @description With a secret key: acts for this customer of the project, who is charged. */
                "X-Service-Customer-Id"?: components["parameters"]["ServiceCustomerId"];
            };
            path?: never;
            cookie?: never;
        };
        /** @description At most 8388608 bytes, 200000 members and elements, and 100000 members of objects. */
        requestBody?: {
            content: {
                "application/json": components["schemas"]["WorkflowSpec"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Service-Request-Id": components["headers"]["X-Service-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CompileWorkflowResult"];
                };
            };
            400: components["responses"]["native400"];
            401: components["responses"]["native401"];
            403: components["responses"]["native403"];
            404: components["responses"]["native404"];
            413: components["responses"]["native413"];
            429: components["responses"]["native429"];
            500: components["responses"]["native500"];
            503: components["responses"]["native503"];
        };
    };
    lintWorkflow: {
        parameters: {
            query?: never;
            header?: {
                /** @description With a secret key: acts for this customer of the project, who is charged. */
                "X-Service-Customer-Id"?: components["parameters"]["ServiceCustomerId"];
            };
            path?: never;
            cookie?: never;
        };
        /** @description At most 8388608 bytes, 200000 members and elements, and 100000 members of objects. */
        requestBody?: {
            content: {
                "application/json": components["schemas"]["WorkflowSpec"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Service-Request-Id": components["headers"]["X-Service-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LintWorkflowResult"];
                };
            };
            400: components["responses"]["native400"];
            401: components["responses"]["native401"];
            403: components["responses"]["native403"];
            404: components["responses"]["native404"];
            413: components["responses"]["native413"];
            429: components["responses"]["native429"];
            500: components["responses"]["native500"];
            503: components["responses"]["native503"];
        };
    };
    getWorkflowSchema: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Service-Request-Id": components["headers"]["X-Service-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GetWorkflowSchemaResult"];
                };
            };
            400: components["responses"]["native400"];
            429: components["responses"]["native429"];
            500: components["responses"]["native500"];
            503: components["responses"]["native503"];
        };
    };
    getRunEventSchema: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Service-Request-Id": components["headers"]["X-Service-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GetRunEventSchemaResult"];
                };
            };
            400: components["responses"]["native400"];
            429: components["responses"]["native429"];
            500: components["responses"]["native500"];
            503: components["responses"]["native503"];
        };
    };
    compilePlugin: {
        parameters: {
            query?: never;
            header?: {
                /** @description With a secret key: acts for this customer of the project, who is charged. */
                "X-Service-Customer-Id"?: components["parameters"]["ServiceCustomerId"];
                /** @description Same key and same body: same answer, no second effect, at most one charge. Kept for 24 hours. A request with a key is generated to its end, and charged in full, when its client leaves: the repeat gets the answer. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        /** @description At most 8388608 bytes, 200000 members and elements, and 100000 members of objects. */
        requestBody?: {
            content: {
                "application/json": components["schemas"]["CompilePluginRequest"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Service-Request-Id": components["headers"]["X-Service-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CompilePluginResult"];
                };
            };
            400: components["responses"]["native400"];
            401: components["responses"]["native401"];
            403: components["responses"]["native403"];
            404: components["responses"]["native404"];
            409: components["responses"]["native409"];
            413: components["responses"]["native413"];
            422: components["responses"]["native422"];
            /** @description Rate limit exceeded */
            429: {
                headers: {
                    "X-Service-Request-Id": components["headers"]["X-Service-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    /** @example rate limit exceeded */
                    "text/plain": string;
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            500: components["responses"]["native500"];
            503: components["responses"]["native503"];
        };
    };
    compileSkill: {
        parameters: {
            query?: never;
            header?: {
                /** @description With a secret key: acts for this customer of the project, who is charged. */
                "X-Service-Customer-Id"?: components["parameters"]["ServiceCustomerId"];
                /** @description Same key and same body: same answer, no second effect, at most one charge. Kept for 24 hours. A request with a key is generated to its end, and charged in full, when its client leaves: the repeat gets the answer. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        /** @description At most 8388608 bytes, 200000 members and elements, and 100000 members of objects. */
        requestBody?: {
            content: {
                "application/json": components["schemas"]["CompileSkillRequest"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Service-Request-Id": components["headers"]["X-Service-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CompileSkillResult"];
                };
            };
            400: components["responses"]["native400"];
            401: components["responses"]["native401"];
            403: components["responses"]["native403"];
            404: components["responses"]["native404"];
            409: components["responses"]["native409"];
            413: components["responses"]["native413"];
            422: components["responses"]["native422"];
            /** @description Rate limit exceeded */
            429: {
                headers: {
                    "X-Service-Request-Id": components["headers"]["X-Service-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    /** @example rate limit exceeded */
                    "text/plain": string;
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            500: components["responses"]["native500"];
            503: components["responses"]["native503"];
        };
    };
    getStatus: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Service-Request-Id": components["headers"]["X-Service-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GetStatusResult"];
                    /** @example text */
                    "text/html": string;
                };
            };
            400: components["responses"]["native400"];
            429: components["responses"]["native429"];
            500: components["responses"]["native500"];
            503: components["responses"]["native503"];
        };
    };
    startProjectDevice: {
        parameters: {
            query?: never;
            header?: {
                /** @description With a secret key: acts for this customer of the project, who is charged. */
                "X-Service-Customer-Id"?: components["parameters"]["ServiceCustomerId"];
            };
            path: {
                /** @description The id of the project */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            201: {
                headers: {
                    "X-Service-Request-Id": components["headers"]["X-Service-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DeviceStartResult"];
                };
            };
            400: components["responses"]["native400"];
            401: components["responses"]["native401"];
            403: components["responses"]["native403"];
            404: components["responses"]["native404"];
            413: components["responses"]["native413"];
            429: components["responses"]["native429"];
            500: components["responses"]["native500"];
            503: components["responses"]["native503"];
        };
    };
    pollProjectDeviceToken: {
        parameters: {
            query?: never;
            header?: {
                /** @description With a secret key: acts for this customer of the project, who is charged. */
                "X-Service-Customer-Id"?: components["parameters"]["ServiceCustomerId"];
            };
            path: {
                /** @description The id of the project */
                id: string;
            };
            cookie?: never;
        };
        /** @description At most 1048576 bytes, 200000 members and elements, and 100000 members of objects. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["DeviceTokenRequest"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Service-Request-Id": components["headers"]["X-Service-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CustomerToken"];
                };
            };
            /** @description The request does not validate. Codes: `VALIDATION_ERROR`, `INVALID_INPUT`, `MODEL_CAPABILITY_UNSUPPORTED`, `TOOL_UNHANDLED`, `TOOL_NOT_MOCKED`, `TOOL_LOOP_LIMIT`, `POINTER_NOT_FOUND`, `AGENT_LIMIT_REACHED` */
            400: {
                headers: {
                    "X-Service-Request-Id": components["headers"]["X-Service-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "layer": "request",
                     *       "cause": "validation",
                     *       "status_code": 400,
                     *       "code": "code",
                     *       "message": "the request was refused",
                     *       "retryable": false,
                     *       "detail": "detail",
                     *       "request_id": "request-id",
                     *       "provider_request_id": "provider-request-id",
                     *       "batch_id": "batch-id",
                     *       "item_id": "item-id",
                     *       "error": "api_error",
                     *       "fields": [
                     *         {
                     *           "field": "field",
                     *           "message": "the request was refused"
                     *         }
                     *       ],
                     *       "issues": [
                     *         {
                     *           "code": "code",
                     *           "path": "path",
                     *           "message": "the request was refused"
                     *         }
                     *       ],
                     *       "failures": [
                     *         {
                     *           "layer": "request",
                     *           "cause": "validation",
                     *           "status_code": 400,
                     *           "code": "code",
                     *           "message": "the request was refused",
                     *           "retryable": false,
                     *           "detail": "detail",
                     *           "request_id": "request-id",
                     *           "provider_request_id": "provider-request-id",
                     *           "batch_id": "batch-id",
                     *           "item_id": "item-id"
                     *         }
                     *       ],
                     *       "usage": {
                     *         "input_tokens": 12,
                     *         "output_tokens": 34,
                     *         "total_tokens": 46,
                     *         "cache_read_input_tokens": 1,
                     *         "cache_write_input_tokens": 1,
                     *         "reasoning_tokens": 1,
                     *         "web_search_requests": 1
                     *       },
                     *       "charged_microcents": 1
                     *     }
                     */
                    "application/json": components["schemas"]["ApiError"] | components["schemas"]["DeviceTokenError"];
                };
            };
            401: components["responses"]["native401"];
            403: components["responses"]["native403"];
            404: components["responses"]["native404"];
            413: components["responses"]["native413"];
            429: components["responses"]["native429"];
            500: components["responses"]["native500"];
            503: components["responses"]["native503"];
        };
    };
    approveProjectDevice: {
        parameters: {
            query?: never;
            header?: {
                /** @description With a secret key: acts for this customer of the project, who is charged. */
                "X-Service-Customer-Id"?: components["parameters"]["ServiceCustomerId"];
            };
            path: {
                /** @description The id of the project */
                id: string;
            };
            cookie?: never;
        };
        /** @description At most 1048576 bytes, 200000 members and elements, and 100000 members of objects. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["DeviceApproveRequest"];
            };
        };
        responses: {
            /** @description Success */
            204: {
                headers: {
                    "X-Service-Request-Id": components["headers"]["X-Service-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["native400"];
            401: components["responses"]["native401"];
            403: components["responses"]["native403"];
            404: components["responses"]["native404"];
            413: components["responses"]["native413"];
            429: components["responses"]["native429"];
            500: components["responses"]["native500"];
            503: components["responses"]["native503"];
        };
    };
    mintProjectCustomerToken: {
        parameters: {
            query?: never;
            header?: {
                /** @description With a secret key: acts for this customer of the project, who is charged. */
                "X-Service-Customer-Id"?: components["parameters"]["ServiceCustomerId"];
            };
            path: {
                /** @description The id of the project */
                id: string;
            };
            cookie?: never;
        };
        /** @description At most 1048576 bytes, 200000 members and elements, and 100000 members of objects. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["MintCustomerTokenRequest"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Service-Request-Id": components["headers"]["X-Service-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CustomerToken"];
                };
            };
            400: components["responses"]["native400"];
            401: components["responses"]["native401"];
            402: components["responses"]["native402"];
            403: components["responses"]["native403"];
            404: components["responses"]["native404"];
            409: components["responses"]["native409"];
            413: components["responses"]["native413"];
            429: components["responses"]["native429"];
            500: components["responses"]["native500"];
            503: components["responses"]["native503"];
        };
    };
    getProjectAccountBalance: {
        parameters: {
            query?: never;
            header?: {
                /** @description With a secret key: acts for this customer of the project, who is charged. */
                "X-Service-Customer-Id"?: components["parameters"]["ServiceCustomerId"];
            };
            path: {
                /** @description The id of the project */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Service-Request-Id": components["headers"]["X-Service-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AccountBalance"];
                };
            };
            400: components["responses"]["native400"];
            401: components["responses"]["native401"];
            403: components["responses"]["native403"];
            404: components["responses"]["native404"];
            429: components["responses"]["native429"];
            500: components["responses"]["native500"];
            503: components["responses"]["native503"];
        };
    };
    getProjectAccountUsage: {
        parameters: {
            query?: {
                from?: string;
                to?: string;
                group_by?: "day" | "model" | "customer" | "key";
                /** @description At most this many entries */
                limit?: number;
                /** @description Skips this many entries; `next_cursor` of a page is the offset of the next one */
                offset?: number;
            };
            header?: {
                /** @description With a secret key: acts for this customer of the project, who is charged. */
                "X-Service-Customer-Id"?: components["parameters"]["ServiceCustomerId"];
            };
            path: {
                /** @description The id of the project */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Service-Request-Id": components["headers"]["X-Service-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AccountUsage"];
                };
            };
            400: components["responses"]["native400"];
            401: components["responses"]["native401"];
            403: components["responses"]["native403"];
            404: components["responses"]["native404"];
            429: components["responses"]["native429"];
            500: components["responses"]["native500"];
            503: components["responses"]["native503"];
        };
    };
    claimProjectCustomer: {
        parameters: {
            query?: never;
            header?: {
                /** @description With a secret key: acts for this customer of the project, who is charged. */
                "X-Service-Customer-Id"?: components["parameters"]["ServiceCustomerId"];
            };
            path: {
                /** @description The id of the project */
                id: string;
            };
            cookie?: never;
        };
        /** @description At most 1048576 bytes, 200000 members and elements, and 100000 members of objects. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["ClaimCustomerRequest"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Service-Request-Id": components["headers"]["X-Service-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CustomerEnvelope"];
                };
            };
            400: components["responses"]["native400"];
            401: components["responses"]["native401"];
            403: components["responses"]["native403"];
            404: components["responses"]["native404"];
            409: components["responses"]["native409"];
            413: components["responses"]["native413"];
            429: components["responses"]["native429"];
            500: components["responses"]["native500"];
            503: components["responses"]["native503"];
        };
    };
    getProjectCustomerByExternalId: {
        parameters: {
            query?: never;
            header?: {
                /** @description With a secret key: acts for this customer of the project, who is charged. */
                "X-Service-Customer-Id"?: components["parameters"]["ServiceCustomerId"];
            };
            path: {
                /** @description The id of the project */
                id: string;
                /** @description The id of the by external id */
                external_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Service-Request-Id": components["headers"]["X-Service-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CustomerEnvelope"];
                };
            };
            400: components["responses"]["native400"];
            401: components["responses"]["native401"];
            403: components["responses"]["native403"];
            404: components["responses"]["native404"];
            429: components["responses"]["native429"];
            500: components["responses"]["native500"];
            503: components["responses"]["native503"];
        };
    };
    blockProjectCustomer: {
        parameters: {
            query?: never;
            header?: {
                /** @description With a secret key: acts for this customer of the project, who is charged. */
                "X-Service-Customer-Id"?: components["parameters"]["ServiceCustomerId"];
            };
            path: {
                /** @description The id of the project */
                id: string;
                /** @description The id of the customer */
                customer_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Service-Request-Id": components["headers"]["X-Service-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CustomerEnvelope"];
                };
            };
            400: components["responses"]["native400"];
            401: components["responses"]["native401"];
            403: components["responses"]["native403"];
            404: components["responses"]["native404"];
            413: components["responses"]["native413"];
            429: components["responses"]["native429"];
            500: components["responses"]["native500"];
            503: components["responses"]["native503"];
        };
    };
    unblockProjectCustomer: {
        parameters: {
            query?: never;
            header?: {
                /** @description With a secret key: acts for this customer of the project, who is charged. */
                "X-Service-Customer-Id"?: components["parameters"]["ServiceCustomerId"];
            };
            path: {
                /** @description The id of the project */
                id: string;
                /** @description The id of the customer */
                customer_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Service-Request-Id": components["headers"]["X-Service-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CustomerEnvelope"];
                };
            };
            400: components["responses"]["native400"];
            401: components["responses"]["native401"];
            403: components["responses"]["native403"];
            404: components["responses"]["native404"];
            413: components["responses"]["native413"];
            429: components["responses"]["native429"];
            500: components["responses"]["native500"];
            503: components["responses"]["native503"];
        };
    };
    getProjectCustomerSubscription: {
        parameters: {
            query?: never;
            header?: {
                /** @description With a secret key: acts for this customer of the project, who is charged. */
                "X-Service-Customer-Id"?: components["parameters"]["ServiceCustomerId"];
            };
            path: {
                /** @description The id of the project */
                id: string;
                /** @description The id of the customer */
                customer_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Service-Request-Id": components["headers"]["X-Service-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GetCustomerSubscriptionResult"];
                };
            };
            400: components["responses"]["native400"];
            401: components["responses"]["native401"];
            403: components["responses"]["native403"];
            404: components["responses"]["native404"];
            429: components["responses"]["native429"];
            500: components["responses"]["native500"];
            503: components["responses"]["native503"];
        };
    };
    setProjectCustomerSubscription: {
        parameters: {
            query?: never;
            header?: {
                /** @description With a secret key: acts for this customer of the project, who is charged. */
                "X-Service-Customer-Id"?: components["parameters"]["ServiceCustomerId"];
            };
            path: {
                /** @description The id of the project */
                id: string;
                /** @description The id of the customer */
                customer_id: string;
            };
            cookie?: never;
        };
        /** @description At most 1048576 bytes, 200000 members and elements, and 100000 members of objects. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["SetSubscriptionRequest"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Service-Request-Id": components["headers"]["X-Service-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SetCustomerSubscriptionResult"];
                };
            };
            400: components["responses"]["native400"];
            401: components["responses"]["native401"];
            403: components["responses"]["native403"];
            404: components["responses"]["native404"];
            409: components["responses"]["native409"];
            413: components["responses"]["native413"];
            429: components["responses"]["native429"];
            500: components["responses"]["native500"];
            503: components["responses"]["native503"];
        };
    };
    cancelProjectCustomerSubscription: {
        parameters: {
            query?: never;
            header?: {
                /** @description With a secret key: acts for this customer of the project, who is charged. */
                "X-Service-Customer-Id"?: components["parameters"]["ServiceCustomerId"];
            };
            path: {
                /** @description The id of the project */
                id: string;
                /** @description The id of the customer */
                customer_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            204: {
                headers: {
                    "X-Service-Request-Id": components["headers"]["X-Service-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["native400"];
            401: components["responses"]["native401"];
            403: components["responses"]["native403"];
            404: components["responses"]["native404"];
            409: components["responses"]["native409"];
            413: components["responses"]["native413"];
            429: components["responses"]["native429"];
            500: components["responses"]["native500"];
            503: components["responses"]["native503"];
        };
    };
    getProjectCustomerBalance: {
        parameters: {
            query?: never;
            header?: {
                /** @description With a secret key: acts for this customer of the project, who is charged. */
                "X-Service-Customer-Id"?: components["parameters"]["ServiceCustomerId"];
            };
            path: {
                /** @description The id of the project */
                id: string;
                /** @description The id of the customer */
                customer_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Service-Request-Id": components["headers"]["X-Service-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CustomerBalance"];
                };
            };
            400: components["responses"]["native400"];
            401: components["responses"]["native401"];
            403: components["responses"]["native403"];
            404: components["responses"]["native404"];
            429: components["responses"]["native429"];
            500: components["responses"]["native500"];
            503: components["responses"]["native503"];
        };
    };
    listProjectCustomerBalanceHistory: {
        parameters: {
            query?: {
                /** @description At most this many entries */
                limit?: number;
                /** @description Skips this many entries; `next_cursor` of a page is the offset of the next one */
                offset?: number;
            };
            header?: {
                /** @description With a secret key: acts for this customer of the project, who is charged. */
                "X-Service-Customer-Id"?: components["parameters"]["ServiceCustomerId"];
            };
            path: {
                /** @description The id of the project */
                id: string;
                /** @description The id of the customer */
                customer_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Service-Request-Id": components["headers"]["X-Service-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BalanceHistory"];
                };
            };
            400: components["responses"]["native400"];
            401: components["responses"]["native401"];
            403: components["responses"]["native403"];
            404: components["responses"]["native404"];
            429: components["responses"]["native429"];
            500: components["responses"]["native500"];
            503: components["responses"]["native503"];
        };
    };
    createProjectCustomerCredit: {
        parameters: {
            query?: never;
            header?: {
                /** @description With a secret key: acts for this customer of the project, who is charged. */
                "X-Service-Customer-Id"?: components["parameters"]["ServiceCustomerId"];
                /** @description Same key and same body: same answer, no second effect, at most one charge. Kept for 24 hours. A request with a key is generated to its end, and charged in full, when its client leaves: the repeat gets the answer. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description The id of the project */
                id: string;
                /** @description The id of the customer */
                customer_id: string;
            };
            cookie?: never;
        };
        /** @description At most 1048576 bytes, 200000 members and elements, and 100000 members of objects. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["CustomerCreditInput"];
            };
        };
        responses: {
            /** @description Success */
            201: {
                headers: {
                    "X-Service-Request-Id": components["headers"]["X-Service-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CustomerCredit"];
                };
            };
            400: components["responses"]["native400"];
            401: components["responses"]["native401"];
            403: components["responses"]["native403"];
            404: components["responses"]["native404"];
            409: components["responses"]["native409"];
            413: components["responses"]["native413"];
            429: components["responses"]["native429"];
            500: components["responses"]["native500"];
            503: components["responses"]["native503"];
        };
    };
    withdrawProjectCustomerCredit: {
        parameters: {
            query?: never;
            header?: {
                /** @description With a secret key: acts for this customer of the project, who is charged. */
                "X-Service-Customer-Id"?: components["parameters"]["ServiceCustomerId"];
                /** @description Same key and same body: same answer, no second effect, at most one charge. Kept for 24 hours. A request with a key is generated to its end, and charged in full, when its client leaves: the repeat gets the answer. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description The id of the project */
                id: string;
                /** @description The id of the customer */
                customer_id: string;
            };
            cookie?: never;
        };
        /** @description At most 1048576 bytes, 200000 members and elements, and 100000 members of objects. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["WithdrawCreditRequest"];
            };
        };
        responses: {
            /** @description Success */
            201: {
                headers: {
                    "X-Service-Request-Id": components["headers"]["X-Service-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CreditWithdrawal"];
                };
            };
            400: components["responses"]["native400"];
            401: components["responses"]["native401"];
            403: components["responses"]["native403"];
            404: components["responses"]["native404"];
            409: components["responses"]["native409"];
            413: components["responses"]["native413"];
            429: components["responses"]["native429"];
            500: components["responses"]["native500"];
            503: components["responses"]["native503"];
        };
    };
    createProjectPortalSession: {
        parameters: {
            query?: never;
            header?: {
                /** @description With a secret key: acts for this customer of the project, who is charged. */
                "X-Service-Customer-Id"?: components["parameters"]["ServiceCustomerId"];
            };
            path: {
                /** @description The id of the project */
                id: string;
                /** @description The id of the customer */
                customer_id: string;
            };
            cookie?: never;
        };
        /** @description At most 1048576 bytes, 200000 members and elements, and 100000 members of objects. */
        requestBody?: {
            content: {
                "application/json": components["schemas"]["PortalLinkRequest"];
            };
        };
        responses: {
            /** @description Success */
            201: {
                headers: {
                    "X-Service-Request-Id": components["headers"]["X-Service-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PortalLinkResult"];
                };
            };
            400: components["responses"]["native400"];
            401: components["responses"]["native401"];
            403: components["responses"]["native403"];
            404: components["responses"]["native404"];
            413: components["responses"]["native413"];
            429: components["responses"]["native429"];
            500: components["responses"]["native500"];
            503: components["responses"]["native503"];
        };
    };
    createProjectTierCheckout: {
        parameters: {
            query?: never;
            header?: {
                /** @description With a secret key: acts for this customer of the project, who is charged. */
                "X-Service-Customer-Id"?: components["parameters"]["ServiceCustomerId"];
                /** @description Same key and same body: same answer, no second effect, at most one charge. Kept for 24 hours. A request with a key is generated to its end, and charged in full, when its client leaves: the repeat gets the answer. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description The id of the project */
                id: string;
                /** @description The id of the tier */
                tier_id: string;
            };
            cookie?: never;
        };
        /** @description At most 1048576 bytes, 200000 members and elements, and 100000 members of objects. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateTierCheckoutRequest"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Service-Request-Id": components["headers"]["X-Service-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CheckoutSession"];
                };
            };
            400: components["responses"]["native400"];
            401: components["responses"]["native401"];
            403: components["responses"]["native403"];
            404: components["responses"]["native404"];
            409: components["responses"]["native409"];
            413: components["responses"]["native413"];
            429: components["responses"]["native429"];
            500: components["responses"]["native500"];
            503: components["responses"]["native503"];
        };
    };
    subscribeProjectCustomer: {
        parameters: {
            query?: never;
            header?: {
                /** @description With a secret key: acts for this customer of the project, who is charged. */
                "X-Service-Customer-Id"?: components["parameters"]["ServiceCustomerId"];
                /** @description Same key and same body: same answer, no second effect, at most one charge. Kept for 24 hours. A request with a key is generated to its end, and charged in full, when its client leaves: the repeat gets the answer. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description The id of the project */
                id: string;
                /** @description The id of the customer */
                customer_id: string;
            };
            cookie?: never;
        };
        /** @description At most 1048576 bytes, 200000 members and elements, and 100000 members of objects. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["SubscribeCustomerRequest"];
            };
        };
        responses: {
            /** @description Success */
            201: {
                headers: {
                    "X-Service-Request-Id": components["headers"]["X-Service-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CheckoutSession"];
                };
            };
            400: components["responses"]["native400"];
            401: components["responses"]["native401"];
            403: components["responses"]["native403"];
            404: components["responses"]["native404"];
            409: components["responses"]["native409"];
            413: components["responses"]["native413"];
            429: components["responses"]["native429"];
            500: components["responses"]["native500"];
            503: components["responses"]["native503"];
        };
    };
    getProjectPayment: {
        parameters: {
            query?: never;
            header?: {
                /** @description With a secret key: acts for this customer of the project, who is charged. */
                "X-Service-Customer-Id"?: components["parameters"]["ServiceCustomerId"];
            };
            path: {
                /** @description The id of the project */
                id: string;
                /** @description The id of the payment */
                payment_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Service-Request-Id": components["headers"]["X-Service-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PaymentDetail"];
                };
            };
            400: components["responses"]["native400"];
            401: components["responses"]["native401"];
            403: components["responses"]["native403"];
            404: components["responses"]["native404"];
            429: components["responses"]["native429"];
            500: components["responses"]["native500"];
            503: components["responses"]["native503"];
        };
    };
    refundProjectPayment: {
        parameters: {
            query?: never;
            header?: {
                /** @description With a secret key: acts for this customer of the project, who is charged. */
                "X-Service-Customer-Id"?: components["parameters"]["ServiceCustomerId"];
                /** @description Same key and same body: same answer, no second effect, at most one charge. Kept for 24 hours. A request with a key is generated to its end, and charged in full, when its client leaves: the repeat gets the answer. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description The id of the project */
                id: string;
                /** @description The id of the payment */
                payment_id: string;
            };
            cookie?: never;
        };
        /** @description At most 1048576 bytes, 200000 members and elements, and 100000 members of objects. */
        requestBody?: {
            content: {
                "application/json": components["schemas"]["RefundPaymentRequest"];
            };
        };
        responses: {
            /** @description Success */
            201: {
                headers: {
                    "X-Service-Request-Id": components["headers"]["X-Service-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RefundResult"];
                };
            };
            400: components["responses"]["native400"];
            401: components["responses"]["native401"];
            403: components["responses"]["native403"];
            404: components["responses"]["native404"];
            409: components["responses"]["native409"];
            413: components["responses"]["native413"];
            429: components["responses"]["native429"];
            500: components["responses"]["native500"];
            503: components["responses"]["native503"];
        };
    };
    topUpProjectCustomerWallet: {
        parameters: {
            query?: never;
            header?: {
                /** @description With a secret key: acts for this customer of the project, who is charged. */
                "X-Service-Customer-Id"?: components["parameters"]["ServiceCustomerId"];
                /** @description Same key and same body: same answer, no second effect, at most one charge. Kept for 24 hours. A request with a key is generated to its end, and charged in full, when its client leaves: the repeat gets the answer. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description The id of the project */
                id: string;
                /** @description The id of the customer */
                customer_id: string;
            };
            cookie?: never;
        };
        /** @description At most 1048576 bytes, 200000 members and elements, and 100000 members of objects. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["TopUpWalletRequest"];
            };
        };
        responses: {
            /** @description Success */
            201: {
                headers: {
                    "X-Service-Request-Id": components["headers"]["X-Service-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WalletTopUp"];
                };
            };
            400: components["responses"]["native400"];
            401: components["responses"]["native401"];
            403: components["responses"]["native403"];
            404: components["responses"]["native404"];
            409: components["responses"]["native409"];
            413: components["responses"]["native413"];
            429: components["responses"]["native429"];
            500: components["responses"]["native500"];
            503: components["responses"]["native503"];
        };
    };
    listProjectWebhookEventTypes: {
        parameters: {
            query?: never;
            header?: {
                /** @description With a secret key: acts for this customer of the project, who is charged. */
                "X-Service-Customer-Id"?: components["parameters"]["ServiceCustomerId"];
            };
            path: {
                /** @description The id of the project */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Service-Request-Id": components["headers"]["X-Service-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListWebhookEventTypesResult"];
                };
            };
            400: components["responses"]["native400"];
            401: components["responses"]["native401"];
            403: components["responses"]["native403"];
            404: components["responses"]["native404"];
            429: components["responses"]["native429"];
            500: components["responses"]["native500"];
            503: components["responses"]["native503"];
        };
    };
    listProjectMessages: {
        parameters: {
            query?: {
                /** @description At most this many entries */
                limit?: number;
                /** @description Skips this many entries; `next_cursor` of a page is the offset of the next one */
                offset?: number;
                to?: string;
                thread_id?: string;
                unread?: "0" | "1" | "true" | "false";
            };
            header?: {
                /** @description With a secret key: acts for this customer of the project, who is charged. */
                "X-Service-Customer-Id"?: components["parameters"]["ServiceCustomerId"];
            };
            path: {
                /** @description The id of the project */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Service-Request-Id": components["headers"]["X-Service-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListMessagesResult"];
                };
            };
            400: components["responses"]["native400"];
            401: components["responses"]["native401"];
            403: components["responses"]["native403"];
            404: components["responses"]["native404"];
            429: components["responses"]["native429"];
            500: components["responses"]["native500"];
            503: components["responses"]["native503"];
        };
    };
    sendProjectMessage: {
        parameters: {
            query?: never;
            header?: {
                /** @description With a secret key: acts for this customer of the project, who is charged. */
                "X-Service-Customer-Id"?: components["parameters"]["ServiceCustomerId"];
                /** @description Same key and same body: same answer, no second effect, at most one charge. Kept for 24 hours. A request with a key is generated to its end, and charged in full, when its client leaves: the repeat gets the answer. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description The id of the project */
                id: string;
            };
            cookie?: never;
        };
        /** @description At most 1048576 bytes, 200000 members and elements, and 100000 members of objects. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["SendMessageRequest"];
            };
        };
        responses: {
            /** @description Success */
            201: {
                headers: {
                    "X-Service-Request-Id": components["headers"]["X-Service-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Message"];
                };
            };
            400: components["responses"]["native400"];
            401: components["responses"]["native401"];
            403: components["responses"]["native403"];
            404: components["responses"]["native404"];
            409: components["responses"]["native409"];
            413: components["responses"]["native413"];
            429: components["responses"]["native429"];
            500: components["responses"]["native500"];
            503: components["responses"]["native503"];
        };
    };
    getProjectMessage: {
        parameters: {
            query?: never;
            header?: {
                /** @description With a secret key: acts for this customer of the project, who is charged. */
                "X-Service-Customer-Id"?: components["parameters"]["ServiceCustomerId"];
            };
            path: {
                /** @description The id of the project */
                id: string;
                /** @description The id of the message */
                message_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Service-Request-Id": components["headers"]["X-Service-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Message"];
                };
            };
            400: components["responses"]["native400"];
            401: components["responses"]["native401"];
            403: components["responses"]["native403"];
            404: components["responses"]["native404"];
            429: components["responses"]["native429"];
            500: components["responses"]["native500"];
            503: components["responses"]["native503"];
        };
    };
    markProjectMessageRead: {
        parameters: {
            query?: never;
            header?: {
                /** @description With a secret key: acts for this customer of the project, who is charged. */
                "X-Service-Customer-Id"?: components["parameters"]["ServiceCustomerId"];
            };
            path: {
                /** @description The id of the project */
                id: string;
                /** @description The id of the message */
                message_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            204: {
                headers: {
                    "X-Service-Request-Id": components["headers"]["X-Service-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["native400"];
            401: components["responses"]["native401"];
            403: components["responses"]["native403"];
            404: components["responses"]["native404"];
            413: components["responses"]["native413"];
            429: components["responses"]["native429"];
            500: components["responses"]["native500"];
            503: components["responses"]["native503"];
        };
    };
    createProjectResponseBatch: {
        parameters: {
            query?: never;
            header?: {
                /** @description With a secret key: acts for this customer of the project, who is charged. */
                "X-Service-Customer-Id"?: components["parameters"]["ServiceCustomerId"];
                /** @description Same key and same body: same answer, no second effect, at most one charge. Kept for 24 hours. A request with a key is generated to its end, and charged in full, when its client leaves: the repeat gets the answer. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /** @description Whether an exact repeat may be answered from the response cache, at no charge. Default: as the project says. */
                "X-Service-Cache"?: components["parameters"]["ServiceCache"];
            };
            path: {
                /** @description The id of the project */
                id: string;
            };
            cookie?: never;
        };
        /** @description At most 33554432 bytes, 200000 members and elements, and 100000 members of objects. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateBatchRequest"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Service-Request-Id": components["headers"]["X-Service-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Batch"];
                };
            };
            400: components["responses"]["native400"];
            401: components["responses"]["native401"];
            403: components["responses"]["native403"];
            404: components["responses"]["native404"];
            409: components["responses"]["native409"];
            413: components["responses"]["native413"];
            429: components["responses"]["native429"];
            500: components["responses"]["native500"];
            503: components["responses"]["native503"];
        };
    };
    generateProjectImage: {
        parameters: {
            query?: never;
            header?: {
                /** @description With a secret key: acts for this customer of the project, who is charged. */
                "X-Service-Customer-Id"?: components["parameters"]["ServiceCustomerId"];
                /** @description Same key and same body: same answer, no second effect, at most one charge. Kept for 24 hours. A request with a key is generated to its end, and charged in full, when its client leaves: the repeat gets the answer. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description The id of the project */
                id: string;
            };
            cookie?: never;
        };
        /** @description At most 33554432 bytes, 200000 members and elements, and 100000 members of objects. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["GenerateImageRequest"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Service-Request-Id": components["headers"]["X-Service-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ImageGenerationResult"];
                };
            };
            400: components["responses"]["images400"];
            401: components["responses"]["images401"];
            402: components["responses"]["images402"];
            403: components["responses"]["images403"];
            404: components["responses"]["images404"];
            409: components["responses"]["images409"];
            413: components["responses"]["images413"];
            429: components["responses"]["images429"];
            500: components["responses"]["images500"];
            503: components["responses"]["images503"];
        };
    };
    getProjectImage: {
        parameters: {
            query?: never;
            header?: {
                /** @description With a secret key: acts for this customer of the project, who is charged. */
                "X-Service-Customer-Id"?: components["parameters"]["ServiceCustomerId"];
            };
            path: {
                /** @description The id of the project */
                id: string;
                /** @description The id of the image */
                image_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Service-Request-Id": components["headers"]["X-Service-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["StoredImage"];
                };
            };
            400: components["responses"]["native400"];
            401: components["responses"]["native401"];
            403: components["responses"]["native403"];
            404: components["responses"]["native404"];
            410: components["responses"]["native410"];
            429: components["responses"]["native429"];
            500: components["responses"]["native500"];
            503: components["responses"]["native503"];
        };
    };
    pinProjectImage: {
        parameters: {
            query?: never;
            header?: {
                /** @description With a secret key: acts for this customer of the project, who is charged. */
                "X-Service-Customer-Id"?: components["parameters"]["ServiceCustomerId"];
            };
            path: {
                /** @description The id of the project */
                id: string;
                /** @description The id of the image */
                image_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Service-Request-Id": components["headers"]["X-Service-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["StoredImage"];
                };
            };
            400: components["responses"]["native400"];
            401: components["responses"]["native401"];
            403: components["responses"]["native403"];
            404: components["responses"]["native404"];
            410: components["responses"]["native410"];
            413: components["responses"]["native413"];
            429: components["responses"]["native429"];
            500: components["responses"]["native500"];
            503: components["responses"]["native503"];
        };
    };
    unpinProjectImage: {
        parameters: {
            query?: never;
            header?: {
                /** @description With a secret key: acts for this customer of the project, who is charged. */
                "X-Service-Customer-Id"?: components["parameters"]["ServiceCustomerId"];
            };
            path: {
                /** @description The id of the project */
                id: string;
                /** @description The id of the image */
                image_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Service-Request-Id": components["headers"]["X-Service-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["StoredImage"];
                };
            };
            400: components["responses"]["native400"];
            401: components["responses"]["native401"];
            403: components["responses"]["native403"];
            404: components["responses"]["native404"];
            410: components["responses"]["native410"];
            413: components["responses"]["native413"];
            429: components["responses"]["native429"];
            500: components["responses"]["native500"];
            503: components["responses"]["native503"];
        };
    };
    listProjectStateHandles: {
        parameters: {
            query?: {
                /** @description At most this many entries */
                limit?: number;
                /** @description Skips this many entries; `next_cursor` of a page is the offset of the next one */
                offset?: number;
            };
            header?: {
                /** @description With a secret key: acts for this customer of the project, who is charged. */
                "X-Service-Customer-Id"?: components["parameters"]["ServiceCustomerId"];
            };
            path: {
                /** @description The id of the project */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Service-Request-Id": components["headers"]["X-Service-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListStateHandlesResult"];
                };
            };
            400: components["responses"]["native400"];
            401: components["responses"]["native401"];
            403: components["responses"]["native403"];
            404: components["responses"]["native404"];
            429: components["responses"]["native429"];
            500: components["responses"]["native500"];
            503: components["responses"]["native503"];
        };
    };
    createProjectStateHandle: {
        parameters: {
            query?: never;
            header?: {
                /** @description With a secret key: acts for this customer of the project, who is charged. */
                "X-Service-Customer-Id"?: components["parameters"]["ServiceCustomerId"];
                /** @description Same key and same body: same answer, no second effect, at most one charge. Kept for 24 hours. A request with a key is generated to its end, and charged in full, when its client leaves: the repeat gets the answer. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description The id of the project */
                id: string;
            };
            cookie?: never;
        };
        /** @description At most 1048576 bytes, 200000 members and elements, and 100000 members of objects. */
        requestBody?: {
            content: {
                "application/json": components["schemas"]["CreateStateHandleRequest"];
            };
        };
        responses: {
            /** @description Success */
            201: {
                headers: {
                    "X-Service-Request-Id": components["headers"]["X-Service-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["StateHandle"];
                };
            };
            400: components["responses"]["native400"];
            401: components["responses"]["native401"];
            403: components["responses"]["native403"];
            404: components["responses"]["native404"];
            409: components["responses"]["native409"];
            413: components["responses"]["native413"];
            429: components["responses"]["native429"];
            500: components["responses"]["native500"];
            503: components["responses"]["native503"];
        };
    };
    deleteProjectStateHandle: {
        parameters: {
            query?: never;
            header?: {
                /** @description With a secret key: acts for this customer of the project, who is charged. */
                "X-Service-Customer-Id"?: components["parameters"]["ServiceCustomerId"];
            };
            path: {
                /** @description The id of the project */
                id: string;
                /** @description The id of the state handle */
                state_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            204: {
                headers: {
                    "X-Service-Request-Id": components["headers"]["X-Service-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["native400"];
            401: components["responses"]["native401"];
            403: components["responses"]["native403"];
            404: components["responses"]["native404"];
            413: components["responses"]["native413"];
            429: components["responses"]["native429"];
            500: components["responses"]["native500"];
            503: components["responses"]["native503"];
        };
    };
    listProjectSessions: {
        parameters: {
            query?: {
                /** @description At most this many entries */
                limit?: number;
                /** @description Skips this many entries; `next_cursor` of a page is the offset of the next one */
                offset?: number;
            };
            header?: {
                /** @description With a secret key: acts for this customer of the project, who is charged. */
                "X-Service-Customer-Id"?: components["parameters"]["ServiceCustomerId"];
            };
            path: {
                /** @description The id of the project */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Service-Request-Id": components["headers"]["X-Service-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListSessionsResult"];
                };
            };
            400: components["responses"]["native400"];
            401: components["responses"]["native401"];
            403: components["responses"]["native403"];
            404: components["responses"]["native404"];
            429: components["responses"]["native429"];
            500: components["responses"]["native500"];
            503: components["responses"]["native503"];
        };
    };
    createProjectSession: {
        parameters: {
            query?: never;
            header?: {
                /** @description With a secret key: acts for this customer of the project, who is charged. */
                "X-Service-Customer-Id"?: components["parameters"]["ServiceCustomerId"];
                /** @description Same key and same body: same answer, no second effect, at most one charge. Kept for 24 hours. A request with a key is generated to its end, and charged in full, when its client leaves: the repeat gets the answer. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description The id of the project */
                id: string;
            };
            cookie?: never;
        };
        /** @description At most 8388608 bytes, 200000 members and elements, and 100000 members of objects. */
        requestBody?: {
            content: {
                "application/json": components["schemas"]["CreateSessionRequest"];
            };
        };
        responses: {
            /** @description Success */
            201: {
                headers: {
                    "X-Service-Request-Id": components["headers"]["X-Service-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Session"];
                };
            };
            400: components["responses"]["native400"];
            401: components["responses"]["native401"];
            403: components["responses"]["native403"];
            404: components["responses"]["native404"];
            409: components["responses"]["native409"];
            413: components["responses"]["native413"];
            429: components["responses"]["native429"];
            500: components["responses"]["native500"];
            503: components["responses"]["native503"];
        };
    };
    getProjectSession: {
        parameters: {
            query?: never;
            header?: {
                /** @description With a secret key: acts for this customer of the project, who is charged. */
                "X-Service-Customer-Id"?: components["parameters"]["ServiceCustomerId"];
            };
            path: {
                /** @description The id of the project */
                id: string;
                /** @description The id of the session */
                session_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Service-Request-Id": components["headers"]["X-Service-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SessionWithMessages"];
                };
            };
            400: components["responses"]["native400"];
            401: components["responses"]["native401"];
            403: components["responses"]["native403"];
            404: components["responses"]["native404"];
            429: components["responses"]["native429"];
            500: components["responses"]["native500"];
            503: components["responses"]["native503"];
        };
    };
    deleteProjectSession: {
        parameters: {
            query?: never;
            header?: {
                /** @description With a secret key: acts for this customer of the project, who is charged. */
                "X-Service-Customer-Id"?: components["parameters"]["ServiceCustomerId"];
            };
            path: {
                /** @description The id of the project */
                id: string;
                /** @description The id of the session */
                session_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            204: {
                headers: {
                    "X-Service-Request-Id": components["headers"]["X-Service-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["native400"];
            401: components["responses"]["native401"];
            403: components["responses"]["native403"];
            404: components["responses"]["native404"];
            413: components["responses"]["native413"];
            429: components["responses"]["native429"];
            500: components["responses"]["native500"];
            503: components["responses"]["native503"];
        };
    };
    updateProjectSession: {
        parameters: {
            query?: never;
            header?: {
                /** @description With a secret key: acts for this customer of the project, who is charged. */
                "X-Service-Customer-Id"?: components["parameters"]["ServiceCustomerId"];
            };
            path: {
                /** @description The id of the project */
                id: string;
                /** @description The id of the session */
                session_id: string;
            };
            cookie?: never;
        };
        /** @description At most 8388608 bytes, 200000 members and elements, and 100000 members of objects. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["UpdateSessionRequest"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Service-Request-Id": components["headers"]["X-Service-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Session"];
                };
            };
            400: components["responses"]["native400"];
            401: components["responses"]["native401"];
            403: components["responses"]["native403"];
            404: components["responses"]["native404"];
            413: components["responses"]["native413"];
            429: components["responses"]["native429"];
            500: components["responses"]["native500"];
            503: components["responses"]["native503"];
        };
    };
    appendProjectSessionMessage: {
        parameters: {
            query?: never;
            header?: {
                /** @description With a secret key: acts for this customer of the project, who is charged. */
                "X-Service-Customer-Id"?: components["parameters"]["ServiceCustomerId"];
                /** @description Same key and same body: same answer, no second effect, at most one charge. Kept for 24 hours. A request with a key is generated to its end, and charged in full, when its client leaves: the repeat gets the answer. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description The id of the project */
                id: string;
                /** @description The id of the session */
                session_id: string;
            };
            cookie?: never;
        };
        /** @description At most 8388608 bytes, 200000 members and elements, and 100000 members of objects. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["AppendSessionMessageRequest"];
            };
        };
        responses: {
            /** @description Success */
            201: {
                headers: {
                    "X-Service-Request-Id": components["headers"]["X-Service-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SessionMessage"];
                };
            };
            400: components["responses"]["native400"];
            401: components["responses"]["native401"];
            403: components["responses"]["native403"];
            404: components["responses"]["native404"];
            409: components["responses"]["native409"];
            413: components["responses"]["native413"];
            429: components["responses"]["native429"];
            500: components["responses"]["native500"];
            503: components["responses"]["native503"];
        };
    };
    clearProjectSession: {
        parameters: {
            query?: never;
            header?: {
                /** @description With a secret key: acts for this customer of the project, who is charged. */
                "X-Service-Customer-Id"?: components["parameters"]["ServiceCustomerId"];
            };
            path: {
                /** @description The id of the project */
                id: string;
                /** @description The id of the session */
                session_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Service-Request-Id": components["headers"]["X-Service-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Session"];
                };
            };
            400: components["responses"]["native400"];
            401: components["responses"]["native401"];
            403: components["responses"]["native403"];
            404: components["responses"]["native404"];
            413: components["responses"]["native413"];
            429: components["responses"]["native429"];
            500: components["responses"]["native500"];
            503: components["responses"]["native503"];
        };
    };
    validateProjectSql: {
        parameters: {
            query?: never;
            header?: {
                /** @description With a secret key: acts for this customer of the project, who is charged. */
                "X-Service-Customer-Id"?: components["parameters"]["ServiceCustomerId"];
            };
            path: {
                /** @description The id of the project */
                id: string;
            };
            cookie?: never;
        };
        /** @description At most 1048576 bytes, 200000 members and elements, and 100000 members of objects. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["ValidateSqlRequest"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Service-Request-Id": components["headers"]["X-Service-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ValidateSqlResult"];
                };
            };
            400: components["responses"]["native400"];
            401: components["responses"]["native401"];
            403: components["responses"]["native403"];
            404: components["responses"]["native404"];
            413: components["responses"]["native413"];
            429: components["responses"]["native429"];
            500: components["responses"]["native500"];
            503: components["responses"]["native503"];
        };
    };
    listProjectRuns: {
        parameters: {
            query?: {
                /** @description At most this many entries */
                limit?: number;
                /** @description Skips this many entries; `next_cursor` of a page is the offset of the next one */
                offset?: number;
                status?: components["schemas"]["RunStatus"];
            };
            header?: {
                /** @description With a secret key: acts for this customer of the project, who is charged. */
                "X-Service-Customer-Id"?: components["parameters"]["ServiceCustomerId"];
            };
            path: {
                /** @description The id of the project */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Service-Request-Id": components["headers"]["X-Service-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListRunsResult"];
                };
            };
            400: components["responses"]["native400"];
            401: components["responses"]["native401"];
            403: components["responses"]["native403"];
            404: components["responses"]["native404"];
            429: components["responses"]["native429"];
            500: components["responses"]["native500"];
            503: components["responses"]["native503"];
        };
    };
    createProjectRun: {
        parameters: {
            query?: never;
            header?: {
                /** @description With a secret key: acts for this customer of the project, who is charged. */
                "X-Service-Customer-Id"?: components["parameters"]["ServiceCustomerId"];
            };
            path: {
                /** @description The id of the project */
                id: string;
            };
            cookie?: never;
        };
        /** @description At most 8388608 bytes, 200000 members and elements, and 100000 members of objects. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateRunRequest"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Service-Request-Id": components["headers"]["X-Service-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CreateRunResult"];
                };
            };
            400: components["responses"]["native400"];
            401: components["responses"]["native401"];
            403: components["responses"]["native403"];
            404: components["responses"]["native404"];
            409: components["responses"]["native409"];
            413: components["responses"]["native413"];
            429: components["responses"]["native429"];
            500: components["responses"]["native500"];
            503: components["responses"]["native503"];
        };
    };
    getProjectRun: {
        parameters: {
            query?: never;
            header?: {
                /** @description With a secret key: acts for this customer of the project, who is charged. */
                "X-Service-Customer-Id"?: components["parameters"]["ServiceCustomerId"];
            };
            path: {
                /** @description The id of the project */
                id: string;
                /** @description The id of the run */
                run_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Service-Request-Id": components["headers"]["X-Service-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Run"];
                };
            };
            400: components["responses"]["native400"];
            401: components["responses"]["native401"];
            403: components["responses"]["native403"];
            404: components["responses"]["native404"];
            429: components["responses"]["native429"];
            500: components["responses"]["native500"];
            503: components["responses"]["native503"];
        };
    };
    streamProjectRunEvents: {
        parameters: {
            query?: {
                after_seq?: number;
                wait?: "0" | "1" | "true" | "false";
                /** @description At most this many entries */
                limit?: number;
            };
            header?: {
                /** @description With a secret key: acts for this customer of the project, who is charged. */
                "X-Service-Customer-Id"?: components["parameters"]["ServiceCustomerId"];
            };
            path: {
                /** @description The id of the project */
                id: string;
                /** @description The id of the run */
                run_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Service-Request-Id": components["headers"]["X-Service-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/x-ndjson": components["schemas"]["RunEvent"];
                    "text/event-stream": components["schemas"]["RunEvent"];
                };
            };
            400: components["responses"]["native400"];
            401: components["responses"]["native401"];
            403: components["responses"]["native403"];
            404: components["responses"]["native404"];
            429: components["responses"]["native429"];
            500: components["responses"]["native500"];
            503: components["responses"]["native503"];
        };
    };
    cancelProjectRun: {
        parameters: {
            query?: never;
            header?: {
                /** @description With a secret key: acts for this customer of the project, who is charged. */
                "X-Service-Customer-Id"?: components["parameters"]["ServiceCustomerId"];
            };
            path: {
                /** @description The id of the project */
                id: string;
                /** @description The id of the run */
                run_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Service-Request-Id": components["headers"]["X-Service-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Run"];
                };
            };
            400: components["responses"]["native400"];
            401: components["responses"]["native401"];
            403: components["responses"]["native403"];
            404: components["responses"]["native404"];
            409: components["responses"]["native409"];
            413: components["responses"]["native413"];
            429: components["responses"]["native429"];
            500: components["responses"]["native500"];
            503: components["responses"]["native503"];
        };
    };
    listProjectPendingToolCalls: {
        parameters: {
            query?: never;
            header?: {
                /** @description With a secret key: acts for this customer of the project, who is charged. */
                "X-Service-Customer-Id"?: components["parameters"]["ServiceCustomerId"];
            };
            path: {
                /** @description The id of the project */
                id: string;
                /** @description The id of the run */
                run_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Service-Request-Id": components["headers"]["X-Service-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PendingToolsResult"];
                };
            };
            400: components["responses"]["native400"];
            401: components["responses"]["native401"];
            403: components["responses"]["native403"];
            404: components["responses"]["native404"];
            429: components["responses"]["native429"];
            500: components["responses"]["native500"];
            503: components["responses"]["native503"];
        };
    };
    submitProjectToolResults: {
        parameters: {
            query?: never;
            header?: {
                /** @description With a secret key: acts for this customer of the project, who is charged. */
                "X-Service-Customer-Id"?: components["parameters"]["ServiceCustomerId"];
            };
            path: {
                /** @description The id of the project */
                id: string;
                /** @description The id of the run */
                run_id: string;
            };
            cookie?: never;
        };
        /** @description At most 8388608 bytes, 200000 members and elements, and 100000 members of objects. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["SubmitToolResultsRequest"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Service-Request-Id": components["headers"]["X-Service-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AcceptedToolResults"];
                };
            };
            400: components["responses"]["native400"];
            401: components["responses"]["native401"];
            403: components["responses"]["native403"];
            404: components["responses"]["native404"];
            409: components["responses"]["native409"];
            413: components["responses"]["native413"];
            429: components["responses"]["native429"];
            500: components["responses"]["native500"];
            503: components["responses"]["native503"];
        };
    };
    listProjectRunSteps: {
        parameters: {
            query?: {
                /** @description At most this many entries */
                limit?: number;
                /** @description Skips this many entries; `next_cursor` of a page is the offset of the next one */
                offset?: number;
            };
            header?: {
                /** @description With a secret key: acts for this customer of the project, who is charged. */
                "X-Service-Customer-Id"?: components["parameters"]["ServiceCustomerId"];
            };
            path: {
                /** @description The id of the project */
                id: string;
                /** @description The id of the run */
                run_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Service-Request-Id": components["headers"]["X-Service-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListRunStepsResult"];
                };
            };
            400: components["responses"]["native400"];
            401: components["responses"]["native401"];
            403: components["responses"]["native403"];
            404: components["responses"]["native404"];
            429: components["responses"]["native429"];
            500: components["responses"]["native500"];
            503: components["responses"]["native503"];
        };
    };
    listProjectRunTasks: {
        parameters: {
            query?: never;
            header?: {
                /** @description With a secret key: acts for this customer of the project, who is charged. */
                "X-Service-Customer-Id"?: components["parameters"]["ServiceCustomerId"];
            };
            path: {
                /** @description The id of the project */
                id: string;
                /** @description The id of the run */
                run_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Service-Request-Id": components["headers"]["X-Service-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListRunTasksResult"];
                };
            };
            400: components["responses"]["native400"];
            401: components["responses"]["native401"];
            403: components["responses"]["native403"];
            404: components["responses"]["native404"];
            429: components["responses"]["native429"];
            500: components["responses"]["native500"];
            503: components["responses"]["native503"];
        };
    };
    compileProjectWorkflow: {
        parameters: {
            query?: never;
            header?: {
                /** @description With a secret key: acts for this customer of the project, who is charged. */
                "X-Service-Customer-Id"?: components["parameters"]["ServiceCustomerId"];
            };
            path: {
                /** @description The id of the project */
                id: string;
            };
            cookie?: never;
        };
        /** @description At most 8388608 bytes, 200000 members and elements, and 100000 members of objects. */
        requestBody?: {
            content: {
                "application/json": components["schemas"]["WorkflowSpec"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Service-Request-Id": components["headers"]["X-Service-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CompileWorkflowResult"];
                };
            };
            400: components["responses"]["native400"];
            401: components["responses"]["native401"];
            403: components["responses"]["native403"];
            404: components["responses"]["native404"];
            413: components["responses"]["native413"];
            429: components["responses"]["native429"];
            500: components["responses"]["native500"];
            503: components["responses"]["native503"];
        };
    };
    lintProjectWorkflow: {
        parameters: {
            query?: never;
            header?: {
                /** @description With a secret key: acts for this customer of the project, who is charged. */
                "X-Service-Customer-Id"?: components["parameters"]["ServiceCustomerId"];
            };
            path: {
                /** @description The id of the project */
                id: string;
            };
            cookie?: never;
        };
        /** @description At most 8388608 bytes, 200000 members and elements, and 100000 members of objects. */
        requestBody?: {
            content: {
                "application/json": components["schemas"]["WorkflowSpec"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Service-Request-Id": components["headers"]["X-Service-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LintWorkflowResult"];
                };
            };
            400: components["responses"]["native400"];
            401: components["responses"]["native401"];
            403: components["responses"]["native403"];
            404: components["responses"]["native404"];
            413: components["responses"]["native413"];
            429: components["responses"]["native429"];
            500: components["responses"]["native500"];
            503: components["responses"]["native503"];
        };
    };
    compileProjectPlugin: {
        parameters: {
            query?: never;
            header?: {
                /** @description With a secret key: acts for this customer of the project, who is charged. */
                "X-Service-Customer-Id"?: components["parameters"]["ServiceCustomerId"];
                /** @description Same key and same body: same answer, no second effect, at most one charge. Kept for 24 hours. A request with a key is generated to its end, and charged in full, when its client leaves: the repeat gets the answer. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description The id of the project */
                id: string;
            };
            cookie?: never;
        };
        /** @description At most 8388608 bytes, 200000 members and elements, and 100000 members of objects. */
        requestBody?: {
            content: {
                "application/json": components["schemas"]["CompilePluginRequest"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Service-Request-Id": components["headers"]["X-Service-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CompilePluginResult"];
                };
            };
            400: components["responses"]["native400"];
            401: components["responses"]["native401"];
            403: components["responses"]["native403"];
            404: components["responses"]["native404"];
            409: components["responses"]["native409"];
            413: components["responses"]["native413"];
            422: components["responses"]["native422"];
            /** @description Rate limit exceeded */
            429: {
                headers: {
                    "X-Service-Request-Id": components["headers"]["X-Service-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    /** @example rate limit exceeded */
                    "text/plain": string;
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            500: components["responses"]["native500"];
            503: components["responses"]["native503"];
        };
    };
    compileProjectSkill: {
        parameters: {
            query?: never;
            header?: {
                /** @description With a secret key: acts for this customer of the project, who is charged. */
                "X-Service-Customer-Id"?: components["parameters"]["ServiceCustomerId"];
                /** @description Same key and same body: same answer, no second effect, at most one charge. Kept for 24 hours. A request with a key is generated to its end, and charged in full, when its client leaves: the repeat gets the answer. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description The id of the project */
                id: string;
            };
            cookie?: never;
        };
        /** @description At most 8388608 bytes, 200000 members and elements, and 100000 members of objects. */
        requestBody?: {
            content: {
                "application/json": components["schemas"]["CompileSkillRequest"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Service-Request-Id": components["headers"]["X-Service-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CompileSkillResult"];
                };
            };
            400: components["responses"]["native400"];
            401: components["responses"]["native401"];
            403: components["responses"]["native403"];
            404: components["responses"]["native404"];
            409: components["responses"]["native409"];
            413: components["responses"]["native413"];
            422: components["responses"]["native422"];
            /** @description Rate limit exceeded */
            429: {
                headers: {
                    "X-Service-Request-Id": components["headers"]["X-Service-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    /** @example rate limit exceeded */
                    "text/plain": string;
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            500: components["responses"]["native500"];
            503: components["responses"]["native503"];
        };
    };
    getOpenApiDocument: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Service-Request-Id": components["headers"]["X-Service-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GetOpenApiDocumentResult"];
                };
            };
            400: components["responses"]["native400"];
            429: components["responses"]["native429"];
            500: components["responses"]["native500"];
            503: components["responses"]["native503"];
        };
    };
    onCustomerCreated: {
        parameters: {
            query?: never;
            header: {
                /** @description The type of the event */
                "X-Service-Event-Type": string;
                /** @description The id of the event */
                "X-Service-Event-Id": string;
                /** @description `body`: `sha256=<hex>` over the body. `timestamped`: `t=<unix seconds>,v1=<hex>` over `<t>.<body>`. The key is the secret. */
                "X-Service-Signature"?: string;
                /** @description `standard`: the id of the event */
                "webhook-id"?: string;
                /** @description `standard`: Unix seconds */
                "webhook-timestamp"?: string;
                /** @description `standard`: `v1,<base64>` over `<id>.<timestamp>.<body>`, as in Standard Webhooks */
                "webhook-signature"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CustomerCreatedWebhookEvent"];
            };
        };
        responses: {
            /** @description Repeated later */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not repeated; the webhook is disabled */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Repeated later; `Retry-After` may bring the next attempt forward */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Delivered */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not repeated */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Repeated later, at most five attempts */
            "5XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onCustomerUpdated: {
        parameters: {
            query?: never;
            header: {
                /** @description The type of the event */
                "X-Service-Event-Type": string;
                /** @description The id of the event */
                "X-Service-Event-Id": string;
                /** @description `body`: `sha256=<hex>` over the body. `timestamped`: `t=<unix seconds>,v1=<hex>` over `<t>.<body>`. The key is the secret. */
                "X-Service-Signature"?: string;
                /** @description `standard`: the id of the event */
                "webhook-id"?: string;
                /** @description `standard`: Unix seconds */
                "webhook-timestamp"?: string;
                /** @description `standard`: `v1,<base64>` over `<id>.<timestamp>.<body>`, as in Standard Webhooks */
                "webhook-signature"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CustomerUpdatedWebhookEvent"];
            };
        };
        responses: {
            /** @description Repeated later */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not repeated; the webhook is disabled */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Repeated later; `Retry-After` may bring the next attempt forward */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Delivered */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not repeated */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Repeated later, at most five attempts */
            "5XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onCustomerDeleted: {
        parameters: {
            query?: never;
            header: {
                /** @description The type of the event */
                "X-Service-Event-Type": string;
                /** @description The id of the event */
                "X-Service-Event-Id": string;
                /** @description `body`: `sha256=<hex>` over the body. `timestamped`: `t=<unix seconds>,v1=<hex>` over `<t>.<body>`. The key is the secret. */
                "X-Service-Signature"?: string;
                /** @description `standard`: the id of the event */
                "webhook-id"?: string;
                /** @description `standard`: Unix seconds */
                "webhook-timestamp"?: string;
                /** @description `standard`: `v1,<base64>` over `<id>.<timestamp>.<body>`, as in Standard Webhooks */
                "webhook-signature"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CustomerDeletedWebhookEvent"];
            };
        };
        responses: {
            /** @description Repeated later */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not repeated; the webhook is disabled */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Repeated later; `Retry-After` may bring the next attempt forward */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Delivered */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not repeated */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Repeated later, at most five attempts */
            "5XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onUsageThresholdExceeded: {
        parameters: {
            query?: never;
            header: {
                /** @description The type of the event */
                "X-Service-Event-Type": string;
                /** @description The id of the event */
                "X-Service-Event-Id": string;
                /** @description `body`: `sha256=<hex>` over the body. `timestamped`: `t=<unix seconds>,v1=<hex>` over `<t>.<body>`. The key is the secret. */
                "X-Service-Signature"?: string;
                /** @description `standard`: the id of the event */
                "webhook-id"?: string;
                /** @description `standard`: Unix seconds */
                "webhook-timestamp"?: string;
                /** @description `standard`: `v1,<base64>` over `<id>.<timestamp>.<body>`, as in Standard Webhooks */
                "webhook-signature"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["UsageThresholdExceededWebhookEvent"];
            };
        };
        responses: {
            /** @description Repeated later */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not repeated; the webhook is disabled */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Repeated later; `Retry-After` may bring the next attempt forward */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Delivered */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not repeated */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Repeated later, at most five attempts */
            "5XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onRequestCompleted: {
        parameters: {
            query?: never;
            header: {
                /** @description The type of the event */
                "X-Service-Event-Type": string;
                /** @description The id of the event */
                "X-Service-Event-Id": string;
                /** @description `body`: `sha256=<hex>` over the body. `timestamped`: `t=<unix seconds>,v1=<hex>` over `<t>.<body>`. The key is the secret. */
                "X-Service-Signature"?: string;
                /** @description `standard`: the id of the event */
                "webhook-id"?: string;
                /** @description `standard`: Unix seconds */
                "webhook-timestamp"?: string;
                /** @description `standard`: `v1,<base64>` over `<id>.<timestamp>.<body>`, as in Standard Webhooks */
                "webhook-signature"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RequestCompletedWebhookEvent"];
            };
        };
        responses: {
            /** @description Repeated later */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not repeated; the webhook is disabled */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Repeated later; `Retry-After` may bring the next attempt forward */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Delivered */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not repeated */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Repeated later, at most five attempts */
            "5XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onBillingSubscriptionChanged: {
        parameters: {
            query?: never;
            header: {
                /** @description The type of the event */
                "X-Service-Event-Type": string;
                /** @description The id of the event */
                "X-Service-Event-Id": string;
                /** @description `body`: `sha256=<hex>` over the body. `timestamped`: `t=<unix seconds>,v1=<hex>` over `<t>.<body>`. The key is the secret. */
                "X-Service-Signature"?: string;
                /** @description `standard`: the id of the event */
                "webhook-id"?: string;
                /** @description `standard`: Unix seconds */
                "webhook-timestamp"?: string;
                /** @description `standard`: `v1,<base64>` over `<id>.<timestamp>.<body>`, as in Standard Webhooks */
                "webhook-signature"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["BillingSubscriptionChangedWebhookEvent"];
            };
        };
        responses: {
            /** @description Repeated later */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not repeated; the webhook is disabled */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Repeated later; `Retry-After` may bring the next attempt forward */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Delivered */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not repeated */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Repeated later, at most five attempts */
            "5XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onBillingPaymentRefunded: {
        parameters: {
            query?: never;
            header: {
                /** @description The type of the event */
                "X-Service-Event-Type": string;
                /** @description The id of the event */
                "X-Service-Event-Id": string;
                /** @description `body`: `sha256=<hex>` over the body. `timestamped`: `t=<unix seconds>,v1=<hex>` over `<t>.<body>`. The key is the secret. */
                "X-Service-Signature"?: string;
                /** @description `standard`: the id of the event */
                "webhook-id"?: string;
                /** @description `standard`: Unix seconds */
                "webhook-timestamp"?: string;
                /** @description `standard`: `v1,<base64>` over `<id>.<timestamp>.<body>`, as in Standard Webhooks */
                "webhook-signature"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["BillingPaymentRefundedWebhookEvent"];
            };
        };
        responses: {
            /** @description Repeated later */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not repeated; the webhook is disabled */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Repeated later; `Retry-After` may bring the next attempt forward */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Delivered */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not repeated */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Repeated later, at most five attempts */
            "5XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onAccountAdmissionBlocked: {
        parameters: {
            query?: never;
            header: {
                /** @description The type of the event */
                "X-Service-Event-Type": string;
                /** @description The id of the event */
                "X-Service-Event-Id": string;
                /** @description `body`: `sha256=<hex>` over the body. `timestamped`: `t=<unix seconds>,v1=<hex>` over `<t>.<body>`. The key is the secret. */
                "X-Service-Signature"?: string;
                /** @description `standard`: the id of the event */
                "webhook-id"?: string;
                /** @description `standard`: Unix seconds */
                "webhook-timestamp"?: string;
                /** @description `standard`: `v1,<base64>` over `<id>.<timestamp>.<body>`, as in Standard Webhooks */
                "webhook-signature"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AccountAdmissionBlockedWebhookEvent"];
            };
        };
        responses: {
            /** @description Repeated later */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not repeated; the webhook is disabled */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Repeated later; `Retry-After` may bring the next attempt forward */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Delivered */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not repeated */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Repeated later, at most five attempts */
            "5XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
}
