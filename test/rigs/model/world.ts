// The real thing: a server as a process of its own, or nodes of one site, which can be killed and started again.

import { type Answer, buildForm, type Call, type Part } from '../../helpers/server.ts'
import { type Place, startProcesses, type Wish } from '../nodes.ts'
import { openRandom } from '../random.ts'

export interface World {
  /** Requests go to one of the nodes that run, by turns. */
  call(method: string, path: string, call?: Call): Promise<Answer>
  upload(parts: readonly Part[]): Promise<Answer>
  /** Ends servers and starts them again on what they left; true: among them that which was asked last. */
  restart(outage: Outage): Promise<boolean>
  /** Whatever a killed node has begun is done or not from here on: the database may have had it on its way. */
  settle(): Promise<void>
  /** The turns of a sequence follow from the number; all nodes run. */
  begin(turns: number): Promise<void>
  /** The same site as each node shows it. */
  each(): Promise<readonly Pick<World, 'call'>[]>
  readonly counts: { requests: number; restarts: number }
  close(): Promise<void>
}

export interface Outage {
  readonly signal: 'SIGKILL' | 'SIGTERM'
  /** A node by its number; above those, all of them. */
  readonly whom: number
  /** So many go to the others before those are asked again that were ended. */
  readonly requests: number
  /** Started when they are to be asked again, and not at once. */
  readonly isLate: boolean
}

interface Away {
  readonly nodes: readonly number[]
  requestsLeft: number
  readonly back: () => Promise<unknown>
}

// oxlint-disable-next-line eslint/max-lines-per-function -- what holds the world together
export async function openWorld(place: Place | undefined): Promise<World> {
  const nodes = await startProcesses(place)
  const all = Array.from({ length: nodes.count }, (_, at) => at)
  const counts = { requests: 0, restarts: 0 }
  let random = openRandom(0)
  let away: Away | undefined
  let coming: Promise<unknown> = Promise.resolve()
  let askedLast = 0

  /** Of two that ask for it at once neither goes on before the nodes are there. */
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
      // A commit waits for the lock that the other one has.
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

/** Waited for later, where a failure is told. */
function begun(starting: Promise<unknown>): () => Promise<unknown> {
  starting.catch(() => undefined)
  return () => starting
}
