// Shows a file as visitors get it, or its staged version, and copies its address.
//
//   const viewing = useViewFile()
//   { text: t.content.view, icon: 'external', isShown: mayView(file), onChoose: () => viewing.view(file) }
//
// A live file opens on its public site if there is one. Other files open at their address if the server lets browsers show
// them there, or else in the sandboxed preview of the area.

import { useLocation } from 'preact-iso/router'
import type { Grant } from '../../../shared/grants.ts'
import { pathOf, SERVER } from '../../client/address.ts'
import type { Api } from '../../client/api.ts'
import { useApi, useMe } from '../../client/client-context.ts'
import { ticketFor } from '../../client/download.ts'
import type { Me } from '../../client/me.ts'
import { useTexts } from '../../texts/use-texts.ts'
import { copyText } from '../../ui/code-line.tsx'
import { useToast } from '../../ui/toast.tsx'
import {
  type FileRecord,
  type FolderRecord,
  isTextFile,
  readFolderLine,
  versionAddress,
} from './records.ts'

type Viewed = Pick<
  FileRecord,
  | 'asset_file_id'
  | 'parent_category_id'
  | 'url'
  | 'mime_type'
  | 'version'
  | 'live_version'
  | 'staged_version'
>

type Sites = Me['site']

/** Whether there is a live version that a browser can show. */
export function mayView(file: Viewed): boolean {
  return file.live_version !== null && canBrowserShow(file)
}

/** Whether there is a staged version of its own that the user may see and a browser can show. */
export function mayViewStaged(file: Viewed, may: (grant: Grant) => boolean): boolean {
  const { staged_version: staged, live_version: live } = file
  const seesDrafts = may('modify') || may('stage') || may('publish')
  return seesDrafts && staged !== null && staged !== live && canBrowserShow(file)
}

function canBrowserShow(file: Viewed): boolean {
  const { mime_type: type } = file
  if (type === 'application/pdf') return navigator.pdfViewerEnabled
  return isTextFile(file) || /^(?:image|audio|video)\//.test(type)
}

/** Types that the server lets a browser display at the address of the file; it downloads all others. */
function isShownInline({ mime_type: type }: Viewed): boolean {
  return /^(?:image\/(?!svg)|audio\/|video\/|text\/plain$)/.test(type)
}

/** The path of the page that shows a file in a frame. */
export function previewPath(fileId: number, shown: 'live' | 'staged'): string {
  return pathOf(`/content/file/${fileId}/preview${shown === 'live' ? '?live' : ''}`)
}

export function useViewFile() {
  const { t } = useTexts()
  const api = useApi()
  const toast = useToast()
  const { route } = useLocation()
  const sites = useMe()?.site ?? []

  async function view(file: Viewed): Promise<void> {
    // Browsers open a tab only in the handler of a click, so the tab waits for its address.
    const tab = open('', '_blank')
    try {
      const url = await liveAddress(api, sites, file)
      if (tab === null) return location.assign(url)
      tab.opener = null
      tab.location.assign(url)
    } catch (error) {
      tab?.close()
      toast.problem(error)
    }
  }

  async function copyUrl(file: Viewed): Promise<void> {
    const onSite = await siteAddress(api, sites, file)
    await copyText(onSite ?? new URL(file.url, `${SERVER}/`).href)
    toast({ text: t.content.urlCopied, name: `url ${file.asset_file_id}` })
  }

  return {
    view: (file: Viewed): void => void view(file),
    viewStaged: ({ asset_file_id: id }: Viewed): void => route(previewPath(id, 'staged')),
    /** Copies the address for visitors, or of the API. */
    copyUrl: (file: Viewed): void => void copyUrl(file).catch(toast.problem),
  }
}

async function liveAddress(api: Api, sites: Sites, file: Viewed): Promise<string> {
  const onSite = await siteAddress(api, sites, file)
  if (onSite !== undefined) return onSite
  if (!isShownInline(file))
    return new URL(previewPath(file.asset_file_id, 'live'), location.href).href
  return ticketFor(api, versionAddress({ file, version: file.version, mayRead: false }))
}

/** The address of the site whose root is the folder; undefined if the folder is not public or the root of no site. */
export function websiteOf(
  sites: Sites,
  { asset_category_id: id, is_public: isPublic }: FolderRecord,
): string | undefined {
  return isPublic ? sites.find((site) => site.asset_category_id === id)?.origin : undefined
}

/** The address at which a site shows the live version; undefined if no site does. */
async function siteAddress(api: Api, sites: Sites, file: Viewed): Promise<string | undefined> {
  if (sites.length === 0 || file.live_version === null) return undefined
  const line = await readFolderLine(api, file.parent_category_id)
  for (const [depth, folder] of [...line.entries()].toReversed()) {
    if (!folder.is_public) return undefined
    const site = sites.find(({ asset_category_id: id }) => id === folder.asset_category_id)
    if (site === undefined) continue
    const folders = line.slice(depth + 1).map(({ name }) => `${encodeURIComponent(name)}/`)
    // The address of the file ends with the name of the live version.
    const name = file.url.slice(file.url.lastIndexOf('/') + 1)
    return `${site.origin}/${folders.join('')}${name === 'index.html' ? '' : name}`
  }
  return undefined
}
