// What the store of contents says, as what a client can do about it. That an object is not there is an answer, and
// no fault; whatever else goes wrong says nothing of the object, and is 503.

import { CmsError } from '../base/errors.ts'

const RETRY_AFTER = { 'retry-after': '5' }

/** By the name of the error, where the status says less. */
const NO_ROOM: ReadonlySet<string> = new Set(['QuotaExceeded', 'InsufficientStorage'])
const NOT_THERE: ReadonlySet<string> = new Set(['NoSuchKey', 'NotFound'])

export function isNotThere(error: unknown): boolean {
  return NOT_THERE.has(nameOf(error))
}

export function isNoSuchUpload(error: unknown): boolean {
  return nameOf(error) === 'NoSuchUpload'
}

/** An object without bytes has no range. */
export function isNoSuchRange(error: unknown): boolean {
  return nameOf(error) === 'InvalidRange' || statusOf(error) === 416
}

const REFUSED =
  'The store of contents refuses what this server asks of it. Nothing was changed. The operator finds the reason in the log.'

/** What a call to the store ended with, for operators: operation, HTTP status and S3 code. */
export class StoreFault extends Error {
  /** The same call fails in the same way until somebody changes a setting, a permission or the store. */
  readonly isLasting: boolean

  constructor(message: string, isLasting: boolean, cause: unknown) {
    super(message, { cause })
    this.isLasting = isLasting
  }
}

/** Names of calls by the errors that they have thrown: the SDK does not say which one it was. */
const OPERATIONS = new WeakMap<object, string>()

export function noteOperation(error: unknown, command: string | undefined): void {
  if (error instanceof Error && command !== undefined)
    OPERATIONS.set(error, command.replace(/Command$/, ''))
}

function storeFaultOf(error: unknown): StoreFault {
  const operation = error instanceof Error ? OPERATIONS.get(error) : undefined
  const status = statusOf(error)
  const { code } = error as { readonly code?: unknown }
  const said = typeof code === 'string' ? code : nameOf(error)
  const text = error instanceof Error ? error.message : String(error)
  const parts = [...(status === undefined ? [] : [status]), said].join(' ')
  const message = [operation, parts, text === said ? '' : text].filter(Boolean).join(': ')
  if (NOT_TRUSTED.has(said)) return new StoreFault(`${message}. ${TRUST}`, true, error)
  return new StoreFault(message, status !== undefined && isFinal(status), error)
}

/** What Node says of a certificate that stays as wrong as it is, unlike one that has expired and will be renewed. */
const NOT_TRUSTED: ReadonlySet<string> = new Set([
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'ERR_TLS_CERT_ALTNAME_INVALID',
])
const TRUST =
  'Set NODE_EXTRA_CA_CERTS to the file of a CA of your own, and S3_ENDPOINT to a name of the certificate.'

/** 408 and 429 pass; of the others of 3xx and 4xx no repetition helps, nor where the store has no such call (501). */
function isFinal(status: number): boolean {
  return status === 501 || (status >= 300 && status < 500 && status !== 408 && status !== 429)
}

export function toStoreFault(error: unknown): CmsError {
  if (error instanceof CmsError) return error
  if (NO_ROOM.has(nameOf(error)) || statusOf(error) === 507) {
    const detail = 'The store of contents has no room for new content. Nothing was changed.'
    return new CmsError('disk-full', detail, { cause: error })
  }
  const cause = storeFaultOf(error)
  if (cause.isLasting) return new CmsError('unavailable', REFUSED, { cause })
  const detail =
    'The store of contents does not answer as it should. Nothing was changed: try again in some seconds.'
  return new CmsError('unavailable', detail, { cause, headers: RETRY_AFTER })
}

function nameOf(error: unknown): string {
  return error instanceof Error ? error.name : ''
}

function statusOf(error: unknown): number | undefined {
  const { $metadata } = error as { $metadata?: { httpStatusCode?: number } }
  return $metadata?.httpStatusCode
}

/** What a call ended with, for the log: operation, HTTP status and code of the store, where it said them. */
export function reasonOf(error: unknown): string {
  const cause = error instanceof CmsError ? (error.facts.cause ?? error) : error
  return cause instanceof Error ? cause.message : String(cause)
}
