// A request from the socket to the reply: find the route, run it, send the reply or the problem, log
// one line. `buildServe` is the path that ARCHITECTURE.md draws.

import { randomUUID } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { RequestParts } from './api/request/request.ts'
import { problemReply } from './api/problems.ts'
import { openNearAddress } from './api/near-address.ts'
import { openKeptAnswers } from './api/request/kept-answers.ts'
import { answer } from './api/request/answer.ts'
import { addressesOf, type Route } from './api/request/route.ts'
import type { Caller } from './auth/caller.ts'
import type { Config } from './config.ts'
import type { Limits } from './limits.ts'
import { CmsError } from './errors.ts'
import { type Allowance, openAllowance } from './http/allowance.ts'
import { clientAddress, plainAddress, sourceOf } from './http/client-address.ts'
import { withBasePath, withoutBasePath } from './http/base-path.ts'
import { corsHeaders, optionsReply } from './http/cors.ts'
import { clientOf } from './http/presence.ts'
import { heldBytes, type Reply, send, sendLast, type SendOptions } from './http/reply.ts'
import { buildRouter, type FindNear, type Router } from './http/router.ts'
import { type Count, openRunning, type RunningLimits } from './http/running.ts'
import { checkFrame } from './http/server.ts'
import type { Holder } from './http/shares.ts'
import { readTarget } from './http/target.ts'
import type { Log } from './log.ts'
import type { RequestMetrics } from './metrics.ts'
import type { Services } from './operations/context.ts'

export interface ServeOptions {
  readonly config: Config
  readonly log: Log
  readonly limits: Limits
  readonly services: Services
  readonly routes: readonly Route[]
  readonly metrics: RequestMetrics
  /** Connections end with the answer that they wait for. */
  readonly isDraining: () => boolean
  readonly parseElsewhere: (
    bytes: Uint8Array,
    limits: { maxDepth: number; maxKeys: number },
  ) => Promise<unknown>
}

export interface Serve {
  readonly handle: (
    request: IncomingMessage,
    response: ServerResponse,
    continueBody: () => void,
  ) => Promise<void>
  /** Answers what did not become a request: a fault of the frame, or CONNECT. */
  readonly refuse: (error: CmsError, socket: Socket) => void
}

export function buildServe(options: ServeOptions): Serve {
  const nextId: NextId = randomUUID
  return { handle: buildHandle(options, nextId), refuse: buildRefuse(options, nextId) }
}

function bodyLimits(limits: Limits): RequestParts['bodyLimits'] {
  const json = {
    maxBytes: limits.jsonBytes,
    instead: 'Shorten its texts. Larger ones are files, which take them through POST /upload.',
    inlineBytes: limits.inlineJsonBytes,
    maxDepth: limits.jsonDepth,
    maxKeys: limits.jsonKeys,
    timeoutMs: limits.bodyTimeoutMs,
  }
  const entry = { ...json, maxBytes: limits.entryBytes }
  const manyEntries = 'Send the entries in several lists. Larger texts are files: POST /upload.'
  return {
    json,
    nested: { ...json, maxKeys: limits.nestedKeys },
    page: {
      ...json,
      maxBytes: limits.pageBytes + limits.jsonBytes,
      instead: 'Send larger content through POST /upload.',
    },
    entry,
    bulk: { ...entry, maxKeys: limits.bulkKeys, instead: manyEntries },
  }
}

interface Counted {
  readonly allowance: Allowance
  readonly message: IncomingMessage
  readonly route: Route
  readonly holder: Holder
}

/** The answer to a change must not read like a refusal. */
function countAnswer({ allowance, message, route, holder }: Counted, reply: Reply): void {
  if (route.action === undefined) allowance.takeAnswer(message, holder, heldBytes(reply))
  else allowance.addAnswer(message, holder, heldBytes(reply))
}

/** Of one address as many as it may have connections: those of a client behind a proxy are nobody's else. */
function runningLimits(config: Config, limits: Limits): RunningLimits {
  const { maxConnections, maxConnectionsPerAddress } = config
  return {
    ofKey: Math.ceil(maxConnections * limits.keyShare),
    ofUser: Math.ceil(maxConnections * limits.userShare),
    ofAddress: maxConnectionsPerAddress,
    tableSize: limits.addressTable,
  }
}

/** Random: a counter would tell each client how many requests the others send. */
type NextId = () => string

