// Watches what is created or moved below a folder while its subtree is being measured, so that nothing is missed
// between measuring and commit. It never blocks a write.

import { chainOf, type FolderReader } from '../../auth/folders.ts'
import { addExtents, type Extent, longest, NO_EXTENT, ofName } from './folder-extent.ts'

export interface FolderWatch {
  /** Extent of what was created below the folder, even if the commit was rolled back. */
  readonly made: () => Extent
  /** True once a folder was moved there or got a longer name, because the folders below it are not measured. */
  readonly hasMoved: () => boolean
  readonly close: () => void
}

interface FolderChange {
  readonly kind: 'made' | 'moved'
  readonly parentId: number
  readonly name: string
}

export interface FolderWatches {
  readonly open: (categoryId: number) => FolderWatch
  /** Must be called inside every commit that creates or moves a folder, or gives it a longer name. */
  readonly notice: (reader: FolderReader, change: FolderChange) => void
  readonly isOpen: () => boolean
  /** A folder was created or moved at an unknown place. */
  readonly lose: () => void
}

interface Watching {
  readonly categoryId: number
  made: Extent
  hasMoved: boolean
}

export function openFolderWatches(): FolderWatches {
  const watches = new Set<Watching>()

  return {
    open(categoryId) {
      const watching: Watching = { categoryId, made: NO_EXTENT, hasMoved: false }
      watches.add(watching)
      return {
        made: () => watching.made,
        hasMoved: () => watching.hasMoved,
        close: () => void watches.delete(watching),
      }
    },
    isOpen: () => watches.size > 0,
    lose() {
      for (const watching of watches) watching.hasMoved = true
    },
    notice(reader, { kind, parentId, name }) {
      if (watches.size === 0) return
      let extent = ofName(name)
      for (const folder of chainOf(reader, parentId) ?? []) {
        for (const watching of watches) {
          if (watching.categoryId !== folder.asset_category_id) continue
          if (kind === 'moved') watching.hasMoved = true
          else watching.made = longest(watching.made, extent)
        }
        extent = addExtents(extent, ofName(folder.name))
      }
    },
  }
}
