// What an operator should know of a server that takes all requests. /ready tells it to everybody, so nothing of
// it is a secret: what it says, anybody can try out.

import type { DocumentAudience } from '../docs/swagger-page.ts'
import { isLoopback, type Proxies } from '../http/client-address.ts'
import { filesNeeded } from '../http/file-limit.ts'

export interface Warning {
  readonly code: 'documents-public' | 'few-files' | 'few-processes' | 'read-only'
  readonly detail: string
}

/** Settings that tell who reaches the server. */
export interface Exposure {
  readonly docs: DocumentAudience
  readonly baseUrl: string | undefined
  readonly proxies: Proxies
  /** Started with --read-only. */
  readonly readOnly: boolean
}

const DOCUMENTS_PUBLIC: Warning = {
  code: 'documents-public',
  detail:
    'Others than this machine reach the server, and /public/api/module/swagger.json shows the names and columns of ' +
    "all modules without a key. Start it with --docs keyed where that is nobody else's business.",
}

const READ_ONLY: Warning = {
  code: 'read-only',
  detail:
    'The server was started with --read-only: it answers reads, and every change with 503. Start it without to take changes.',
}

export interface Surroundings {
  /** Where the server listens, as the system has it. */
  readonly address: string
  /** Connections at once, those included that are refused. */
  readonly connections: number
  /** Files that the process may have open; undefined: nobody knows. */
  readonly fileLimit: number | undefined
  /** Processes that should read beside this one and do not. */
  readonly missing: number
}

export function findWarnings(
  exposure: Exposure,
  { address, connections, fileLimit, missing }: Surroundings,
): readonly Warning[] {
  const isShown = exposure.docs === 'public' && isReached(exposure, address)
  const isShort = fileLimit !== undefined && fileLimit < filesNeeded(connections)
  return [
    ...(isShown ? [DOCUMENTS_PUBLIC] : []),
    ...(exposure.readOnly ? [READ_ONLY] : []),
    ...(isShort ? [fewFiles(fileLimit, filesNeeded(connections))] : []),
    ...(missing > 0 ? [fewProcesses(missing)] : []),
  ]
}

function fewProcesses(missing: number): Warning {
  const detail = `${missing} of the processes of --processes that read do not run, or have only begun. The log tells why one has ended; another one is begun for it by itself.`
  return { code: 'few-processes', detail }
}

function fewFiles(limit: number, needed: number): Warning {
  const detail =
    `The process may have ${limit} files open, and as many connections as --max-connections allows need ${needed}: ` +
    'before there are so many, some are refused without an answer. Raise the limit (LimitNOFILE= of the unit, ' +
    'ulimit -n), or give --max-connections a smaller number.'
  return { code: 'few-files', detail }
}

/** By others than this machine: where it listens on loopback, too, when a proxy passes their requests on. */
function isReached({ baseUrl, proxies }: Exposure, address: string): boolean {
  if (!isLoopback(address) || proxies !== undefined) return true
  if (baseUrl === undefined) return false
  const { hostname } = new URL(baseUrl)
  return hostname !== 'localhost' && !isLoopback(hostname.replace(/^\[|\]$/g, ''))
}