function buildHandle(
  { config, log, limits, services, routes, metrics, isDraining, parseElsewhere }: ServeOptions,
  nextId: NextId,
): Serve['handle'] {
  const { basePath } = services
  const router = buildRouter(routes, { addressesOf, findNear: openNear(routes, basePath) })
  const targetOf = buildTargetReader(basePath, router)
  const allowance = openAllowance(limits)
  const running = openRunning(runningLimits(config, limits))
  const ofAll = { limits, allowance, bodyLimits: bodyLimits(limits), parseElsewhere }
  const serving = { services, kept: openKeptAnswers() }

  return async (message, response, continueBody) => {
    if (isDraining()) response.shouldKeepAlive = false
    const started = performance.now()
    const id = nextId()
    const address = clientAddress(message, config.proxies)
    const source = sourceOf(address, config.proxies)
    let ofAddress: Count | undefined
    let ofKey: Count | undefined
    let route: Route | undefined
    let caller: Caller | undefined
    let failure: unknown

    async function run(): Promise<Reply> {
      ofAddress = running.begin(source)
      const method = message.method ?? 'GET'
      checkFrame(message, limits)
      const target = targetOf(message)
      if (method === 'OPTIONS') return optionsReply(router.methods(target))
      const { route: found, params } = router.find(method, target)
      route = found
      metrics.begin(route)
      // In this order: see CONTRIBUTING.md on spreads.
      const client = clientOf(message, response)
      const parts = { message, id, address, source, params, target, client, continueBody, ...ofAll }
      const reply = await answer(route, parts, serving, (who) => {
        caller = who
        ofKey = running.beginAs(who.key)
      })
      if (heldBytes(reply) > limits.inlineJsonBytes)
        countAnswer({ allowance, message, route, holder: { party: caller?.key, source } }, reply)
      return basePath === '' ? reply : { ...reply, headers: withBasePath(basePath, reply.headers) }
    }

    const reply = await run().catch((error: unknown) => {
      failure = error
      return problemReply(error, { requestId: id, basePath })
    })
    let isAborted = false
    const sending = sendingOf({ message, config, limits, id })
    await send(message, response, reply, sending).catch((error: unknown) => {
      // Where the source failed, the socket is destroyed only after this.
      isAborted = message.socket.destroyed
      if (!isAborted) failure ??= error
      response.destroy()
    })
    allowance.release(message)
    for (const count of [ofKey, ofAddress]) running.end(count)
    const { status } = reply
    const ms = performance.now() - started
    metrics.end(route, { method: message.method ?? 'GET', status, ms })
    logRequest(log, { id, message, address, route, caller, status, ms, failure, isAborted })
  }
}

/** As the client has to send it. */
function openNear(routes: readonly Route[], basePath: string): FindNear {
  const findNear = openNearAddress(routes)
  return (url, isKnown) => {
    const near = findNear(url, isKnown)
    return near === undefined ? undefined : basePath + near
  }
}

function buildTargetReader(basePath: string, router: Router<Route>) {
  const isKnown = (target: string): boolean => router.methods(target).length > 0
  return (message: IncomingMessage): string =>
    withoutBasePath(basePath, { message, target: readTarget(message), isKnown })
}

interface Sent extends Pick<ServeOptions, 'config' | 'limits'> {
  readonly message: IncomingMessage
  readonly id: string
}

function sendingOf({ message, config, limits, id }: Sent): SendOptions {
  const extraHeaders = corsHeaders(message, config.corsOrigins)
  extraHeaders['x-request-id'] = id
  return { stallTimeoutMs: limits.stallTimeoutMs, extraHeaders }
}

function buildRefuse({ log, services }: ServeOptions, nextId: NextId): Serve['refuse'] {
  const { basePath } = services
  return (error, socket) => {
    const id = nextId()
    const { code, status } = error
    const address = plainAddress(socket.remoteAddress)
    sendLast(socket, problemReply(error, { requestId: id, basePath }), { 'x-request-id': id })
    log.info({ request_id: id, status, address, code, detail: error.message }, 'no request')
  }
}

interface LogLine {
  readonly id: string
  readonly message: IncomingMessage
  readonly address: string
  readonly route: Route | undefined
  readonly caller: Caller | undefined
  readonly status: number
  readonly ms: number
  readonly failure: unknown
  /** The client went away before it had the whole answer, which is its right. */
  readonly isAborted: boolean
}

/** The address is not logged, but for the pattern of its route: it may hold what only the caller should know. */
function logRequest(
  log: Log,
  { id, message, address, route, caller, status, ms, failure, isAborted }: LogLine,
): void {
  const code = failure instanceof CmsError ? failure.code : undefined
  const line = {
    request_id: id,
    method: message.method,
    route: route?.path,
    status,
    ms: Math.round(ms * 100) / 100,
    api_key_id: caller?.key.api_key_id,
    address,
    code,
  }
  const isFault = status >= 500 && !isMeant(failure)
  if (isFault || (failure !== undefined && code === undefined)) {
    const err = failure instanceof CmsError ? (failure.facts.cause ?? failure) : failure
    log.error({ ...line, err }, 'request failed')
  } else if (failure instanceof CmsError && code === 'unavailable' && !isAborted) {
    log.warn({ ...line, detail: failure.message }, 'request refused')
  } else {
    log.info(line, isAborted ? 'request aborted' : 'request')
  }
}

/** A method that nobody knows is a fault of the client, and a refusal for a moment is none of the server. */
function isMeant(failure: unknown): boolean {
  if (!(failure instanceof CmsError)) return false
  const { code, facts } = failure
  return code === 'not-implemented' || (code === 'unavailable' && facts.cause === undefined)
}
