// Handles a request from the socket to the response: find the route, run it, send the reply or the problem, log one line.

import { randomUUID } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { RequestParts } from '../api/request/request.ts'
import { problemReply } from '../api/problems.ts'
import { openAddressHint } from '../api/address-hint.ts'
import { openKeptAnswers } from '../api/request/response-cache.ts'
import { openCompression } from '../api/request/compression.ts'
import { answer } from '../api/request/answer.ts'
import { addressesOf, type Route } from '../api/request/route.ts'
import type { Caller } from '../auth/caller.ts'
import type { Config } from '../config/config.ts'
import type { Limits } from '../config/limits.ts'
import { type CmsError, HandOver } from '../base/errors.ts'
import { type Allowance, openAllowance } from '../http/memory-budget.ts'
import type { ParseElsewhere } from '../http/body.ts'
import { clientAddress, plainAddress, sourceOf, handedOver } from '../http/client-address.ts'
import type { Compress } from '../http/compress.ts'
import { withBasePath, withoutBasePath } from '../http/base-path.ts'
import { corsHeaders, optionsReply } from '../http/cors.ts'
import { mostOfAddress } from '../http/connections.ts'
import { openDepartures } from '../http/write-coalescing.ts'
import { clientOf } from '../http/client-disconnect.ts'
import { heldBytes, type Reply, send, sendLast, type SendOptions } from '../http/reply.ts'
import { buildRouter, type Router } from '../http/router.ts'
import {
  endAll,
  type Held,
  hold,
  type Running,
  type RunningOptions,
} from '../http/concurrency-limits.ts'
import { checkFrame } from '../http/server.ts'
import type { Holder } from '../http/quota.ts'
import { readTarget } from '../http/request-target.ts'
import type { Log } from '../base/log.ts'
import type { HandOverRequest, HandOverTo } from '../processes/hand-over.ts'
import type { RequestMetrics } from '../metrics/metrics.ts'
import { logRequest } from './request-log.ts'
import type { Services } from '../operations/context.ts'

export interface ServeOptions {
  readonly config: Config
  readonly log: Log
  readonly limits: Limits
  readonly services: Services
  readonly routes: readonly Route[]
  readonly metrics: RequestMetrics
  /** While true, each connection is closed after its current response. */
  readonly isDraining: () => boolean
  readonly parseElsewhere: ParseElsewhere
  readonly compressElsewhere: (input: Compress) => Promise<Uint8Array>
  readonly running: Running
  /** Defined only in a reader process. */
  readonly elsewhere?: Elsewhere
}

/** How a reader process hands requests over to the writer process. */
export interface Elsewhere {
  readonly answers: (route: Route) => boolean
  readonly handOver: HandOverTo
  /** The part of the cache memory of the server that this process may use. */
  readonly cacheShare: number
}

export interface Serve {
  readonly handle: (
    request: IncomingMessage,
    response: ServerResponse,
    continueBody: () => void,
  ) => Promise<void>
  /** Answers input that did not become a request: a parse error, or CONNECT. */
  readonly refuse: (error: CmsError, socket: Socket) => void
}

export function buildServe(options: ServeOptions): Serve {
  const nextId: NextId = randomUUID
  return { handle: buildHandle(options, nextId), refuse: buildRefuse(options, nextId) }
}

