// Facts that the environment holds besides settings: who started this process, and which variables are not for this
// server.

import type { Command } from 'commander'
import { CmsError } from '../base/errors.ts'
import {
  bucketIn,
  type ClusterSettings,
  requireCluster,
  storeOf,
  type StorePlace,
} from './cluster-settings.ts'
import { readSecret } from './flag-values.ts'

/** Variables of the other commands and of the launcher. */
const OTHER_VARIABLES = ['CMS_KEY', 'CMS_KEY_FILE', 'CMS_URL', 'CMS_SOURCE']

/**
 * Variables that look like a setting but are none. The server warns of each at start, because a misspelled
 * variable has no effect.
 */
export function findUnknownVariables({ options }: Command): readonly string[] {
  const known = new Set([...OTHER_VARIABLES, ...options.map(({ envVar }) => envVar)])
  return Object.keys(process.env).filter((name) => name.startsWith('CMS_') && !known.has(name))
}

/**
 * Kubernetes sets these in every container of a namespace that has a service named "cms"; Docker links do the
 * same.
 */
const SERVICE_NAME =
  /^CMS_(?:SERVICE_(?:HOST|PORT(?:_\w+)?)|PORT_\d+_(?:TCP|UDP|SCTP)(?:_(?:PROTO|PORT|ADDR))?)$/
const SERVICE_ADDRESS = /^(?:tcp|udp|sctp):\/\//

/**
 * Removes variables that hold no setting, before any setting is read: empty variables, which compose files pass
 * for values that nobody set, and variables of a service named "cms". Returns the names of the latter.
 */
export function removeForeignVariables(): readonly string[] {
  const ours = Object.entries(process.env).filter(([name]) => name.startsWith('CMS_'))
  const ofService = ours.filter(
    ([name, value = '']) =>
      SERVICE_NAME.test(name) || (name === 'CMS_PORT' && SERVICE_ADDRESS.test(value)),
  )
  const empty = ours.filter(([, value = '']) => value.trim() === '')
  for (const [name] of [...ofService, ...empty]) delete process.env[name]
  return ofService.map(([name]) => name)
}

/**
 * Reads the secret that a variable holds. Container platforms mount secrets as files, so each of these variables can be
 * replaced by a variable with the path of a file: DATABASE_URL_FILE=/run/secrets/database-url. Messages contain no
 * secret.
 */
function secretOf(name: string): string | undefined {
  const file = `${name}_FILE`
  const path = process.env[file]?.trim() ?? ''
  if (path === '') return process.env[name]
  if ((process.env[name] ?? '').trim() !== '')
    throw new CmsError('bad-request', `${name} and ${file} are both set. Unset one of them.`)
  const secret = readSecret(path)
  if (secret !== undefined && secret !== '') return secret
  throw new CmsError(
    'bad-request',
    `${file} must be the path of a readable file that holds the value of ${name}.`,
  )
}

/**
 * The variables of a cluster and of a bucket, with the secrets from files. process.env does not get these secrets,
 * because child processes inherit process.env.
 */
export function clusterEnvironment(): NodeJS.ProcessEnv {
  return {
    ...process.env,
    DATABASE_URL: secretOf('DATABASE_URL'),
    S3_ACCESS_KEY_ID: secretOf('S3_ACCESS_KEY_ID'),
    S3_SECRET_ACCESS_KEY: secretOf('S3_SECRET_ACCESS_KEY'),
  }
}

const KEY = 'CMS_KEY'

/** Puts the key of CMS_KEY_FILE into the variable that the parser of the flags reads. */
export function loadKey(): void {
  const key = secretOf(KEY)
  if (key !== undefined) process.env[KEY] = key
}

/** For the time after the flags are parsed, because child processes inherit process.env. */
export function removeKey(): void {
  delete process.env[KEY]
}

/** Whether systemd started this very process and therefore stops it: TimeoutStopSec= of the unit. */
export function isMainProcessOfUnit(): boolean {
  return process.env['SYSTEMD_EXEC_PID'] === String(process.pid)
}

/**
 * Whether an open file is the journal, which stores what is written to it and shows it to other users:
 * JOURNAL_STREAM of systemd.exec(5).
 */
export function isJournal({ dev, ino }: { readonly dev: number; readonly ino: number }): boolean {
  return process.env['JOURNAL_STREAM'] === `${dev}:${ino}`
}

/** Whether systemd waits for a message that the server listens: Type=notify of the unit. */
export function waitsForReady(): boolean {
  return process.env['NOTIFY_SOCKET'] !== undefined
}

/** Directories in which a shell looks for commands. */
export function commandPath(): string {
  return process.env['PATH'] ?? ''
}

/** The cluster of the environment, with some variables replaced. */
export function clusterOf(given: Readonly<NodeJS.ProcessEnv>): ClusterSettings {
  return requireCluster({ ...clusterEnvironment(), ...given })
}

/** A bucket for published files: address s3://BUCKET/PREFIX, endpoint and credentials from the variables of the store. */
export function bucketOf(address: string): StorePlace {
  return storeOf(clusterEnvironment(), bucketIn(address))
}
