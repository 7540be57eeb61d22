// The menu of a folder: the same actions in the same order on its page, in its row and on its tile.

import { useLocation } from 'preact-iso/router'
import { pathOf } from '../../client/address.ts'
import { useMe } from '../../client/client-context.ts'
import { mayEverywhere, maySomewhere, ROOT_FOLDER } from '../../client/me.ts'
import { useTexts } from '../../texts/use-texts.ts'
import type { MenuItem } from '../../ui/menu.tsx'
import type { FolderActions, FolderAct } from './folder-actions.tsx'
import { type FolderRecord, grantsIn } from './records.ts'
import { websiteOf } from './view-file.ts'

const MODULE_FOLDER = 12

/** The root folder and the folder of modules keep their place. */
const FIXED: ReadonlySet<number> = new Set([ROOT_FOLDER, MODULE_FOLDER])

/** Takes the line of the folder, from the topmost folder to the folder itself. */
export function useFolderMenu({ open }: Pick<FolderActions, 'open'>) {
  const { t } = useTexts()
  const { route } = useLocation()
  const may = useFolderRights()
  const sites = useMe()?.site ?? []

  return (line: readonly FolderRecord[], isOpen: boolean): readonly MenuItem[] => {
    const folder = line.at(-1) as FolderRecord
    const rights = may(line)
    const item = (text: string, kind: FolderAct, icon: MenuItem['icon']): MenuItem => ({
      text,
      ...(icon !== undefined && { icon }),
      onChoose: () => open(kind, line),
    })
    const settings: readonly MenuItem[] = [
      ...(rights.ask ? [item(t.access.whoHere, 'access', 'users')] : []),
      ...(rights.modify ? [item(t.publicAccess.title, 'public', 'globe')] : []),
      ...(rights.publish ? [item(t.publicAccess.website, 'site', 'globe')] : []),
      ...(rights.retain ? [item(t.content.keep.title, 'versions', 'history')] : []),
    ]
    const openItem: MenuItem = {
      text: t.content.open,
      icon: 'folder',
      onChoose: () => route(pathOf(`/content/${folder.asset_category_id}`)),
    }
    const website = websiteOf(sites, folder)
    return [
      ...(isOpen ? [] : [openItem]),
      ...(website === undefined ? [] : [websiteItem(t.publicAccess.view, website)]),
      ...(rights.place ? [item(t.content.rename, 'rename', 'edit')] : []),
      ...(rights.place ? [item(t.content.move, 'move', 'folder')] : []),
      ...(rights.copy ? [item(t.content.copyTo, 'copy', 'copy')] : []),
      ...(rights.publishAll ? [item(t.content.publishAll.item, 'publish', 'globe')] : []),
      item(t.content.changes.item, 'changes', 'history'),
      ...settings.map((each, at) => (at === 0 ? { ...each, group: t.content.settings } : each)),
      ...(rights.remove
        ? [{ ...item(t.content.delete, 'delete', 'trash'), isDangerous: true }]
        : []),
    ]
  }
}

function websiteItem(text: string, address: string): MenuItem {
  return { text, icon: 'external', onChoose: () => void open(address, '_blank', 'noopener') }
}

function useFolderRights() {
  const me = useMe()
  return (line: readonly FolderRecord[]) => {
    const grants = grantsIn(me, line)
    // Name and place of a folder depend on the grants in its parent.
    const above = grantsIn(me, line.slice(0, -1))
    const isFixed = FIXED.has(line.at(-1)?.asset_category_id ?? 0) || line.length < 2
    return {
      ask: me !== undefined && mayEverywhere(me, 'admin'),
      modify: grants.has('modify'),
      publish: grants.has('modify') && grants.has('publish'),
      publishAll: grants.has('view') && grants.has('publish'),
      retain: grants.has('modify') && grants.has('delete'),
      place: grants.has('modify') && above.size > 0 && !isFixed,
      copy: me !== undefined && maySomewhere(me, 'create') && !isFixed,
      remove: grants.has('delete') && !isFixed,
    }
  }
}
