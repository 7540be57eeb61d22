// Finds a module by its address. After a rename, the old address redirects to the present one (308), and an address
// with a wrong name gets an error that names the right one; both only for callers who may see the module. No other
// module can take an old name, because the number in the address is unique. If the module takes an old name again,
// that address is a current one again.

import { type Caller, keyRequired } from '../../auth/caller.ts'
import { chainOf } from '../../auth/folders.ts'
import { grantsAt, requireGrant } from '../../auth/grants.ts'
import { CmsError } from '../../base/errors.ts'
import {
  MODULE_KINDS,
  MODULE_OBJECTS,
  type ModuleKind,
  type ModuleNames,
  moduleNames,
  type ModuleRecord,
} from '../../schema/module.ts'
import { openTimeSlice } from '../../schema/time-slicing.ts'
import type { Grant } from '../../shared/grants.ts'
import type { Reader, Unit } from '../../storage/port.ts'
import type { Context, Services } from '../context.ts'
import type { Module } from './module-cache.ts'
import { isPublicRecord, publicModule } from './public-module.ts'

/** A module as addressed: kind, number and name must all agree. */
export interface ModuleAddress {
  readonly kind: ModuleKind
  readonly id: number
  readonly name: string
  /** The path after the name: an entry, the query. */
  readonly rest: string
}

/** Only the latest old names redirect. */
const MAX_OLD_NAMES = 20

/** The module, if the caller holds the grant in its folder; throws not-found for a wrong address. */
export function requireModule(context: Context, address: ModuleAddress, grant: Grant): Module {
  return findModule(context, context.records, { address, grant, caller: context.caller })
}

/**
 * Like requireModule, but keeps the decision, which reads the module, its layout and the folders above it. Not for a response
 * that is cached: its trace would miss these reads. Not for a plan, which must read the newest state.
 */
export function passModule(context: Context, address: ModuleAddress, grant: Grant): Module {
  const { caller, records, modules } = context
  const label = `${grant} ${caller.key.api_key_id} ${address.kind} ${address.id} ${address.name}`
  const known = modules.passes.get(label)
  if (known?.caller === caller && known.isCurrent()) return known.module

  const trace = records.trace()
  const module = findModule(context, trace.records, { address, grant, caller })
  modules.passes.set(label, { caller, module, isCurrent: trace.close() })
  return module
}

/** Like requireModule, but also accepts old names, to answer a retry of a request from before the rename. */
export function requireModuleByAnyName(
  context: Context,
  address: ModuleAddress,
  grant: Grant,
): Module {
  const { kind, id, name } = address
  const present = context.modules.find(context.records, kind, id)?.record.module_name
  const isOld = present !== undefined && oldNames(context.records, kind, id).old.includes(name)
  return requireModule(context, isOld ? { ...address, name: present } : address, grant)
}

interface Wanted {
  readonly address: ModuleAddress
  readonly grant: Grant
  readonly caller: Caller
}

export function findModule(
  context: Context,
  reader: Reader,
  { address, grant, caller }: Wanted,
): Module {
  const module = context.modules.find(reader, address.kind, address.id)
  if (caller.isAnonymous === true) return asPublic(context, reader, module, address)
  const folder = module?.record.parent_category_id
  const isSeen = folder !== undefined && grantsAt(reader, caller, folder).size > 0
  if (module === undefined || !isSeen) {
    throw new CmsError(
      'not-found',
      'No module exists at this address, or the key may not see it: type, number and name must match.',
    )
  }
  if (module.record.module_name !== address.name) {
    const { old } = oldNames(reader, address.kind, address.id)
    throw misnamed(context, module, { address, isOld: old.includes(address.name) })
  }
  requireGrant(reader, caller, grant, module.record.parent_category_id)
  return module
}

/** The module as the caller sees it, for answers of other modules that lead to it; undefined if the caller may not. */
export function seenModule(
  { modules, records, caller }: Context,
  kind: ModuleKind,
  id: number,
): Module | undefined {
  const module = modules.find(records, kind, id)
  if (module === undefined) return undefined
  if (caller.isAnonymous === true)
    return isPublicRecord(records, module.record) ? publicModule(module) : undefined
  const { parent_category_id: folderId } = module.record
  return grantsAt(records, caller, folderId).has('view') ? module : undefined
}

