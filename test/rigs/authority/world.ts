// The system under test: a server in this process, or nodes of one site, with a clock that the rig
// sets. The client keeps its connections, and a list of all requests explains a failure.

import { setTimeout as sleep } from 'node:timers/promises'
import { hash } from '@node-rs/argon2'
import { Pool } from 'undici'
import { networks } from '../../../lib/config/flag-values.ts'
import { openStream, type TestStream } from '../../helpers/follow.ts'
import { openReceiver } from '../../helpers/receiver.ts'
import type { TestServer } from '../../helpers/server.ts'
import { type Place, startNodes, startServers } from '../nodes.ts'
import { openRandom } from '../random.ts'
import { type Fault, FAULTS } from './rules.ts'
import { OPERATOR_USER, type Principal, SITE } from './state.ts'

export interface Answer {
  readonly status: number
  readonly requestId: string
  readonly text: string
  readonly body: any
  /** The session cookie that was set, in the form that a browser sends back; empty without one. */
  readonly cookie: string
}

export interface Wish {
  readonly method: 'GET' | 'POST' | 'DELETE'
  readonly path: string
  readonly json?: object | undefined
  readonly ifMatch?: string
  readonly prefer?: string
  /** Sent in place of a key; empty if no cookie is known either. */
  readonly cookie?: string
}

export interface World {
  /** The clock of the server, in ISO 8601. */
  now(): string
  advance(seconds: number): void
  /** An empty secret sends no key. */
  ask(secret: string, wish: Wish): Promise<Answer>
  /** Sends a request as the operator and throws if it is refused. */
  make(path: string, json: object): Promise<any>
  /** Sets the password of a user as the command line does, which costs no strong hash. */
  givePassword(name: string, password: string): Promise<void>
  /** Changes the title of a file as the operator. */
  mark(file: number): Promise<void>
  /** Opens a stream of the change log. */
  listen(secret: string, query: string): Promise<TestStream>
  /** Whether there is a single server, which sends webhooks at once. */
  readonly isAlone: boolean
  /** The address of the receiver for a webhook of this name. */
  hook(name: string): string
  /** The changes sent to this webhook, when the change of this number has arrived. */
  delivered(name: string, sequence: number): Promise<readonly number[]>
  readonly operator: Principal
  /** A file in the root of the site. */
  readonly siteProbe: number
  /** Adds a line to the list that explains a failure. */
  note(line: string): void
  /** Throws with all lines if the run looks for this fault. */
  complain(fault: Fault, detail: string): void
  /** Throws with all lines. */
  fail(detail: string): never
  /** The faults that the run looks for. */
  readonly faults: ReadonlySet<Fault>
  readonly counts: { requests: number; granted: number; refused: number; probes: number }
  newName(what: string): string
  /** The number determines which node gets each request. */
  begin(turns: number): void
  close(): Promise<void>
}

const CONNECTIONS = 6

/** Only a server that never sends a change takes so long. */
const SILENT_MS = 20_000

/** A password is verified by the parameters of its hash, and a rig has nothing to protect. */
const WEAK = { memoryCost: 64, timeCost: 1, parallelism: 1 }

/**
 * Nodes count invalid keys by the clock of the database, which the rig does not set, so the limit
 * is out of reach.
 */
const LIMITS = { invalidKeys: 1_000_000 }

