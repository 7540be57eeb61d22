// Removes a deleted module: its records in the commit of the deletion, its entries later.

import { entryTypeName } from '../../schema/entry.ts'
import {
  MODULE_OBJECTS,
  type ModuleKind,
  moduleLayout,
  moduleNames,
  moduleNumbers,
} from '../../schema/module.ts'
import type { Unit } from '../../storage/port.ts'
import type { GoneContents, Services } from '../context.ts'
import { idsInFolder } from '../folder-contents.ts'
import { newWorkId, putWork } from '../pending-work.ts'
import type { ModuleWork } from '../../schema/pending-work.ts'
import { commitAudited } from '../trail/audit.ts'
import { startModuleWorks } from './module-work.ts'

/** Removes the module's records and stores the pending work that removes its entries. */
export function removeModuleRecords(
  unit: Unit,
  workId: string,
  { kind, id }: { readonly kind: ModuleKind; readonly id: number },
): ModuleWork {
  const work: ModuleWork = { kind: 'drop-type', type: entryTypeName(kind, id) }
  unit.remove(MODULE_OBJECTS[kind].recordType, id)
  unit.remove(moduleLayout, kind, id)
  unit.remove(moduleNumbers, kind, id)
  unit.remove(moduleNames, kind, id)
  putWork(unit, workId, work)
  return work
}

/** Removes the modules of a deleted folder. */
export async function clearModules(
  services: Services,
  kind: ModuleKind,
  { categoryId, doer }: GoneContents,
): Promise<void> {
  for (const id of idsInFolder(services.records, MODULE_OBJECTS[kind], categoryId)) {
    const workId = newWorkId()
    const plan = (unit: Unit): ModuleWork => removeModuleRecords(unit, workId, { kind, id })
    const work = await commitAudited(services, { doer, plan })
    void startModuleWorks(services, [{ id: workId, work }])
  }
}