/** For readers without a key; throws key-required if the module is not public any more. */
function asPublic(
  context: Context,
  reader: Reader,
  module: Module | undefined,
  address: ModuleAddress,
): Module {
  if (module === undefined || !isPublicRecord(reader, module.record)) throw keyRequired()
  if (module.record.module_name === address.name) return publicModule(module)
  const { old, hidden = [] } = oldNames(reader, address.kind, address.id)
  const isOld = old.includes(address.name) && !hidden.includes(address.name)
  throw misnamed(context, module, { address, isOld })
}

interface Misnamed {
  readonly address: ModuleAddress
  /** The caller may learn that the module had this name. */
  readonly isOld: boolean
}

function misnamed(
  { basePath }: Context,
  { kind, id, record }: Module,
  { address: { rest }, isOld }: Misnamed,
): CmsError {
  const url = `${basePath}${record.module_url}`
  const members = { module_url: url }
  if (isOld) {
    const location = `${record.module_url}${rest}`
    return new CmsError(
      'module-renamed',
      `The ${kind} ${id} was renamed. Its address is now ${url}.`,
      {
        members,
        headers: { location },
      },
    )
  }
  return new CmsError('not-found', `The ${kind} ${id} has another name. Its address is ${url}.`, {
    members,
  })
}

function oldNames(reader: Pick<Reader, 'get'>, kind: ModuleKind, id: number): ModuleNames {
  return reader.get(moduleNames, kind, id)?.value ?? { old: [] }
}

/** Stores the old name of a module, in the commit that renames the module. */
export function storeOldName(
  unit: Unit,
  {
    kind,
    id,
    before,
    now,
  }: {
    readonly kind: ModuleKind
    readonly id: number
    readonly before: ModuleRecord
    readonly now: string
  },
): void {
  const { module_name: last } = before
  if (last === now) return
  const known = oldNames(unit, kind, id)
  const { hidden: wereHidden = [] } = known
  const others = known.old.filter((name) => name !== now && name !== last)
  const old = [...others, last].slice(-MAX_OLD_NAMES)
  const isHidden = !isPublicRecord(unit, before)
  const hidden = old.filter((name) => (name === last ? isHidden : wereHidden.includes(name)))
  unit.put(moduleNames, [kind, id], { old, ...(hidden.length > 0 && { hidden }) })
}

export interface ModuleKey {
  readonly kind: ModuleKind
  readonly id: number
}

interface ListedModule {
  /** Unique among all modules. */
  readonly key: string
  readonly name: string
  /** Changes whenever the module changes, but not with its entries. */
  readonly revision: string
  /** Undefined if the module was just removed. */
  readonly load: () => Module | undefined
}

/**
 * In the order of identifiers, in time slices of about 10 ms; modules of deleted folders are left out. A caller sees
 * the modules of folders in which it holds a grant; without a caller all modules are visible.
 */
export async function* listModules(
  services: Services,
  caller: Caller | undefined,
): AsyncGenerator<ListedModule> {
  const { records } = services
  const slice = openTimeSlice()

  for (const kind of MODULE_KINDS) {
    for (const [part] of records.list(MODULE_OBJECTS[kind].recordType, [])) {
      const id = Number(part)
      if (slice.isOver(0)) await slice.next()
      const found = findListedModule(services, caller, { kind, id })
      if (found !== undefined) yield found
    }
  }
}

/** One module of the list; undefined if it does not exist or is hidden from the caller. */
export function findListedModule(
  services: Services,
  caller: Caller | undefined,
  { kind, id }: ModuleKey,
): ListedModule | undefined {
  const { records, modules } = services
  const stored = records.get(MODULE_OBJECTS[kind].recordType, id)
  if (stored === undefined) return undefined
  const { name, parent_category_id: folderId } = stored.value
  const isAnonymous = caller?.isAnonymous === true
  const isSeen = isAnonymous
    ? isPublicRecord(records, stored.value)
    : caller === undefined || grantsAt(records, caller, folderId).size > 0
  if (!isSeen) return undefined

  const revision = modules.revisionOf(records, kind, id)
  if (revision === undefined || isBeingCleared(services, kind, id)) return undefined
  const load = (): Module | undefined => {
    const module = modules.find(records, kind, id)
    return isAnonymous ? module && publicModule(module) : module
  }
  return { key: `${kind}/${id}`, name, revision, load }
}

/** The folder of the module was deleted, so the module is about to be removed. */
function isBeingCleared(
  { records, modules, purging }: Services,
  kind: ModuleKind,
  id: number,
): boolean {
  if (purging.size === 0) return false
  const module = modules.find(records, kind, id)
  return module === undefined || chainOf(records, module.record.parent_category_id) === undefined
}
