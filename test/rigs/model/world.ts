// The system under test: a server process, or several nodes of a site, which can be killed and
// restarted.

import { type Answer, buildForm, type Call, type Part } from '../../helpers/server.ts'
import { type Place, startProcesses, type Wish } from '../nodes.ts'
import { openRandom } from '../random.ts'

export interface World {
  /** Sends a request to one of the running nodes in turn. */
  call(method: string, path: string, call?: Call): Promise<Answer>
  upload(parts: readonly Part[]): Promise<Answer>
  /**
   * Ends servers and restarts them on their data. Returns true if the server with the latest
   * request is among them.
   */
  restart(outage: Outage): Promise<boolean>
  /**
   * Waits until the fate of the requests of a killed node is decided, because the database may
   * still be executing them.
   */
  settle(): Promise<void>
  /** Starts all nodes; the number determines which node gets each request. */
  begin(turns: number): Promise<void>
  /** Returns a client for each node of the site. */
  each(): Promise<readonly Pick<World, 'call'>[]>
  readonly counts: { requests: number; restarts: number }
  close(): Promise<void>
}

export interface Outage {
  readonly signal: 'SIGKILL' | 'SIGTERM'
  /** The number of a node; higher numbers mean all nodes. */
  readonly whom: number
  /** The number of requests to the other nodes before the ended nodes get requests again. */
  readonly requests: number
  /** The nodes are started only when they get requests again, and not at once. */
  readonly isLate: boolean
}

interface Away {
  readonly nodes: readonly number[]
  requestsLeft: number
  readonly back: () => Promise<unknown>
}

// oxlint-disable-next-line eslint/max-lines-per-function -- its closures share the state of the world
export async function openWorld(place: Place | undefined): Promise<World> {
  const nodes = await startProcesses(place)
  const all = Array.from({ length: nodes.count }, (_, at) => at)
  const counts = { requests: 0, restarts: 0 }
  let random = openRandom(0)
  let away: Away | undefined
  let coming: Promise<unknown> = Promise.resolve()
  let askedLast = 0

  /** Concurrent callers all wait until the nodes are there. */
  async function comeBack(): Promise<void> {
    const waiting = away
    away = undefined
    if (waiting !== undefined) coming = waiting.back()
    await coming
  }

  async function choose(): Promise<number> {
    if (away?.requestsLeft === 0) await comeBack()
    if (away !== undefined) away.requestsLeft -= 1
    const running = all.filter((at) => away?.nodes.includes(at) !== true)
    askedLast = random.pick(running)
    return askedLast
  }

  function ask(at: number, wish: Wish): Promise<Answer> {
    counts.requests += 1
    return nodes.ask(at, wish)
  }

  async function call(method: string, path: string, options: Call = {}): Promise<Answer> {
    return ask(await choose(), { method, path, call: options })
  }

  return {
    counts,
    call,
    upload(parts) {
      const { contentType, body } = buildForm(parts)
      return call('POST', '/upload', { body, headers: { 'content-type': contentType } })
    },
    async restart({ signal, whom, requests, isLate }) {
      await comeBack()
      const ended = all.filter((at) => whom % (nodes.count + 1) === at)
      const victims = ended.length === 0 ? all : ended
      counts.restarts += victims.length
      await Promise.all(victims.map((at) => nodes.kill(at, signal)))
      const start = (): Promise<unknown> => Promise.all(victims.map((at) => nodes.start(at)))
      away = { nodes: victims, requestsLeft: requests, back: isLate ? start : begun(start()) }
      if (victims.length === nodes.count) await comeBack()
      return victims.includes(askedLast)
    },
    async settle() {
      if (nodes.count === 1) return
      // This commit waits for the lock that a session of the killed node may still hold.
      const json = { name: `settled ${counts.requests}` }
      const { status, text } = await call('POST', '/api/v2/asset_category', { json })
      if (status !== 201) throw new Error(text)
    },
    async begin(turns) {
      await comeBack()
      random = openRandom(turns)
    },
    async each() {
      await comeBack()
      return all.map((at) => ({
        call: (method, path, options = {}) => ask(at, { method, path, call: options }),
      }))
    },
    async close() {
      await nodes.close()
    },
  }
}

/** The promise is awaited later, where its failure is reported. */
function begun(starting: Promise<unknown>): () => Promise<unknown> {
  starting.catch(() => undefined)
  return () => starting
}
