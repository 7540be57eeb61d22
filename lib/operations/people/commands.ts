// Commands of the command line on a data directory: keys, users, and the columns of all modules. The same function
// answers through the socket of a running server, and for a command that opened the directory itself. Access to the
// directory or its socket makes the caller the operator, so no key is required.

import { checkTimeZone, DAY_MS, openClock } from '../../shared/wall-clock.ts'
import { parseIdentifier } from '../../schema/names.ts'
import { newSecret } from '../../auth/secret.ts'
import { CmsError } from '../../base/errors.ts'
import { type ApiKey, apiKey, isSession } from '../../schema/api-key.ts'
import { composed, spellingsOf } from '../../schema/text-normalization.ts'
import type { Action } from '../../shared/actions.ts'
import { checkCreate, refuseField, requireObject } from '../../schema/check.ts'
import { isRole, ROLE_NAMES, ROLES } from '../../shared/grants.ts'
import type { Layout } from '../../schema/layout.ts'
import {
  MODULE_KINDS,
  MODULE_OBJECTS,
  type ModuleKind,
  moduleLayout,
  type ModuleRecord,
} from '../../schema/module.ts'
import { user } from '../../schema/user.ts'
import type { JsonObject, RecordType } from '../../schema/values.ts'
import type { Reader } from '../../storage/port.ts'
import { withAdditions } from '../trail/additions.ts'
import { parseDuration, putNewKey, putRevoked, putRotated } from './api-keys.ts'
import { auditAddition } from '../trail/audit.ts'
import { ADMIN_NAME } from './first-start.ts'
import { inSlices } from '../../schema/time-slicing.ts'
import { keyStateOf, requireFuture } from './key-visibility.ts'
import { KEYS_AT_ONCE, removeAllLinks, removeKeyRecords, walkDescendants } from './revoking.ts'
import {
  changePassword,
  type CommandArguments,
  type CommandServices,
  createUser,
  createUserLink,
  readSecondFactor,
  removeFactor,
  renameUser,
  requireUser,
  setStatus,
  textOf,
} from './user-commands.ts'
import { withNewId } from '../new-id.ts'

type AuditedServices = CommandServices & {
  /** Returns services for another commit with its own audit row. */
  readonly again: () => AuditedServices
}

/** The parts of a module that decide the types of its entries. */
export interface ModuleColumns {
  readonly kind: ModuleKind
  readonly id: number
  readonly record: ModuleRecord
  readonly layout: Layout
}

type Change = (services: AuditedServices, args: CommandArguments) => Promise<unknown>

/** Commands that change something have an action for the audit trail; list commands get read-only services. */
type Command =
  | { readonly action: Action; readonly change: Change }
  | { readonly list: (services: CommandServices, args: CommandArguments) => unknown }

const COMMANDS: Readonly<Record<string, Command>> = {
  'key.create': { action: 'create', change: createKey },
  'key.list': { list: listKeys },
  'key.revoke': { action: 'revoke', change: revokeKey },
  'key.revoke-all': { action: 'revoke', change: revokeAllKeys },
  'key.rotate': { action: 'rotate', change: rotateKey },
  'module.list': { list: listModules },
  'user.create': { action: 'create', change: createUser },
  'user.list': { list: ({ records }) => everyRecord(records, user.recordType) },
  'user.disable': { action: 'update', change: setStatus('disabled') },
  'user.enable': { action: 'update', change: setStatus('active') },
  'user.rename': { action: 'update', change: renameUser },
  'user.link': { action: 'update', change: createUserLink },
  'user.password': { action: 'update', change: changePassword },
  'user.second-factor': { list: readSecondFactor },
  'user.second-factor.remove': { action: 'update', change: removeFactor },
}

/** `{command: 'key.create', …}` → the output of the command line, based on the newest commit of any process. */
export async function runCommand(services: CommandServices, request: unknown): Promise<unknown> {
  const { command, ...args } = requireObject(request)
  const known = Object.hasOwn(COMMANDS, String(command)) ? COMMANDS[String(command)] : undefined
  if (known === undefined)
    throw new CmsError('bad-request', `Unknown command: ${JSON.stringify(command)}.`)
  await services.records.renew()
  if ('list' in known) return known.list(services, args)
  return known.change(withAudit(services, known.action), args)
}

/** Audit rows of the operator have no user and no address. */
function withAudit(services: CommandServices, action: Action): AuditedServices {
  const origin = { action, caller: undefined, address: undefined, requestId: undefined }
  const records = withAdditions(services.records, [auditAddition(services, origin)])
  return { ...services, records, again: () => withAudit(services, action) }
}

async function createKey(
  { records, now }: CommandServices,
  args: CommandArguments,
): Promise<JsonObject> {
  const { user_id, name: owner } = requireUser({ records, now }, textOf(args, 'user') ?? ADMIN_NAME)
  const values = checkCreate(apiKey, {
    name: args['name'],
    user_id,
    grants: grantsOf(args),
    asset_category_id: categoryOf(args),
    date_expires: expiryOf(args, now()),
  })
  requireFuture(records, values, now())
  const secret = newSecret()
  const api_key_id = await withNewId(records, apiKey.recordType, async (id) => {
    await records.commit((unit) => putNewKey(unit, { id, values, secret, owner, now: now() }))
    return id
  })
  return { api_key_id, secret, date_expires: values['date_expires'] ?? null }
}

