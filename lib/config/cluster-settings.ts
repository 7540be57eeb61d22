// Where the nodes of a cluster keep their site, by the names that operators know from other servers. Variables alone,
// and no flags: the address of a database holds a password, and whoever lists the processes of a machine reads flags.

import { CmsError } from '../base/errors.ts'

export interface ClusterSettings {
  readonly databaseUrl: string
  readonly store: StorePlace
}

/** Each member has the variable of the same name: bucket is S3_BUCKET. */
export interface StorePlace {
  readonly bucket: string
  readonly endpoint?: string
  readonly region?: string
  readonly accessKeyId?: string
  readonly secretAccessKey?: string
  readonly forcePathStyle?: boolean
  readonly prefix?: string
}

export const CLUSTER_HELP = `
Several servers of one site, with its records in PostgreSQL and its contents in a store on the S3 interface. The
variables have no flags, as flags are seen by all who list processes:
  DATABASE_URL          postgres://USER:PASSWORD@HOST,HOST/NAME; then --data is this server's own place
  S3_BUCKET             the bucket of the contents; needed together with DATABASE_URL
  S3_ENDPOINT           address of the store; without it that of AWS in S3_REGION
  S3_REGION             region of the bucket
  S3_ACCESS_KEY_ID, S3_SECRET_ACCESS_KEY
                        without them the credentials of the machine (environment, profile, role)
  S3_FORCE_PATH_STYLE   "yes": the bucket is part of the path; "yes" by default where S3_ENDPOINT is set
  S3_PREFIX             put before each key, so that several sites can share a bucket`

type Environment = Readonly<Record<string, string | undefined>>

export function asksForCluster(environment: Environment): boolean {
  return ['DATABASE_URL', 'S3_BUCKET'].some((name) => valueOf(environment, name) !== undefined)
}

/** Undefined where the site lies in the data directory. No message holds a value: one of them is a password. */
export function readCluster(environment: Environment): ClusterSettings | undefined {
  if (!asksForCluster(environment)) return undefined
  const value = (name: string): string | undefined => valueOf(environment, name)
  const [databaseUrl, bucket] = [value('DATABASE_URL'), value('S3_BUCKET')]
  if (databaseUrl === undefined || bucket === undefined) {
    const [there, missing] =
      bucket === undefined ? ['DATABASE_URL', 'S3_BUCKET'] : ['S3_BUCKET', 'DATABASE_URL']
    throw refused(
      `${there} is set, and ${missing} is not. Set both for one site on several servers, or take ${there} away for a site in the data directory.`,
    )
  }
  const endpoint = endpointOf(value('S3_ENDPOINT'))
  const isPathStyle = yesOrNo(value('S3_FORCE_PATH_STYLE')) ?? endpoint !== undefined
  const keys = { id: value('S3_ACCESS_KEY_ID'), secret: value('S3_SECRET_ACCESS_KEY') }
  if ((keys.id === undefined) !== (keys.secret === undefined))
    throw refused('Set S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY together, or neither of them.')
  const all = {
    bucket,
    endpoint,
    region: value('S3_REGION'),
    accessKeyId: keys.id,
    secretAccessKey: keys.secret,
    forcePathStyle: isPathStyle,
    prefix: prefixOf(value('S3_PREFIX')),
  }
  const known = Object.entries(all).filter(([, member]) => member !== undefined)
  // What is left out is what is undefined.
  const store = Object.fromEntries(known) as unknown as StorePlace
  return Object.freeze({ databaseUrl, store: Object.freeze(store) })
}

interface OfOneServer {
  readonly processes: number
  readonly upgrade: boolean
  readonly readOnly: boolean
  readonly accelPrefix: string | undefined
}

/** Refuses what a node would pass over without a word. */
export function requireOfNode({ processes, upgrade, readOnly, accelPrefix }: OfOneServer): void {
  const no = (flag: string, why: string): CmsError =>
    refused(`${flag} does not go together with DATABASE_URL: ${why}.`)
  if (processes > 1) throw no('--processes', 'a node is one process, so start more nodes instead')
  if (upgrade) throw no('--upgrade', 'it converts the data directory of a single server')
  if (readOnly) throw no('--read-only', 'it serves the data directory of a single server')
  if (accelPrefix !== undefined)
    throw no(
      '--accel-redirect',
      'contents lie in the store, and not where nginx can send them from',
    )
}

/** Likewise for who needs one. */
export function requireCluster(environment: Environment): ClusterSettings {
  const cluster = readCluster(environment)
  if (cluster !== undefined) return cluster
  throw refused('Set DATABASE_URL and S3_BUCKET, which say where the cluster keeps its site.')
}

/** An empty variable is unset: a compose file makes one of a value that nobody set. */
function valueOf(environment: Environment, name: string): string | undefined {
  const value = environment[name]
  return value?.trim() === '' ? undefined : value
}

function endpointOf(text: string | undefined): string | undefined {
  if (text === undefined) return undefined
  if (URL.canParse(text) && /^https?:\/\/[^?#@\s]+$/i.test(text)) return text
  throw refused('S3_ENDPOINT is no address of a store. Give one like https://s3.example.org.')
}

function yesOrNo(text: string | undefined): boolean | undefined {
  if (text === undefined) return undefined
  if (/^(?:yes|true|1)$/i.test(text)) return true
  if (/^(?:no|false|0)$/i.test(text)) return false
  throw refused('S3_FORCE_PATH_STYLE is neither "yes" nor "no".')
}

function prefixOf(text: string | undefined): string | undefined {
  if (text === undefined) return undefined
  if (/^[\w.-]+(?:\/[\w.-]+)*\/?$/.test(text)) return text.endsWith('/') ? text : `${text}/`
  throw refused(
    'S3_PREFIX may have letters, digits, "-", "_" and ".", with "/" in between, like sites/one/.',
  )
}

function refused(detail: string): CmsError {
  return new CmsError('bad-request', detail)
}
