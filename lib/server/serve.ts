// Handles a request from the socket to the response: find the route, run it, send the reply or the problem, log one line.

import { randomUUID } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { RequestParts } from '../api/request/request.ts'
import { problemReply } from '../api/problems.ts'
import { openKeptAnswers } from '../api/request/response-cache.ts'
import { openCompression } from '../api/request/compression.ts'
import { answer } from '../api/request/answer.ts'
import type { Route } from '../api/request/route.ts'
import { partyOf } from '../auth/anonymous.ts'
import type { Caller } from '../auth/caller.ts'
import type { Config } from '../config/config.ts'
import type { Limits } from '../config/limits.ts'
import { andThen, orElse } from '../base/and-then.ts'
import { type CmsError, HandOver } from '../base/errors.ts'
import { type AnonymousSlices, openAnonymousSlices } from '../http/anonymous-slices.ts'
import { type Allowance, openAllowance } from '../http/memory-budget.ts'
import type { ParseElsewhere } from '../http/body.ts'
import { clientAddress, plainAddress, sourceOf, handedOver } from '../http/client-address.ts'
import type { Compress } from '../http/compress.ts'
import { withBasePath } from '../http/base-path.ts'
import { corsHeaders, optionsReply, publicCorsHeaders } from '../http/cors.ts'
import type { RequestCallbacks, PipelineOptions } from '../http/pipelining.ts'
import { openWriteCoalescing } from '../http/write-coalescing.ts'
import { clientOf } from '../http/client-disconnect.ts'
import { heldBytes, type Reply, send, sendLast } from '../http/reply.ts'
import { bodyLimits } from './connection-limits.ts'
import { endAll, type RequestCounts, storeCount, type Running } from '../http/concurrency-limits.ts'
import { checkFrame } from '../http/server.ts'
import type { Holder } from '../http/quota.ts'
import type { Log } from '../base/log.ts'
import type { HandOverTo } from '../processes/hand-over.ts'
import type { RequestMetrics } from '../metrics/metrics.ts'
import { openFindRoute } from './find-route.ts'
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
  readonly handle: PipelineOptions['handle']
  /** Answers input that did not become a request: a parse error, or CONNECT. */
  readonly refuse: (error: CmsError, socket: Socket) => void
}

