// Finds the file to which an address in a page leads: by the number in a shortcode or in /file/{number}/{name}, or by a path
// that begins at the site or at the folder of the page. The shortcode of a menu leads to a file group. Names are looked up when
// the question is asked, so that the answer stays right after every rename and move. A folder or file that the caller may not see
// does not exist here, unless it is public.

import { ANONYMOUS } from '../../auth/anonymous.ts'
import { seesDrafts } from '../../auth/key-role.ts'
import { openVisibleFolders, type VisibleFolders } from '../../auth/visible-folders.ts'
import type { Site } from '../../config/flag-values.ts'
import { assetCategory } from '../../schema/asset-category.ts'
import { type AssetFile, assetFile } from '../../schema/asset-file.ts'
import { fileGroup } from '../../schema/file-group.ts'
import { foldName, nameFault } from '../../schema/names.ts'
import { fileOfAddress, groupOfAddress } from '../../schema/page-links.ts'
import type { Records } from '../../storage/port.ts'
import type { Context } from '../context.ts'
import {
  addressName,
  findFormer,
  findLive,
  findNamed,
  findStaged,
  formerFolders,
  stageName,
} from '../files/addresses.ts'
import { findFormerFolder } from '../folders/former-places.ts'
import { findByName } from '../requirements.ts'
import { openPlace, pathOf, type Place } from './site-place.ts'
import { findRedirect } from './site-pages.ts'

export type LinkTarget =
  | {
      readonly kind: 'file'
      readonly file: AssetFile
      /** The address leads to the live version now, also by a former name. */
      readonly isLive: boolean
      /** Everybody may read the live files of its folder. */
      readonly isPublic: boolean
    }
  /** The file group of a menu. */
  | { readonly kind: 'group'; readonly id: number; readonly isPublic: boolean }
  /** A redirect of the site leads from the address to another one. */
  | { readonly kind: 'redirect' }
  /** The address leads to no file that the caller may see. */
  | { readonly kind: 'none' }
  /** Another host, or a path of a page that no site shows. */
  | { readonly kind: 'other' }

export interface LinkTargets {
  /** Whether everybody may read the live files of the folder. */
  isPublic(folderId: number): boolean
  /** The target of an address in a page of this folder. */
  find(folderId: number, address: string): LinkTarget
}

const NONE: LinkTarget = { kind: 'none' }
const OTHER: LinkTarget = { kind: 'other' }
const INDEX = 'index'
const ENDINGS = ['', '.html', '.stml'] as const

type Asking = Pick<Context, 'records' | 'caller' | 'basePath'>

/** For one answer: folders are remembered. */
export function openLinkTargets(context: Asking, sites: readonly Site[]): LinkTargets {
  return new StoredTargets(context, sites)
}

interface SitePlace extends Place {
  readonly site: Site
}

class StoredTargets implements LinkTargets {
  readonly #basePath: string
  readonly #records: Records
  readonly #visible: VisibleFolders
  readonly #public: VisibleFolders
  readonly #sites: readonly SitePlace[]
  readonly #placeOf = new Map<number, SitePlace | undefined>()
  readonly #below = new Map<string, number | undefined>()

