import { expect, it } from '@jest/globals';
import { createElement } from 'react';
import { renderToString } from 'react-dom/server';
import { Tollgate } from '../client.js';
import { BASE_URL, fakeGateway } from '../testing/fake-gateway.js';
import { TollgateProvider, useBalance, useCustomer, usePortal, useRunEvents, useUsage } from './index.js';

function Screen() {
  const { open, ...portal } = usePortal(() => Promise.reject(new Error('unused')));
  return createElement(
    'pre',
    {},
    JSON.stringify([useUsage(), useBalance({ refreshMs: 1_000 }), useCustomer(), useRunEvents('r1'), portal]),
  );
}

it('renders on a server without a request', () => {
  const gateway = fakeGateway();
  const client = new Tollgate({ baseUrl: BASE_URL, fetch: gateway.fetch });
  const page = renderToString(createElement(TollgateProvider, { client }, createElement(Screen)));
  expect(page.match(/isLoading&quot;:true/g)?.length).toBe(3);
  expect(page).toContain('status&quot;:&quot;streaming');
  expect(gateway.requests).toEqual([]);
});

it('rejects a hook outside of a provider', () => {
  expect(() => renderToString(createElement(Screen))).toThrow('needs a <TollgateProvider');
});