export function buildServe(options: ServeOptions): Serve {
  const nextId: NextId = randomUUID
  return { handle: buildHandle(options, nextId), refuse: buildRefuse(options, nextId) }
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

/** Returns a random id, because a counter would reveal how many requests other clients send. */
type NextId = () => string

function openShared(options: ServeOptions) {
  const { config, limits, services, routes, running, elsewhere } = options
  const { parseElsewhere, compressElsewhere } = options
  const { basePath } = services
  const allowance = openAllowance(limits, options.running.counts)
  return {
    findRoute: openFindRoute({ routes, basePath, config }),
    allowance,
    running,
    ofAll: { limits, allowance, bodyLimits: bodyLimits(limits), parseElsewhere },
    compression: openCompression(compressElsewhere),
    coalescing: openWriteCoalescing(),
    serving: {
      services,
      kept: openKeptAnswers(elsewhere?.cacheShare),
      slices: openAnonymousSlices(),
    },
  }
}

/** The state of a request while it is handled. */
interface Exchange extends Pick<RequestParts, 'message' | 'id' | 'address' | 'source'> {
  readonly response: ServerResponse
  readonly callbacks: RequestCallbacks
  readonly startedMs: number
  readonly counts: RequestCounts
  route: Route | undefined
  caller: Caller | undefined
  /** The error that the request failed with. */
  failure: unknown
  isAborted: boolean
}

function buildHandle(options: ServeOptions, nextId: NextId): Serve['handle'] {
  const { config, isDraining } = options
  const shared = openShared(options)
  const run = buildRun(options, shared)
  const finish = buildFinish(options, shared)

  return (message, response, callbacks) => {
    if (isDraining()) response.shouldKeepAlive = false
    const address = clientAddress(message, config.proxies)
    const exchange: Exchange = {
      message,
      response,
      callbacks,
      startedMs: performance.now(),
      id: nextId(),
      address,
      source: sourceOf(address, config.proxies),
      counts: {},
      route: undefined,
      caller: undefined,
      failure: undefined,
      isAborted: false,
    }
    const failed = (error: unknown): Reply => problemOf(options, exchange, error)
    const reply = orElse(
      () => run(exchange),
      (error) =>
        error instanceof HandOver
          ? handOver(options, exchange, error).catch(failed)
          : failed(error),
    )
    void andThen(reply, (made) => finish(exchange, made))
  }
}

function problemOf({ services }: ServeOptions, exchange: Exchange, error: unknown): Reply {
  exchange.failure = error
  return problemReply(error, { requestId: exchange.id, basePath: services.basePath })
}

type Shared = ReturnType<typeof openShared>

/** Returns the function that makes the reply to a request. */
function buildRun(options: ServeOptions, shared: Shared) {
  const { limits, services, metrics, elsewhere } = options
  const { findRoute, allowance, running, ofAll, serving, compression } = shared

  function route(exchange: Exchange): Reply | Promise<Reply> {
    const { message, response, callbacks, id, address, source, counts } = exchange
    checkFrame(message, limits)
    const asked = findRoute(message)
    if ('methods' in asked) return optionsReply(asked)
    const { route: found, params, target } = asked
    exchange.route = found
    metrics.begin(found)
    if (elsewhere?.answers(found) === true) throw new HandOver()
    // In this order: see CONTRIBUTING.md on spreads.
    const client = clientOf(message, response)
    const { continueBody } = callbacks
    const parts = { message, id, address, source, params, target, client, continueBody, ...ofAll }
    const made = answer(found, parts, serving, (who) => {
      exchange.caller = who
      return storeCount(counts, 'ofKey', running.beginAs(partyOf(who, source)))
    })
    // A response with a secret is not compressed, because the length would reveal the secret (BREACH).
    const packed =
      found.recall === 'secret' ? made : andThen(made, (reply) => compression.apply(reply, message))
    return andThen(packed, (reply) => counted(exchange, found, reply))
  }

  /** Counts a large response against the memory budget. */
  function counted(exchange: Exchange, found: Route, reply: Reply): Reply {
    const { message, caller, source } = exchange
    const party = caller && partyOf(caller, source)
    if (heldBytes(reply) > limits.inlineJsonBytes)
      countAnswer({ allowance, message, route: found, holder: { party, source } }, reply)
    const basePath = found.isOfSite === true ? '' : services.basePath
    return basePath === '' ? reply : { ...reply, headers: withBasePath(basePath, reply.headers) }
  }

  return (exchange: Exchange): Reply | Promise<Reply> => {
    const { message, source, counts } = exchange
    // The process that holds the connection counts the address of a handed-over request.
    const own = handedOver(message) === undefined ? source : undefined
    return andThen(storeCount(counts, 'ofAddress', running.begin(own)), () => route(exchange))
  }
}

/** Returns the function that sends the reply, if this process sends it, and ends the request. */
function buildFinish(options: ServeOptions, { allowance, running, coalescing, serving }: Shared) {
  const { log, metrics } = options
  const { slices } = serving

  function release({ message, counts, callbacks }: Exchange): void {
    allowance.release(message)
    endAll(running, counts)
    callbacks.end()
  }

  function end(exchange: Exchange, status: number): void {
    release(exchange)
    const { message, route, startedMs } = exchange
    const ms = performance.now() - startedMs
    metrics.end(route, { method: message.method ?? 'GET', status, ms })
    logRequest(log, exchange, { status, ms })
  }

  return (exchange: Exchange, reply: Reply | undefined): void => {
    if (reply === undefined) return release(exchange)
    coalescing.schedule(reply, () => {
      const sent = orElse(
        () => sendTo(options, exchange, { reply, slices }),
        (fault) => abort(exchange, fault),
      )
      void andThen(sent, () => end(exchange, reply.status))
    })
  }
}

function sendTo(
  { config, limits: { stallTimeoutMs } }: ServeOptions,
  { message, response, id, caller, route }: Exchange,
  { reply, slices }: { readonly reply: Reply; readonly slices: AnonymousSlices },
): void | Promise<void> {
  // A link is a secret of its holder, unlike what is public.
  const isOfLink = route?.ignoresKey === true && route.isOfSite !== true
  const extraHeaders =
    caller?.isAnonymous === true && !isOfLink
      ? publicCorsHeaders()
      : corsHeaders(message, config.corsOrigins)
  Object.assign(extraHeaders, route?.headers, { 'x-request-id': id })
  const turn = caller?.isAnonymous === true ? slices.turn : undefined
  return send(message, response, reply, { stallTimeoutMs, extraHeaders, turn })
}

/** Ends a response that cannot be sent whole. */
function abort(exchange: Exchange, fault: unknown): void {
  // If the source failed, the socket is not destroyed yet.
  exchange.isAborted = exchange.message.socket.destroyed
  if (!exchange.isAborted) exchange.failure ??= fault
  exchange.response.destroy()
}

/** Hands the request over to the writer process. */
async function handOver(
  { elsewhere, metrics, running }: ServeOptions,
  { message, response, callbacks: { continueBody }, route, counts }: Exchange,
  error: HandOver,
): Promise<undefined> {
  if (elsewhere === undefined) throw error
  // From here on, the other process counts the request.
  if (route !== undefined) metrics.leave(route)
  running.end(counts.ofKey)
  counts.ofKey = undefined
  const client = clientOf(message, response)
  try {
    return await elsewhere.handOver({ message, response, continueBody, client })
  } catch (fault) {
    if (route !== undefined) metrics.begin(route)
    throw fault
  }
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
