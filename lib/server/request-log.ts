// Logs one line per request.

import type { IncomingMessage } from 'node:http'
import type { Route } from '../api/request/route.ts'
import type { Caller } from '../auth/caller.ts'
import { CmsError } from '../base/errors.ts'
import type { Log } from '../base/log.ts'

interface Logged {
  readonly id: string
  readonly message: IncomingMessage
  readonly address: string
  readonly route: Route | undefined
  readonly caller: Caller | undefined
  readonly failure: unknown
  /** The client disconnected before it had the whole response. */
  readonly isAborted: boolean
}

interface Outcome {
  readonly status: number
  readonly ms: number
}

/** Logs the pattern of the route instead of the URL, because a URL may contain confidential values. */
export function logRequest(
  log: Log,
  { id, message, address, route, caller, failure, isAborted }: Logged,
  { status, ms }: Outcome,
): void {
  if (failure === undefined && !log.isLevelEnabled('info')) return
  const code = failure instanceof CmsError ? failure.code : undefined
  const line = {
    request_id: id,
    method: message.method,
    route: route?.path,
    status,
    ms: Math.round(ms * 100) / 100,
    api_key_id: caller?.isAnonymous === true ? undefined : caller?.key.api_key_id,
    address,
    code,
  }
  const isFault = status >= 500 && !isMeant(failure)
  if (isFault || (failure !== undefined && code === undefined)) {
    const err = failure instanceof CmsError ? (failure.facts.cause ?? failure) : failure
    log.error({ ...line, err }, 'request failed')
  } else if (failure instanceof CmsError && code === 'unavailable' && !isAborted) {
    log.warn({ ...line, detail: failure.message }, 'request rejected')
  } else {
    log.info(line, isAborted ? 'request aborted' : 'request')
  }
}

/** An unknown method is an error of the client, and a temporary rejection is not a failure of the server. */
function isMeant(failure: unknown): boolean {
  if (!(failure instanceof CmsError)) return false
  const { code, facts } = failure
  return code === 'not-implemented' || (code === 'unavailable' && facts.cause === undefined)
}
