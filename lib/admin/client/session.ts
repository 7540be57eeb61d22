// The session of the signed-in user. The secret that signs requests is kept only in this closure. It expires after
// minutes, and an HttpOnly cookie obtains the next one. When the session has expired, all callers wait until somebody
// signs in again, and the page stays as it is.

import { type Cell, openCell, untilCell } from './cell.ts'
import type { Connection } from './connection.ts'
import type { paths } from './interface.d.ts'
import type { Me } from './me.ts'
import { NoConnection, Problem, readProblem } from './problem.ts'

type SessionState =
  | { readonly kind: 'starting' }
  | { readonly kind: 'none' }
  | { readonly kind: 'open'; readonly me: Me }
  /** The session has expired, but the page still shows its content. */
  | { readonly kind: 'over'; readonly me: Me }

interface Credentials {
  readonly name: string
  readonly password: string
  /** Code of the second factor. */
  readonly code?: string
}

export interface Session {
  readonly state: Cell<SessionState>
  /** Resumes the session of the browser when the page loads. */
  readonly start: () => Promise<void>
  readonly signIn: (credentials: Credentials) => Promise<void>
  /** Available before anybody has signed in. */
  readonly waysIn: () => Promise<WaysIn>
  /** Signs in with the link that the server printed at its first start. */
  readonly signInFirst: (input: FirstSignIn) => Promise<void>
  /** Signs out here, or in all sessions of the user. */
  readonly signOut: (where?: { readonly isEverywhere: boolean }) => Promise<void>
  /** Returns a valid secret; waits for a sign-in if there is none. */
  readonly secret: (signal?: AbortSignal) => Promise<string>
  /** Reports a secret that the server rejected. */
  readonly drop: (secret: string) => void
}

interface FirstSignIn {
  readonly token: string
  readonly password: string
}

interface SessionOptions {
  /** Base URL of the API. */
  readonly api: string
  readonly connection: Connection
  readonly tabs: Tabs
  /** Called when a different user signs in: the page must not show the data of the previous user. */
  readonly onOther: () => void
}

type WaysIn = paths['/session']['get']['responses'][200]['content']['application/json']

/** Response to a sign-in and to a renewal. */
type Given = paths['/session/renew']['post']['responses'][200]['content']['application/json']

interface Held {
  readonly secret: string
  /** On the clock of performance.now(), which is monotonic. */
  readonly untilMs: number
}

/** The session does not exist or has expired. */
const OVER: ReadonlySet<number> = new Set([401, 404])

/** A secret that expires within this time is not used for new requests. */
const MARGIN_MS = 60_000

// oxlint-disable-next-line eslint/max-lines-per-function -- the secret must not leave this scope
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

  /** Returns false if the session has ended. */
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

  /** Opens the session and publishes its user. */
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
      // If the session cannot be resumed, the sign-in form reports the reason.
      await resume().catch(end)
      // Another tab may wait for the sign-in at a provider that happened in this tab.
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
        // The session was already ended elsewhere.
        if (!(error instanceof Problem) || !OVER.has(error.facts.status)) throw error
      })
      held = undefined
      state.set({ kind: 'none' })
      tabs.tell('signed-out')
    },
    async secret(signal) {
      for (;;) {
        signal?.throwIfAborted()
        // A different user may sign in, so wait until the user is known.
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

/** Computes the lifetime from the server's clock, because the clock of this machine may differ. */
function heldOf({ secret, date_expires: expires }: Given, date: string | null): Held {
  const now = date === null ? Date.now() : Date.parse(date)
  return { secret, untilMs: performance.now() + Date.parse(expires) - now }
}

/** Retries an idempotent request whenever the connection is back. */
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

type Message = 'signed-in' | 'signed-out'

/**
 * Coordinates the tabs of one browser, which share one session: signing out in one tab signs out all tabs.
 */
interface Tabs {
  readonly tell: (message: Message) => void
  /** Calls the listener for messages of other tabs. */
  readonly onMessage: (listener: (message: Message) => void) => void
  /** Serializes work across tabs, because each response changes what the next request sends. */
  readonly inTurn: <T>(work: () => Promise<T>) => Promise<T>
}

export function openTabs(name: string): Tabs {
  const channel = new BroadcastChannel(name)
  return {
    tell: (message) => channel.postMessage(message),
    onMessage(listener) {
      channel.addEventListener('message', ({ data }: MessageEvent<Message>) => listener(data))
    },
    async inTurn(work) {
      // Browsers have no Web Locks without TLS, except on localhost.
      if (!('locks' in navigator)) return work()
      return navigator.locks.request(name, work)
    },
  }
}