function listKeys({ records, now }: CommandServices): readonly JsonObject[] {
  const time = now()
  return everyRecord(records, apiKey.recordType).map((key) => ({
    ...key,
    ...keyStateOf(records, key, time),
  }))
}

function listModules({ records }: CommandServices): readonly ModuleColumns[] {
  return MODULE_KINDS.flatMap((kind) => {
    const { recordType } = MODULE_OBJECTS[kind]
    return records.list(recordType, []).flatMap((ids): readonly ModuleColumns[] => {
      const record = records.get(recordType, ...ids)?.value
      const layout = records.get(moduleLayout, kind, ...ids)?.value
      if (record === undefined || layout === undefined) return []
      return [{ kind, id: Number(ids[0]), record, layout }]
    })
  })
}

async function revokeKey(services: AuditedServices, args: CommandArguments): Promise<null> {
  const record = requireKey(services, args)
  const keys = [record]
  const add = (key: ApiKey): void => void keys.push(key)
  if (args['cascade'] === true)
    await inSlices(walkDescendants(services.records, record.api_key_id, add))
  await endKeys(services, keys)
  return null
}

/** Revokes all active keys, all sessions and all links; returns the number of keys and sessions. */
async function revokeAllKeys(services: AuditedServices): Promise<number> {
  const keys = everyRecord(services.records, apiKey.recordType).filter(
    (key) => key.status === 'active',
  )
  await endKeys(services, keys)
  await removeAllLinks(() => services.again().records)
  return keys.length
}

/** Makers first; each commit has its row in the audit trail. */
async function endKeys(services: AuditedServices, keys: readonly ApiKey[]): Promise<void> {
  for (let done = 0; done < keys.length; done += KEYS_AT_ONCE) {
    await services.again().records.commit((unit) => {
      for (const key of keys.slice(done, done + KEYS_AT_ONCE)) {
        if (isSession(key)) removeKeyRecords(unit, [key.api_key_id])
        else putRevoked(unit, key, services.now())
      }
    })
  }
}

async function rotateKey(services: CommandServices, args: CommandArguments): Promise<JsonObject> {
  const record = requireKey(services, args)
  const keepSeconds = parseDuration(textOf(args, 'keepOld') ?? '0', 'keep_old')
  const secret = newSecret()
  await services.records.commit((unit) =>
    putRotated(unit, { record, secret, keepSeconds, now: services.now() }),
  )
  return { api_key_id: record.api_key_id, secret }
}

function everyRecord<T extends object>(reader: Reader, type: RecordType<T>): readonly T[] {
  return reader.list(type, []).flatMap((ids): readonly T[] => {
    const stored = reader.get(type, ...ids)
    return stored === undefined ? [] : [stored.value]
  })
}

/** Finds a key by identifier, or by a name that only one key has. */
function requireKey({ records }: CommandServices, args: CommandArguments): ApiKey {
  const wanted = String(args['key'] ?? '')
  const wantedId = parseIdentifier(wanted)
  const ids =
    wantedId === undefined
      ? spellingsOf(composed(wanted)).texts.flatMap((name) =>
          records.lookup(apiKey.recordType, 'name', [name]),
        )
      : [[wantedId]]
  const found = ids.flatMap(([id]) => records.get(apiKey.recordType, Number(id))?.value ?? [])
  const [key] = found
  if (key !== undefined && found.length === 1) return key
  const detail =
    found.length === 0
      ? `There is no key ${wantedId ?? JSON.stringify(wanted)}.`
      : `${found.length} keys have this name.`
  throw new CmsError('not-found', `${detail} Use the number that "cms-server key list" shows.`)
}

function grantsOf(args: CommandArguments): unknown {
  const { role } = args
  const grants = textOf(args, 'grants')
  if (role === undefined)
    return grants === undefined ? null : grants.split(',').map((grant) => grant.trim())
  if (isRole(role)) return [...ROLES[role]]
  throw new CmsError(
    'invalid-content',
    `There is no role ${JSON.stringify(role)}. Roles are ${ROLE_NAMES.join(', ')}.`,
  )
}

/** A requested limit is never dropped: null here would mean every folder. */
function categoryOf({ category }: CommandArguments): unknown {
  if (category === null) refuseField('asset_category_id', 'must be an identifier, or left out')
  return category ?? null
}

/** A duration from now like 30d, a day (up to its end in the caller's time zone), or an instant. */
function expiryOf(args: CommandArguments, now: Date): string | null {
  const text = textOf(args, 'expires')
  if (text === undefined) return null
  if (/^\d+[smhd]$/.test(text))
    return new Date(now.getTime() + parseDuration(text, 'date_expires') * 1_000).toISOString()
  const dayMs = /^\d{4}-\d{2}-\d{2}$/.test(text) ? Date.parse(text) : Number.NaN
  // Date.parse reads 31 February as 3 March, so such a text is returned unchanged and refused later.
  if (Number.isNaN(dayMs) || !new Date(dayMs).toISOString().startsWith(text)) return text
  const timeZone = textOf(args, 'timeZone') ?? 'UTC'
  const wrong = checkTimeZone(timeZone)
  if (wrong !== undefined) throw new CmsError('bad-request', `The time zone ${wrong}.`)
  return new Date(openClock(timeZone).instantOf(dayMs + DAY_MS)).toISOString()
}