  constructor(context: Asking, sites: readonly Site[]) {
    const { records, caller, basePath } = context
    this.#basePath = basePath
    this.#records = records
    this.#visible = openVisibleFolders(records, caller)
    this.#public = openVisibleFolders(records, ANONYMOUS)
    this.#sites = sites.flatMap((site) => {
      const place = openPlace({ records, caller: ANONYMOUS }, site)
      return place === undefined ? [] : [{ ...place, site }]
    })
  }

  isPublic(folderId: number): boolean {
    return this.#public.sees(folderId)
  }

  find(folderId: number, address: string): LinkTarget {
    const id = fileOfAddress(address)
    if (id !== undefined) return this.#byNumber(id)
    const groupId = groupOfAddress(address)
    if (groupId !== undefined) return this.#group(groupId)
    const [, authority, rest = ''] = /^(?:https?:)?\/\/([^/]*)(.*)$/is.exec(address) ?? []
    if (authority !== undefined) {
      const host = authority.toLowerCase().replace(/:(?:80|443)$/, '')
      const place = this.#sites.find(({ site }) => new URL(site.origin).host === host)
      return place === undefined ? OTHER : this.#onSite(place, rest)
    }
    if (/^https?:/i.test(address)) return OTHER
    if (!address.startsWith('/')) return this.#relative(folderId, address)
    const base = this.#basePath
    const own = address.startsWith(`${base}/`) ? address.slice(base.length) : address
    const [, number, name = ''] = /^\/file\/(\d{1,15})\/([^/]*)$/.exec(own) ?? []
    if (number !== undefined) return this.#byAddress(Number(number), name)
    const place = this.#siteOf(folderId)
    return place === undefined ? OTHER : this.#onSite(place, address)
  }

  #byNumber(id: number): LinkTarget {
    const file = this.#records.get(assetFile.recordType, id)?.value
    return file === undefined ? NONE : this.#shown(file, file.live_version !== null)
  }

  #group(id: number): LinkTarget {
    const group = this.#records.get(fileGroup.recordType, id)?.value
    if (group === undefined) return NONE
    const { parent_category_id: folderId } = group
    const isPublic = this.#public.sees(folderId)
    const isSeen = isPublic || this.#visible.grantsAt(folderId).has('view')
    return isSeen ? { kind: 'group', id, isPublic } : NONE
  }

  /** /file/{number}/{name}: the number is that of a file or of its folder. */
  #byAddress(number: number, encoded: string): LinkTarget {
    const [name] = namesOf(encoded) ?? []
    if (name === undefined) return NONE
    const file = this.#records.get(assetFile.recordType, number)?.value
    const found = file === undefined ? NONE : this.#asNamed(file, name)
    if (found.kind === 'file') return found
    if (file !== undefined && formerFolders(this.#records, number, name).length > 0)
      return this.#shown(file, file.live_version !== null)
    return this.#sees(number) ? this.#named(number, name) : NONE
  }

  /** The site that shows the folder. */
  #siteOf(folderId: number): SitePlace | undefined {
    const { sites, known } = { sites: this.#sites, known: this.#placeOf }
    if (!known.has(folderId))
      known.set(
        folderId,
        sites.find((place) => pathOf(place, folderId) !== undefined),
      )
    return known.get(folderId)
  }

  #onSite(place: SitePlace, path: string): LinkTarget {
    const found = this.#walk({ top: place.rootId, from: place.rootId }, path)
    if (found.kind !== 'none') return found
    const visitor = { records: this.#records, caller: ANONYMOUS }
    const redirect = findRedirect(visitor, { site: place.site, path: path || '/' })
    return redirect === undefined ? NONE : { kind: 'redirect' }
  }

  #relative(folderId: number, address: string): LinkTarget {
    const place = this.#siteOf(folderId)
    const found = this.#walk({ top: place?.rootId, from: folderId }, address)
    const folderPath = place && pathOf(place, folderId)
    if (found.kind !== 'none' || place === undefined || folderPath === undefined) return found
    const { pathname } = new URL(address, `http://site.invalid${folderPath}`)
    return this.#onSite(place, pathname)
  }

  /** Walks a path by names. Above `top` is `top` again, as in every address. */
  #walk({ top, from }: Walk, path: string): LinkTarget {
    const names = namesOf(path)
    if (names === undefined) return NONE
    let id: number | undefined = from
    for (const name of names.slice(0, -1)) {
      if (id === undefined) return NONE
      id = this.#step(id, name, top)
    }
    const last = names.at(-1) ?? ''
    if (id === undefined) return NONE
    if (last === '' || last === '.' || last === '..') {
      const folder = last === '' ? id : this.#step(id, last, top)
      return folder === undefined ? NONE : this.#named(folder, INDEX)
    }
    const file = this.#named(id, last)
    if (file.kind === 'file') return file
    const below = this.#step(id, last, top)
    return below === undefined ? NONE : this.#named(below, INDEX)
  }

  #step(id: number, name: string, top: number | undefined): number | undefined {
    if (name === '.' || name === '') return id
    if (name === '..') return id === top ? id : this.#above(id)
    const key = `${id}/${foldName(name)}`
    if (!this.#below.has(key)) this.#below.set(key, this.#findBelow(id, name))
    return this.#below.get(key)
  }

  #above(id: number): number | undefined {
    const folder = this.#records.get(assetCategory.recordType, id)?.value
    const parent = folder?.parent_category_id ?? undefined
    return parent !== undefined && this.#sees(parent) ? parent : undefined
  }

  #findBelow(parentId: number, name: string): number | undefined {
    const present = findByName(this.#records, assetCategory, parentId, name)
    if (present !== undefined && this.#sees(present)) return present
    if (!this.#public.sees(parentId)) return undefined
    return findFormerFolder(this.#records, this.#public, { parentId, name })
  }

  /** A page may be named without its ending, as on the site. */
  #named(folderId: number, name: string): LinkTarget {
    for (const ending of name === INDEX ? ENDINGS.slice(1) : ENDINGS) {
      const found = this.#exactly(folderId, name + ending)
      if (found.kind === 'file') return found
    }
    const former = findFormer(this.#records, folderId, name)
    return former === undefined ? NONE : this.#shown(former, former.live_version !== null)
  }

  #exactly(folderId: number, name: string): LinkTarget {
    const id = findNamed(this.#records, folderId, name)
    const named = id === undefined ? undefined : this.#records.get(assetFile.recordType, id)?.value
    const live = findLive(this.#records, folderId, name)
    const file = live ?? named ?? findStaged(this.#records, folderId, name)
    return file === undefined ? NONE : this.#asNamed(file, name)
  }

  /** The file, if this is a name of it that the caller may know: the name of a draft is not for callers who may only view. */
  #asNamed(file: AssetFile, name: string): LinkTarget {
    const isSame = (other = ''): boolean => foldName(other) === foldName(name)
    if (isSame(addressName(this.#records, file)))
      return this.#shown(file, file.live_version !== null)
    const isDraft = isSame(file.name) || isSame(stageName(this.#records, file))
    const isTold = isDraft && seesDrafts(this.#visible.grantsAt(file.parent_category_id))
    return isTold ? this.#shown(file, false) : NONE
  }

  #shown(file: AssetFile, isLive: boolean): LinkTarget {
    const { parent_category_id: folderId } = file
    const isPublic = this.#public.sees(folderId)
    const isSeen = (isPublic && isLive) || this.#visible.grantsAt(folderId).has('view')
    return isSeen ? { kind: 'file', file, isLive, isPublic } : NONE
  }

  #sees(folderId: number): boolean {
    return this.#visible.sees(folderId) || this.#public.sees(folderId)
  }
}

interface Walk {
  /** The folder above which no path leads; undefined: the root folder. */
  readonly top: number | undefined
  readonly from: number
}

/** The decoded names of a path; undefined if no file can have such a path. */
function namesOf(path: string): readonly string[] | undefined {
  try {
    const names = path.replace(/^\/+/, '').split(/\/+/).map(decodeURIComponent)
    return names.every(isStep) ? names : undefined
  } catch {
    // The path is not percent-encoded UTF-8.
    return undefined
  }
}

function isStep(name: string): boolean {
  return name === '' || name === '.' || name === '..' || nameFault(name) === undefined
}
