// Cluster settings: where the nodes of a cluster store their site, under variable names that operators know
// from other servers. They have no flags, because the database address contains a password and flags are
// visible to every user who lists the processes of the machine.

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
To run one site on several servers, store its records in PostgreSQL and its content in an S3-compatible store. These
settings have variables but no flags, because flags are visible to everybody who lists the processes of the machine:
  DATABASE_URL          postgres://USER:PASSWORD@HOST,HOST/NAME; --data is then private to this server
  S3_BUCKET             bucket for the content; required with DATABASE_URL
  S3_ENDPOINT           address of the store; default: AWS in S3_REGION
  S3_REGION             region of the bucket
  S3_ACCESS_KEY_ID, S3_SECRET_ACCESS_KEY
                        default: the credentials of the machine (environment, profile, role)
  S3_FORCE_PATH_STYLE   "yes": the bucket is part of the path; default: "yes" if S3_ENDPOINT is set
  S3_PREFIX             prefix of every key, so that several sites can share a bucket
  DATABASE_URL_FILE, S3_ACCESS_KEY_ID_FILE, S3_SECRET_ACCESS_KEY_FILE
                        path of a file with the value, instead of the variable`

type Environment = Readonly<Record<string, string | undefined>>

export function asksForCluster(environment: Environment): boolean {
  return ['DATABASE_URL', 'S3_BUCKET'].some((name) => valueOf(environment, name) !== undefined)
}

/**
 * Returns undefined if the site is stored in the data directory. Messages contain no values, because one of
 * them is a password.
 */
export function readCluster(environment: Environment): ClusterSettings | undefined {
  if (!asksForCluster(environment)) return undefined
  const value = (name: string): string | undefined => valueOf(environment, name)
  const [databaseUrl, bucket] = [value('DATABASE_URL'), value('S3_BUCKET')]
  if (databaseUrl === undefined || bucket === undefined) {
    const [there, missing] =
      bucket === undefined ? ['DATABASE_URL', 'S3_BUCKET'] : ['S3_BUCKET', 'DATABASE_URL']
    throw refused(
      `${there} is set, but ${missing} is not. Set both to run one site on several servers, or unset ${there} to store the site in the data directory.`,
    )
  }
  const store = storeOf(environment, { bucket, prefix: prefixOf('S3_PREFIX', value('S3_PREFIX')) })
  return Object.freeze({ databaseUrl, store })
}

/** The same store and credentials for another bucket. */
export function storeOf(
  environment: Environment,
  place: { readonly bucket: string; readonly prefix: string | undefined },
): StorePlace {
  const value = (name: string): string | undefined => valueOf(environment, name)
  const endpoint = endpointOf(value('S3_ENDPOINT'))
  const isPathStyle = yesOrNo(value('S3_FORCE_PATH_STYLE')) ?? endpoint !== undefined
  const keys = { id: value('S3_ACCESS_KEY_ID'), secret: value('S3_SECRET_ACCESS_KEY') }
  if ((keys.id === undefined) !== (keys.secret === undefined))
    throw refused('Set S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY together, or neither of them.')
  const all = {
    ...place,
    endpoint,
    region: value('S3_REGION'),
    accessKeyId: keys.id,
    secretAccessKey: keys.secret,
    forcePathStyle: isPathStyle,
  }
  const known = Object.entries(all).filter(([, member]) => member !== undefined)
  // Optional members must be absent instead of undefined.
  return Object.freeze(Object.fromEntries(known) as unknown as StorePlace)
}

/** The bucket and the prefix of an address such as s3://website/de. */
export function bucketIn(text: string): { bucket: string; prefix: string | undefined } {
  const [, bucket, prefix = ''] =
    /^s3:\/\/([a-z0-9][a-z0-9.-]{1,61}[a-z0-9])(?:\/(.*))?$/.exec(text) ?? []
  if (bucket === undefined)
    throw refused(
      'Give the bucket as s3://BUCKET or s3://BUCKET/PREFIX, such as s3://www.example.org.',
    )
  return { bucket, prefix: prefixOf('The prefix of a bucket', prefix === '' ? undefined : prefix) }
}

interface OfOneServer {
  readonly processes: number
  readonly upgrade: boolean
  readonly readOnly: boolean
  readonly accelPrefix: string | undefined
}

/** Rejects options of a single server that a node would ignore silently. */
export function requireOfNode({ processes, upgrade, readOnly, accelPrefix }: OfOneServer): void {
  const no = (flag: string, why: string): CmsError =>
    refused(`${flag} cannot be combined with DATABASE_URL: ${why}.`)
  if (processes > 1) throw no('--processes', 'a node is one process; start more nodes instead')
  if (upgrade) throw no('--upgrade', 'it converts the data directory of a single server')
  if (readOnly) throw no('--read-only', 'it serves the data directory of a single server')
  if (accelPrefix !== undefined)
    throw no('--accel-redirect', 'contents are in the store, where nginx cannot read them')
}

/** For commands that work only on a cluster. */
export function requireCluster(environment: Environment): ClusterSettings {
  const cluster = readCluster(environment)
  if (cluster !== undefined) return cluster
  throw refused('Set DATABASE_URL and S3_BUCKET to say where the cluster stores its site.')
}

/** An empty variable counts as unset: compose files pass an empty variable for a value that nobody set. */
function valueOf(environment: Environment, name: string): string | undefined {
  const value = environment[name]
  return value?.trim() === '' ? undefined : value
}

function endpointOf(text: string | undefined): string | undefined {
  if (text === undefined) return undefined
  if (URL.canParse(text) && /^https?:\/\/[^?#@\s]+$/i.test(text)) return text
  throw refused(
    'S3_ENDPOINT is not a valid address. Set it to an address such as https://s3.example.org.',
  )
}

function yesOrNo(text: string | undefined): boolean | undefined {
  if (text === undefined) return undefined
  if (/^(?:yes|true|1)$/i.test(text)) return true
  if (/^(?:no|false|0)$/i.test(text)) return false
  throw refused('S3_FORCE_PATH_STYLE must be "yes" or "no".')
}

function prefixOf(name: string, text: string | undefined): string | undefined {
  if (text === undefined) return undefined
  if (/^[\w.-]+(?:\/[\w.-]+)*\/?$/.test(text)) return text.endsWith('/') ? text : `${text}/`
  throw refused(
    `${name} may contain letters, digits, "-", "_", "." and single "/" between them, such as sites/one/.`,
  )
}

function refused(detail: string): CmsError {
  return new CmsError('bad-request', detail)
}
