// Who has signed in. The secret that signs requests is in here alone: it lasts for minutes, and a cookie that no
// program of a page can read gets the next one. When there is no next one, whatever wants a secret waits until
// somebody has signed in again; the page stays as it is meanwhile.

import { type Cell, openCell, untilCell } from './cell.ts'
import type { Connection } from './connection.ts'
import type { paths } from './interface.d.ts'
import type { Me } from './me.ts'
import { NoConnection, Problem, readProblem } from './problem.ts'
import type { Tabs } from './tabs.ts'

export type SessionState =
  | { readonly kind: 'starting' }
  | { readonly kind: 'none' }
  | { readonly kind: 'open'; readonly me: Me }
  /** There was one, and what the page shows is still there. */
  | { readonly kind: 'over'; readonly me: Me }

export interface Credentials {
  readonly name: string
  readonly password: string
  /** Of the second factor. */
  readonly code?: string
}

export interface Session {
  readonly state: Cell<SessionState>
  /** When the page is loaded: goes on with the session that the browser has. */
  readonly start: () => Promise<void>
  readonly signIn: (credentials: Credentials) => Promise<void>
  /** Known before anybody has signed in. */
  readonly waysIn: () => Promise<WaysIn>
  /** By the link that the first start of a server has told. */
  readonly signInFirst: (input: FirstSignIn) => Promise<void>
  /** Here, or wherever the same person has signed in. */
  readonly signOut: (where?: { readonly isEverywhere: boolean }) => Promise<void>
  /** A secret that is good for a moment; waits for somebody to sign in where there is none. */
  readonly secret: (signal?: AbortSignal) => Promise<string>
  /** The server has refused this one. */
  readonly drop: (secret: string) => void
}

export interface FirstSignIn {
  readonly token: string
  readonly password: string
}

export interface SessionOptions {
  /** Address of the interface. */
  readonly api: string
  readonly connection: Connection
  readonly tabs: Tabs
  /** Somebody else than before has signed in: nothing that is shown is theirs. */
  readonly onOther: () => void
}

export type WaysIn = paths['/session']['get']['responses'][200]['content']['application/json']

/** What the server answers to a sign-in and to a renewal. */
type Given = paths['/session/renew']['post']['responses'][200]['content']['application/json']

interface Held {
  readonly secret: string
  /** By performance.now(), which nobody sets. */
  readonly untilMs: number
}

/** There is no session, or nobody who knows of any. */
const OVER: ReadonlySet<number> = new Set([401, 404])

/** So long before its end a secret is not begun with any more. */
const MARGIN_MS = 60_000

// oxlint-disable-next-line eslint/max-lines-per-function -- what shares the secret, which is nowhere else
export function openSession({ api, connection, tabs, onOther }: SessionOptions): Session {
  const state = openCell<SessionState>({ kind: 'starting' })
  let held: Held | undefined
  let renewing: Promise<boolean> | undefined

  /** Throws Problem, or NoConnection. */
  async function send(path: string, init: RequestInit): Promise<Response> {
    const response = await fetch(`${api}${path}`, init).catch((error: unknown) => {
      connection.lose()
      throw new NoConnection(error)
    })
    if (!response.ok) throw await readProblem(response)
    return response
  }

  async function take(path: string, body?: object): Promise<void> {
    const json = { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }
    const response = await send(path, { method: 'POST', ...(body !== undefined && json) })
    held = heldOf((await response.json()) as Given, response.headers.get('date'))
  }

  async function readMe(): Promise<Me> {
    const headers = { authorization: `Bearer ${held?.secret ?? ''}` }
    const response = await send('/me', { headers })
    return (await response.json()) as Me
  }

  /** False: there is no session any more. */
  function renew(): Promise<boolean> {
    renewing ??= tabs
      .inTurn(() => untilAnswered(connection, () => take('/session/renew')))
      .then(() => true)
      .catch((error: unknown) => {
        if (error instanceof Problem && OVER.has(error.facts.status)) return false
        throw error
      })
      .finally(() => {
        renewing = undefined
      })
    return renewing
  }

  /** Shows whose session it is. */
  async function open(): Promise<void> {
    const before = state.get()
    const me = await untilAnswered(connection, readMe)
    const isOther = before.kind === 'over' && before.me.user.user_id !== me.user.user_id
    if (isOther) return onOther()
    state.set({ kind: 'open', me })
  }

  function end(): void {
    held = undefined
    const before = state.get()
    if (before.kind === 'open') state.set({ kind: 'over', me: before.me })
    else if (before.kind === 'starting') state.set({ kind: 'none' })
  }

  async function resume(): Promise<void> {
    if (await renew()) await open()
    else end()
  }

  async function enter(path: string, body: object): Promise<void> {
    await take(path, body)
    await open()
    tabs.tell('signed-in')
  }

  tabs.onMessage((message) => {
    if (message === 'signed-out') end()
    else if (state.get().kind !== 'open') void resume().catch(() => undefined)
  })

  return {
    state,
    async start() {
      // Whatever is wrong with going on, signing in tells it.
      await resume().catch(end)
      // Another tab may wait for who went to a provider in this one.
      if (state.get().kind === 'open') tabs.tell('signed-in')
    },
    waysIn: async () => (await (await send('/session', {})).json()) as WaysIn,
    signIn: (credentials) => enter('/session', credentials),
    signInFirst: (input) => enter('/session/first', input),
    async signOut(where) {
      const secret = held?.secret
      const headers = secret === undefined ? {} : { authorization: `Bearer ${secret}` }
      const query = where?.isEverywhere === true ? '?everywhere=true' : ''
      await send(`/session${query}`, { method: 'DELETE', headers }).catch((error: unknown) => {
        // It was ended elsewhere, which is what was asked for.
        if (!(error instanceof Problem) || !OVER.has(error.facts.status)) throw error
      })
      held = undefined
      state.set({ kind: 'none' })
      tabs.tell('signed-out')
    },
    async secret(signal) {
      for (;;) {
        signal?.throwIfAborted()
        // Not before it is known who has signed in: it may be somebody else.
        await untilCell(state, isOpen, signal)
        if (held !== undefined && held.untilMs - MARGIN_MS > performance.now()) return held.secret
        if (!(await renew())) end()
      }
    },
    drop(secret) {
      if (held?.secret === secret) held = undefined
    },
  }
}

function isOpen(state: SessionState): state is SessionState & { readonly kind: 'open' } {
  return state.kind === 'open'
}

/** By the clock of the server, from which that of this machine may differ. */
function heldOf({ secret, date_expires: expires }: Given, date: string | null): Held {
  const now = date === null ? Date.now() : Date.parse(date)
  return { secret, untilMs: performance.now() + Date.parse(expires) - now }
}

/** Once more whenever the connection is back: for what may be asked for twice. */
async function untilAnswered<T>(connection: Connection, work: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await work()
    } catch (error) {
      if (!(error instanceof NoConnection)) throw error
      await connection.back()
    }
  }
}
