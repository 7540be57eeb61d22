// The session of the signed-in user. The secret that signs requests is kept only in a #private field, so that no
// serialization includes it. The secret expires after minutes, and an HttpOnly cookie obtains the next one. When the
// session has expired, all callers wait until somebody signs in again, and the page stays as it is.

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

interface LinkSignIn {
  readonly token: string
  readonly password: string
  /** Code of the second factor. */
  readonly code?: string
}

interface SessionOptions {
  /** Base URL of the API. */
  readonly api: string
  readonly connection: Connection
  readonly tabs: Tabs
  /** Called when a different user signs in: the page must not show the data of the previous user. */
  readonly onOther: () => void
}

export type LinkUser =
  paths['/session/link/check']['post']['responses'][200]['content']['application/json']

type WaysIn = paths['/session']['get']['responses'][200]['content']['application/json']

/** Response to a sign-in and to a renewal. */
type Given = paths['/session/renew']['post']['responses'][200]['content']['application/json']

interface SessionSecret {
  readonly secret: string
  /** On the clock of performance.now(), which is monotonic. */
  readonly untilMs: number
}

/** The session does not exist or has expired. */
const OVER: ReadonlySet<number> = new Set([401, 404])

/** A secret that expires within this time is not used for new requests. */
const MARGIN_MS = 60_000

export function openSession(options: SessionOptions): Session {
  return new Session(options)
}

export class Session {
  readonly state: Cell<SessionState> = openCell<SessionState>({ kind: 'starting' })
  readonly #options: SessionOptions
  #secret: SessionSecret | undefined
  #renewing: Promise<boolean> | undefined

  constructor(options: SessionOptions) {
    this.#options = options
    options.tabs.onMessage((message) => {
      if (message === 'signed-out') this.#end()
      else if (this.state.get().kind !== 'open') void this.#resume().catch(() => undefined)
    })
  }

  /** Resumes the session of the browser when the page loads. */
  async start(): Promise<void> {
    // If the session cannot be resumed, the sign-in form reports the reason.
    await this.#resume().catch(() => this.#end())
    // Another tab may wait for the sign-in at a provider that happened in this tab.
    if (this.state.get().kind === 'open') this.#options.tabs.tell('signed-in')
  }

  /** Available before anybody has signed in. */
  async waysIn(): Promise<WaysIn> {
    return (await (await this.#send('/session', {})).json()) as WaysIn
  }

  signIn(credentials: Credentials): Promise<void> {
    return this.#enter('/session', credentials)
  }

  /** The user of the link of the first start, or of a link that an administrator made. */
  async linkUser(token: string): Promise<LinkUser> {
    return (await (await this.#send('/session/link/check', posting({ token }))).json()) as LinkUser
  }

  signInWithLink(input: LinkSignIn): Promise<void> {
    return this.#enter('/session/link', input)
  }

  /** Signs out here, or in all sessions of the user. */
  async signOut(where?: { readonly isEverywhere: boolean }): Promise<void> {
    const secret = this.#secret?.secret
    const headers = secret === undefined ? {} : { authorization: `Bearer ${secret}` }
    const query = where?.isEverywhere === true ? '?everywhere=true' : ''
    await this.#send(`/session${query}`, { method: 'DELETE', headers }).catch((error: unknown) => {
      // The session was already ended elsewhere.
      if (!isOver(error)) throw error
    })
    this.#secret = undefined
    this.state.set({ kind: 'none' })
    this.#options.tabs.tell('signed-out')
  }

  /** Reads the signed-in user again, after a change of the user. */
  async reread(): Promise<void> {
    await this.secret()
    const me = await this.#readMe()
    if (this.state.get().kind === 'open') this.state.set({ kind: 'open', me })
  }

  /** Returns a valid secret; waits for a sign-in if there is none. */
  async secret(signal?: AbortSignal): Promise<string> {
    for (;;) {
      signal?.throwIfAborted()
      // A different user may sign in, so wait until the user is known.
      await untilCell(this.state, isOpen, signal)
      const known = this.#secret
      if (known !== undefined && known.untilMs - MARGIN_MS > performance.now()) return known.secret
      if (!(await this.#renew())) this.#end()
    }
  }

  /** Reads the user and the sites again, after a change that concerns them. */
  async refresh(): Promise<Me> {
    await this.secret()
    const me = await this.#readMe()
    if (isOpen(this.state.get())) this.state.set({ kind: 'open', me })
    return me
  }

  /** Reports a secret that the server rejected. */
  drop(secret: string): void {
    if (this.#secret?.secret === secret) this.#secret = undefined
  }

  async #enter(path: string, body: object): Promise<void> {
    await this.#take(path, body)
    await this.#open()
    this.#options.tabs.tell('signed-in')
  }

  async #resume(): Promise<void> {
    if (await this.#renew()) await this.#open()
    else this.#end()
  }

  /** Opens the session and publishes its user. */
  async #open(): Promise<void> {
    const { connection, onOther } = this.#options
    const before = this.state.get()
    const me = await untilAnswered(connection, () => this.#readMe())
    const isOther = before.kind === 'over' && before.me.user.user_id !== me.user.user_id
    if (isOther) return onOther()
    this.state.set({ kind: 'open', me })
  }

  #end(): void {
    this.#secret = undefined
    const before = this.state.get()
    if (before.kind === 'open') this.state.set({ kind: 'over', me: before.me })
    else if (before.kind === 'starting') this.state.set({ kind: 'none' })
  }

  /** Returns false if the session has ended. */
  #renew(): Promise<boolean> {
    const { connection, tabs } = this.#options
    this.#renewing ??= tabs
      .inTurn(() => untilAnswered(connection, () => this.#take('/session/renew')))
      .then(() => true)
      .catch((error: unknown) => {
        if (isOver(error)) return false
        throw error
      })
      .finally(() => {
        this.#renewing = undefined
      })
    return this.#renewing
  }

  async #readMe(): Promise<Me> {
    const headers = { authorization: `Bearer ${this.#secret?.secret ?? ''}` }
    const response = await this.#send('/me', { headers })
    return (await response.json()) as Me
  }

  async #take(path: string, body?: object): Promise<void> {
    const response = await this.#send(path, posting(body))
    this.#secret = secretOf((await response.json()) as Given, response.headers.get('date'))
  }

  /** Throws Problem, or NoConnection. */
  async #send(path: string, init: RequestInit): Promise<Response> {
    const { api, connection } = this.#options
    const response = await fetch(`${api}${path}`, init).catch((error: unknown) => {
      connection.lose()
      throw new NoConnection(error)
    })
    if (!response.ok) throw await readProblem(response)
    return response
  }
}

function posting(body: object | undefined): RequestInit {
  if (body === undefined) return { method: 'POST' }
  const headers = { 'content-type': 'application/json' }
  return { method: 'POST', body: JSON.stringify(body), headers }
}

function isOver(error: unknown): boolean {
  return error instanceof Problem && OVER.has(error.facts.status)
}

function isOpen(state: SessionState): state is SessionState & { readonly kind: 'open' } {
  return state.kind === 'open'
}

/** Computes the lifetime from the server's clock, because the clock of this machine may differ. */
function secretOf({ secret, date_expires: expires }: Given, date: string | null): SessionSecret {
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