// oxlint-disable-next-line eslint/max-lines-per-function -- its closures share the state of the world
export async function openWorld(
  faults: ReadonlySet<Fault>,
  place: Place | undefined,
): Promise<World> {
  const webhookAllow = networks('the rig')('127.0.0.0/8')
  let clock = Date.parse('2031-05-05T08:00:00.000Z')
  const now = (): Date => new Date(clock)
  const servers = await (place === undefined
    ? startServers(1, { now, config: { webhookAllow } })
    : startNodes(place, { now, limits: LIMITS, config: { webhookAllow } }))
  const receiver = await openReceiver()
  const [server] = servers
  const pools = servers.map(({ url }) => new Pool(url, { connections: CONNECTIONS }))
  let random = openRandom(0)
  const counts = { requests: 0, granted: 0, refused: 0, probes: 0 }
  let lines: string[] = []
  let names = 0

  function newName(what: string): string {
    names += 1
    return `${what}-${names}`
  }

  function fail(detail: string): never {
    throw new Error([detail, ...lines].join('\n  '))
  }

  async function ask(secret: string, wish: Wish): Promise<Answer> {
    const { method, path, json, ifMatch, prefer, cookie = '' } = wish
    const isKeyed = secret !== '' && wish.cookie === undefined
    counts.requests += 1
    const response = await random.pick(pools).request({
      method,
      path,
      headers: {
        ...(isKeyed && { authorization: `Bearer ${secret}` }),
        ...(cookie !== '' && { cookie }),
        ...(json !== undefined && { 'content-type': 'application/json' }),
        ...(prefer !== undefined && { prefer }),
        ...(ifMatch !== undefined && { 'if-match': ifMatch }),
      },
      ...(json !== undefined && { body: JSON.stringify(json) }),
    })
    const text = await response.body.text()
    const answer = {
      status: response.statusCode,
      requestId: String(response.headers['x-request-id']),
      text,
      body: parse(text),
      cookie: cookieOf(response.headers['set-cookie']),
    }
    if (answer.status >= 500) fail(`${method} ${path} is ${answer.status}: ${text}`)
    return answer
  }

  async function make(path: string, json: object): Promise<any> {
    const { status, body, text } = await ask(server.key, { method: 'POST', path, json })
    if (status !== 201) throw new Error(`The operator could not make ${path}: ${text}`)
    return body
  }

  const probe = { name: 'probe.html', type: 'html', parent_category_id: SITE }
  const { asset_file_id: siteProbe } = await make('/api/v2/asset_file', probe)
  return {
    now: () => new Date(clock).toISOString(),
    advance(seconds) {
      clock += seconds * 1_000
    },
    ask,
    make,
    async givePassword(name, password) {
      const hashed = await hash(password, WEAK)
      await server.command({ command: 'user.password', name, hashed })
    },
    async mark(file) {
      const json = { title: newName('marker') }
      const path = `/api/v2/asset_file/${file}`
      const { status, text } = await ask(server.key, { method: 'POST', path, json })
      if (status !== 200) fail(`The operator could not change file ${file}: ${text}`)
    },
    listen: (key, query) => openStream({ url: random.pick(servers).url, key }, { query }),
    isAlone: place === undefined,
    hook: (name) => `http://127.0.0.1:${receiver.port}/${name}`,
    async delivered(name, sequence) {
      for (;;) {
        const own = receiver.received.filter(({ path }) => path === `/${name}`)
        const sent = own.map(({ body }): number => body.data.sequence)
        if (sent.includes(sequence)) return sent
        const next = receiver.until(receiver.received.length + 1)
        if ((await Promise.race([next, sleep(SILENT_MS, undefined, { ref: false })])) === undefined)
          return sent
      }
    },
    operator: { keyId: await findOperatorKey(server), secret: server.key },
    siteProbe,
    note: (line) => void lines.push(line),
    complain(fault, detail) {
      if (faults.has(fault)) fail(`${fault}: ${FAULTS[fault]}: ${detail}`)
    },
    fail,
    faults,
    counts,
    newName,
    begin(turns) {
      lines = []
      random = openRandom(turns)
    },
    async close() {
      await Promise.all(pools.map((pool) => pool.destroy()))
      await Promise.all(servers.map((item) => item.close()))
      await receiver.close()
    },
  }
}

/** Returns the first key of the operator and deletes the keys that further nodes have made. */
async function findOperatorKey(server: TestServer): Promise<number> {
  const { body } = await server.call('GET', '/api/v2/api_key')
  const [own, ...others] = body.api_key.filter((key: any) => key.user_id === OPERATOR_USER)
  for (const { api_key_id: id } of others) await server.call('DELETE', `/api/v2/api_key/${id}`)
  return own.api_key_id
}

function cookieOf(header: string | readonly string[] | undefined): string {
  const [first = ''] = typeof header === 'string' ? [header] : (header ?? [])
  return first.split(';')[0] ?? ''
}

function parse(text: string): any {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
