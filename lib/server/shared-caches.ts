// Caches and trackers that the writer process and reader processes both open, each process its own.

import type { Services } from '../operations/context.ts'
import { openFolderWatches } from '../operations/folders/folder-extent.ts'
import { openModuleWatches } from '../operations/modules/entry-tracker.ts'
import { openModules } from '../operations/modules/module-cache.ts'

export function openSharedCaches(): Pick<Services, 'modules' | 'watches' | 'folderWatches'> {
  return {
    modules: openModules(),
    watches: openModuleWatches(),
    folderWatches: openFolderWatches(),
  }
}
