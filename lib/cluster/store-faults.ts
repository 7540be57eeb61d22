// Maps errors of the object store to the problems that clients see. A missing object is an answer, not a fault. Every
// other error says nothing about the object and becomes 503.

import { CmsError } from '../base/errors.ts'

const RETRY_AFTER = { 'retry-after': '5' }

/** Error names that are more precise than the status. */
const NO_ROOM: ReadonlySet<string> = new Set(['QuotaExceeded', 'InsufficientStorage'])
const NOT_THERE: ReadonlySet<string> = new Set(['NoSuchKey', 'NotFound'])

export function isNotThere(error: unknown): boolean {
  return NOT_THERE.has(nameOf(error))
}

export function isNoSuchUpload(error: unknown): boolean {
  return nameOf(error) === 'NoSuchUpload'
}

/** An empty object has no valid range. */
export function isNoSuchRange(error: unknown): boolean {
  return nameOf(error) === 'InvalidRange' || statusOf(error) === 416
}

const REFUSED =
  'The object store rejects the requests of this server. Nothing was changed. The log of the server has the reason.'

/** The error of a call to the store, for operators: operation, HTTP status and S3 code. */
export class StoreFault extends Error {
  /** The same call fails again until somebody changes a setting, a permission or the store. */
  readonly isLasting: boolean

  constructor(message: string, isLasting: boolean, cause: unknown) {
    super(message, { cause })
    this.isLasting = isLasting
  }
}

/** Operation of each error, because the SDK's errors do not name it. */
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

/** Node's codes of permanent certificate errors. An expired certificate is not among them, because it will be renewed. */
export const NOT_TRUSTED: ReadonlySet<string> = new Set([
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'ERR_TLS_CERT_ALTNAME_INVALID',
])
const TRUST =
  'Set NODE_EXTRA_CA_CERTS to the file of your own CA, and S3_ENDPOINT to a name in the certificate.'

/** 408 and 429 are temporary. Other 3xx and 4xx are permanent, and so is a call that the store does not support (501). */
function isFinal(status: number): boolean {
  return status === 501 || (status >= 300 && status < 500 && status !== 408 && status !== 429)
}

export function toStoreFault(error: unknown): CmsError {
  if (error instanceof CmsError) return error
  if (NO_ROOM.has(nameOf(error)) || statusOf(error) === 507) {
    const detail = 'The object store has no space for new content. Nothing was changed.'
    return new CmsError('disk-full', detail, { cause: error })
  }
  const cause = storeFaultOf(error)
  if (cause.isLasting) return new CmsError('unavailable', REFUSED, { cause })
  const detail =
    'The object store returns invalid responses. Nothing was changed: try again in a few seconds.'
  return new CmsError('unavailable', detail, { cause, headers: RETRY_AFTER })
}

function nameOf(error: unknown): string {
  return error instanceof Error ? error.name : ''
}

function statusOf(error: unknown): number | undefined {
  const { $metadata } = error as { $metadata?: { httpStatusCode?: number } }
  return $metadata?.httpStatusCode
}

/** The outcome of a call for the log: operation, HTTP status and code of the store, if known. */
export function reasonOf(error: unknown): string {
  const cause = error instanceof CmsError ? (error.facts.cause ?? error) : error
  return cause instanceof Error ? cause.message : String(cause)
}
