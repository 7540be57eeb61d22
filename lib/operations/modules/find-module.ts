// Finds a module by its address. After a rename, the old address redirects to the present one (308), and an address
// with a wrong name gets an error that names the right one; both only for callers who may see the module. No other
// module can take an old name, because the number in the address is unique. If the module takes an old name again,
// that address is a current one again.

import type { Caller } from '../../auth/caller.ts'
import { grantsAt, requireGrant } from '../../auth/grants.ts'
import { CmsError } from '../../base/errors.ts'
import type { Grant } from '../../shared/grants.ts'
import { type ModuleKind, moduleNames, type ModuleRecord } from '../../schema/module.ts'
import type { Reader, Unit } from '../../storage/port.ts'
import type { Context } from '../context.ts'
import type { Module } from './module-cache.ts'

/** A module as addressed: kind, number and name must all agree. */
export interface ModuleAddress {
  readonly kind: ModuleKind
  readonly id: number
  readonly name: string
  /** The path behind the name: an entry, the query. */
  readonly rest: string
}

/** Only the latest old names redirect. */
const MAX_OLD_NAMES = 20

/** The module, if the caller holds the grant in its folder; throws not-found for a wrong address. */
export function requireModule(context: Context, address: ModuleAddress, grant: Grant): Module {
  return findModule(context, context.records, { address, grant, caller: context.caller })
}

/** Like requireModule, but also accepts old names, to answer a retry of a request from before the rename. */
export function requireModuleByAnyName(
  context: Context,
  address: ModuleAddress,
  grant: Grant,
): Module {
  const { kind, id, name } = address
  const present = context.modules.find(context.records, kind, id)?.record.module_name
  const isOld = present !== undefined && oldNames(context.records, kind, id).includes(name)
  return requireModule(context, isOld ? { ...address, name: present } : address, grant)
}

export interface Wanted {
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
  const folder = module?.record.parent_category_id
  const isSeen = folder !== undefined && grantsAt(reader, caller, folder).size > 0
  if (module === undefined || !isSeen) {
    throw new CmsError(
      'not-found',
      'No module exists at this address, or the key may not see it: type, number and name must match.',
    )
  }
  if (module.record.module_name !== address.name) throw misnamed(context, reader, module, address)
  requireGrant(reader, caller, grant, module.record.parent_category_id)
  return module
}

function misnamed(
  { basePath }: Context,
  reader: Reader,
  { kind, id, record }: Module,
  { name, rest }: ModuleAddress,
): CmsError {
  const url = `${basePath}${record.module_url}`
  const members = { module_url: url }
  if (oldNames(reader, kind, id).includes(name)) {
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

function oldNames(reader: Pick<Reader, 'get'>, kind: ModuleKind, id: number): readonly string[] {
  const stored = reader.get(moduleNames, kind, id)
  return stored?.value.old ?? []
}

/** Stores the old name of a module, in the commit that renames the module. */
export function keepOldName(
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
  if (before.module_name === now) return
  const others = oldNames(unit, kind, id).filter(
    (name) => name !== now && name !== before.module_name,
  )
  const old = [...others, before.module_name].slice(-MAX_OLD_NAMES)
  unit.put(moduleNames, [kind, id], { old })
}
