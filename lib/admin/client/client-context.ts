// The clients of the server, created once and passed to all components through a context.

import { createContext } from 'preact'
import { useContext } from 'preact/hooks'
import { ADMIN_PATH, API, SERVER } from './address.ts'
import { type Api, openApi } from './api.ts'
import { useCell } from './cell.ts'
import { type Connection, openConnection } from './connection.ts'
import type { Me } from './me.ts'
import { openSession, openTabs, type Session } from './session.ts'
import { openTransport } from './transport.ts'

export interface Speaking {
  readonly api: Api
  readonly session: Session
  readonly connection: Connection
}

export function openClient(): Speaking {
  const connection = openConnection(SERVER)
  const onOther = (): void => location.assign(ADMIN_PATH)
  const session = openSession({ api: API, connection, tabs: openTabs(`cms${ADMIN_PATH}`), onOther })
  return { api: openApi(API, openTransport(session, connection)), session, connection }
}

const Client = createContext<Speaking | undefined>(undefined)

export const ClientProvider = Client.Provider

export function useClient(): Speaking {
  const client = useContext(Client)
  if (client === undefined) throw new Error('There is no client around this component.')
  return client
}

export function useApi(): Api {
  return useClient().api
}

/** Returns the signed-in user, or undefined. */
export function useMe(): Me | undefined {
  const state = useCell(useClient().session.state)
  return 'me' in state ? state.me : undefined
}
