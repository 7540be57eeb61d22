// /health: the process runs. /ready: the server accepts all requests; a 503 says why it does not. /metrics: metrics for
// Prometheus, which need a key because they reveal load and sizes.

import { requireEverywhere } from '../auth/grants.ts'
import { CmsError } from '../base/errors.ts'
import { VERSION } from '../base/version.ts'
import type { DocumentAudience } from '../docs/swagger-page.ts'
import { isLoopback, type Proxies } from '../http/client-address.ts'
import { filesNeeded } from '../http/file-limit.ts'
import { json } from '../http/reply.ts'
import { READ_METRICS, statusDocs, type WARNING_CODES } from './docs/service-docs.ts'
import { requireKnownParameters } from './request/request.ts'
import { defineRoute, type Route } from './request/route.ts'

/** Why the server does not accept all requests. */
export interface NotReady {
  readonly reason:
    | 'starting'
    | 'stopping'
    | 'storage-failed'
    | 'read-only'
    | 'storage-slow'
    | 'disk-full'
    | 'database-away'
    | 'store-away'
  readonly detail: string
}

export interface HealthSources {
  /** Undefined if the server accepts all requests. */
  readonly unready: () => NotReady | undefined
  readonly warnings: () => readonly Warning[]
  readonly metrics: () => Promise<{ readonly contentType: string; readonly text: string }>
}

export function healthRoutes({ unready, warnings, metrics }: HealthSources): readonly Route[] {
  return [
    defineRoute({
      method: 'GET',
      path: '/health',
      access: 'open',
      renews: false,
      summary: 'Check that the process runs',
      docs: statusDocs('health', 'ok'),
      read: () => undefined,
      run: () => ({ status: 'ok' }),
      reply: (status) => json(200, status),
    }),
    defineRoute({
      method: 'GET',
      path: '/ready',
      access: 'open',
      renews: false,
      summary: 'Check that the server accepts requests',
      docs: statusDocs('ready', 'ready'),
      read: () => undefined,
      run: () => {
        const found = unready()
        if (found !== undefined)
          throw new CmsError('unavailable', found.detail, {
            headers: { 'retry-after': '1' },
            members: { reason: found.reason },
          })
        const told = warnings()
        return { status: 'ready', version: VERSION, ...(told.length > 0 && { warnings: told }) }
      },
      reply: (status) => json(200, status),
    }),
    defineRoute({
      method: 'GET',
      path: '/metrics',
      access: ['admin'],
      renews: false,
      summary: 'Read metrics for Prometheus',
      docs: READ_METRICS,
      answers: 'bytes',
      read: (request) => requireKnownParameters(request.query, []),
      run: (context) => {
        requireEverywhere(context.caller, 'admin', 'for the metrics')
        return metrics()
      },
      reply: ({ contentType, text }) => ({
        status: 200,
        headers: { 'content-type': contentType },
        body: text,
      }),
    }),
  ]
}

export const LIVE_TREE_BEHIND: Warning = {
  code: 'live-tree-behind',
  detail:
    'Files could not be written to the directory of --live-tree, so a web server that uses this directory serves old files. The server tries again every minute. The log says what failed.',
}

export const LIVE_TREE_FULL: Warning = {
  code: 'live-tree-behind',
  detail:
    'The disk of --live-tree is full, so a web server that uses this directory serves old files. The server continues when there is space again.',
}

export function filesSkipped(count: number): Warning {
  const detail = `Live files that cannot be in the directory of --live-tree: ${count}. The log names them and says why.`
  return { code: 'live-tree-skipped', detail }
}

export function sitesHidden(count: number): Warning {
  const detail = `Sites of --site-origin whose folder does not exist or is not public, so that every path gets 404: ${count}. Create the folder, make it public, or correct its path in --site-origin.`
  return { code: 'site-hidden', detail }
}

export const PICTURES_UNSUPPORTED: Warning = {
  code: 'pictures-unsupported',
  detail:
    'The picture library (sharp) could not be loaded, so pictures are neither measured nor resized. Install its package for this platform.',
}

interface Warning {
  readonly code: (typeof WARNING_CODES)[number]
  readonly detail: string
}

/** The settings that the warnings depend on. */
interface Exposure {
  readonly docs: DocumentAudience
  readonly baseUrl: string | undefined
  readonly proxies: Proxies
  /** Started with --read-only. */
  readonly readOnly: boolean
}

const DOCUMENTS_PUBLIC: Warning = {
  code: 'documents-public',
  detail:
    'The server can be reached from other machines, and /public/api/module/swagger.json shows the names and columns of ' +
    'all modules without a key. To require a key, start the server with --docs keyed.',
}

const READ_ONLY: Warning = {
  code: 'read-only',
  detail:
    'The server was started with --read-only: it answers reads and rejects every change with 503. To accept changes, start it without this option.',
}

interface Surroundings {
  /** The address that the server listens on, as reported by the system. */
  readonly address: string
  /** Maximum number of simultaneous connections, including connections that are refused. */
  readonly connections: number
  /** Limit of open files of the process; undefined if unknown. */
  readonly fileLimit: number | undefined
  /** Number of reader processes that should run and do not. */
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
  const detail = `Reader processes (--processes) that are not running or are still starting: ${missing}. The server restarts them automatically. The log says why a process ended.`
  return { code: 'few-processes', detail }
}

function fewFiles(limit: number, needed: number): Warning {
  const detail =
    `The process may open ${limit} files, but the connections that --max-connections allows need ${needed}. ` +
    'When the limit is reached, new connections are refused without a response. Raise the limit (LimitNOFILE= of the systemd unit, ' +
    'or ulimit -n), or lower --max-connections.'
  return { code: 'few-files', detail }
}

/** Whether other machines reach the server. A server that listens on loopback is reachable through a proxy. */
function isReached({ baseUrl, proxies }: Exposure, address: string): boolean {
  if (!isLoopback(address) || proxies !== undefined) return true
  if (baseUrl === undefined) return false
  const { hostname } = new URL(baseUrl)
  return hostname !== 'localhost' && !isLoopback(hostname.replace(/^\[|\]$/g, ''))
}
