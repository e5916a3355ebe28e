import { createContext, createElement, type FunctionComponent, type ReactNode, useContext } from 'react';
import type { Tollgate } from '../client.js';

const ClientContext = createContext<Tollgate | undefined>(undefined);

export interface TollgateProviderProps {
  /** A client with a customer's token, such as one of `refreshingToken`. Make it once, outside of components. */
  client: Tollgate;
  children?: ReactNode;
}

/** Gives the client to the hooks of all components inside. */
export const TollgateProvider: FunctionComponent<TollgateProviderProps> = ({ client, children }) =>
  createElement(ClientContext.Provider, { value: client }, children);

/** Returns the client of the nearest provider, for calls of its operations. */
export function useTollgate(): Tollgate {
  const client = useContext(ClientContext);
  if (!client) throw new Error('this component needs a <TollgateProvider client={…}> around it');
  return client;
}