function bodyLimits(limits: Limits): RequestParts['bodyLimits'] {
  const json = {
    maxBytes: limits.jsonBytes,
    instead: 'Shorten the texts, or store larger texts as files with POST /upload.',
    inlineBytes: limits.inlineJsonBytes,
    maxDepth: limits.jsonDepth,
    maxKeys: limits.jsonKeys,
    timeoutMs: limits.bodyTimeoutMs,
  }
  const entry = { ...json, maxBytes: limits.entryBytes }
  const manyEntries =
    'Send the entries in several lists. Store larger texts as files with POST /upload.'
  const upTo = (maxBytes: number, instead: string) => ({ ...json, maxBytes, instead })
  const severalSearches = 'Send several searches, each with a part of the values.'
  return {
    json,
    credentials: upTo(limits.credentialBytes, 'Send a shorter name or password.'),
    nested: { ...json, maxKeys: limits.nestedKeys },
    search: { ...upTo(limits.searchBytes, severalSearches), maxKeys: limits.searchKeys },
    page: upTo(limits.pageBytes + limits.jsonBytes, 'Send larger content through POST /upload.'),
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

/** Counts the response against the memory budget. The response to a change must not be replaced by an error. */
function countAnswer({ allowance, message, route, holder }: Counted, reply: Reply): void {
  if (route.action === undefined) allowance.takeAnswer(message, holder, heldBytes(reply))
  else allowance.addAnswer(message, holder, heldBytes(reply))
}

/**
 * A request counts until its response is sent, so a stream counts while it is open. An address may run as many requests as
 * it may have connections, because behind a proxy all clients share the connections of the proxy.
 */
export function runningLimits(config: Config, limits: Limits): RunningOptions {
  const { maxConnections, maxConnectionsPerAddress, processes } = config
  return {
    ofKey: Math.ceil(maxConnections * limits.keyShare),
    ofUser: Math.ceil(maxConnections * limits.userShare),
    ofAddress: mostOfAddress(maxConnectionsPerAddress, maxConnections, limits.addressShare),
    tableSize: limits.addressTable,
    readers: processes - 1,
  }
}

/** Returns a random id, because a counter would reveal how many requests other clients send. */
type NextId = () => string

/** Builds the state that all requests share. */
function openShared(options: ServeOptions) {
  const { limits, services, routes, running, elsewhere } = options
  const { parseElsewhere, compressElsewhere } = options
  const { basePath } = services
  const router = buildRouter(routes, { addressesOf, findHint: openAddressHint(routes, basePath) })
  const allowance = openAllowance(limits, options.running.counts)
  return {
    router,
    targetOf: buildTargetReader(basePath, router),
    allowance,
    running,
    ofAll: { limits, allowance, bodyLimits: bodyLimits(limits), parseElsewhere },
    compression: openCompression(compressElsewhere),
    departures: openDepartures(),
    serving: { services, kept: openKeptAnswers(elsewhere?.cacheShare) },
  }
}

function buildHandle(options: ServeOptions, nextId: NextId): Serve['handle'] {
  const { config, log, limits, services, metrics, isDraining, elsewhere } = options
  const { basePath } = services
  const { router, targetOf, allowance, running, ofAll, serving, ...shared } = openShared(options)
  const { compression, departures } = shared

  return async (message, response, continueBody) => {
    if (isDraining()) response.shouldKeepAlive = false
    const started = performance.now()
    const id = nextId()
    const address = clientAddress(message, config.proxies)
    const source = sourceOf(address, config.proxies)
    const held: Held = {}
    let route: Route | undefined
    let caller: Caller | undefined
    let failure: unknown

    async function run(): Promise<Reply> {
      // The process that holds the connection counts the address of a handed-over request.
      const own = handedOver(message) === undefined ? source : undefined
      const begun = hold(held, 'ofAddress', running.begin(own))
      if (begun !== undefined) await begun
      const method = message.method ?? 'GET'
      checkFrame(message, limits)
      const target = targetOf(message)
      if (method === 'OPTIONS') return optionsReply(router.methods(target))
      const { route: found, params } = router.find(method, target)
      route = found
      metrics.begin(route)
      if (elsewhere?.answers(route) === true) throw new HandOver()
      // In this order: see CONTRIBUTING.md on spreads.
      const client = clientOf(message, response)
      const parts = { message, id, address, source, params, target, client, continueBody, ...ofAll }
      const made = await answer(route, parts, serving, (who) => {
        caller = who
        return hold(held, 'ofKey', running.beginAs(who.key))
      })
      // A response with a secret is not compressed, because the length would reveal the secret (BREACH).
      const reply = route.recall === 'secret' ? made : await compression.apply(made, message)
      if (heldBytes(reply) > limits.inlineJsonBytes)
        countAnswer({ allowance, message, route, holder: { party: caller?.key, source } }, reply)
      return basePath === '' ? reply : { ...reply, headers: withBasePath(basePath, reply.headers) }
    }

    const release = (): void => {
      allowance.release(message)
      endAll(running, held)
    }
    const reply = await run()
      .catch((error) => handOver(options, error, { message, response, continueBody, route, held }))
      .catch((error: unknown) => {
        failure = error
        return problemReply(error, { requestId: id, basePath })
      })
    if (reply === undefined) return release()
    await departures.wait(reply)
    const { isAborted, fault } = await sendTo(options, { message, response, id }, reply)
    failure ??= fault
    release()
    const { status } = reply
    const ms = performance.now() - started
    metrics.end(route, { method: message.method ?? 'GET', status, ms })
    logRequest(log, { id, message, address, route, caller, status, ms, failure, isAborted })
  }
}

/** Returns whether the client disconnected, and any other error. */
async function sendTo(
  { config, limits }: ServeOptions,
  { message, response, id }: Pick<Sent, 'message' | 'id'> & { readonly response: ServerResponse },
  reply: Reply,
): Promise<{ readonly isAborted: boolean; readonly fault?: unknown }> {
  try {
    await send(message, response, reply, sendingOf({ message, config, limits, id }))
    return { isAborted: false }
  } catch (fault) {
    // If the source failed, the socket is not destroyed yet.
    const isAborted = message.socket.destroyed
    response.destroy()
    return isAborted ? { isAborted } : { isAborted, fault }
  }
}

interface Asked extends Pick<HandOverRequest, 'message' | 'response' | 'continueBody'> {
  readonly route: Route | undefined
  readonly held: Held
}

/** Hands the request over if the error is HandOver; rethrows every other error. */
async function handOver(
  { elsewhere, metrics, running }: ServeOptions,
  error: unknown,
  { route, held, ...asked }: Asked,
): Promise<undefined> {
  if (elsewhere === undefined || !(error instanceof HandOver)) throw error
  // From here on, the other process counts the request.
  if (route !== undefined) metrics.leave(route)
  running.end(held.ofKey)
  held.ofKey = undefined
  const client = clientOf(asked.message, asked.response)
  try {
    return await elsewhere.handOver({ client, ...asked })
  } catch (fault) {
    if (route !== undefined) metrics.begin(route)
    throw fault
  }
}

/** Returns a function that reads the target of a request, without the base path. */
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
    log.info(
      { request_id: id, status, address, code, detail: error.message },
      'invalid request rejected',
    )
  }
}
