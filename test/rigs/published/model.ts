// The expected public view, derived only from acknowledged commands.

import fc from 'fast-check'

export const NAMES = ['a.html', 'b.html', 'c.html', 'd.html'] as const

interface Version {
  readonly name: string
  readonly title: string
  readonly text: string
}

export interface File {
  readonly id: number
  readonly folder: number
  readonly versions: readonly Version[]
  /** The index of the live version. */
  readonly live: number | undefined
}

export interface Site {
  readonly files: Map<number, File>
  /** Former addresses of live files as "number/name", with the file to which they redirect. */
  readonly former: Map<string, number>
}

export const anyAction = fc.record({
  what: fc.constantFrom(
    ...['create', 'save', 'save', 'save', 'upload', 'publish', 'publish', 'rollback', 'stage'],
    ...[
      'unstage',
      'unpublish',
      'restore',
      'delete',
      'move',
      'rename',
      'folder rename',
      'folder move',
    ],
  ),
  actor: fc.constantFrom('editor', 'stager', 'editor of one'),
  file: fc.nat(7),
  folder: fc.nat(1),
  name: fc.constantFrom(...NAMES, 'A.html'),
  version: fc.nat(4),
  state: fc.constantFrom(undefined, undefined, 'publish', 'stage'),
})

export type Action = typeof anyAction extends fc.Arbitrary<infer T> ? T : never

const last = ({ versions }: File): number => versions.length - 1
const fold = (name: string): string => name.toLowerCase()

export function liveOf({ versions, live }: File): Version | undefined {
  return live === undefined ? undefined : versions[live]
}

export function latestOf(file: File): Version {
  const version = file.versions[last(file)]
  if (version === undefined) throw new Error('a file without a version')
  return version
}

/** Records the state of a file after an acknowledged command, and updates the former addresses. */
export function putFile(site: Site, next: File): void {
  const before = site.files.get(next.id)
  const left = before === undefined ? [] : addressesOf(before)
  const taken = addressesOf(next)
  site.files.set(next.id, next)
  if (taken.length === 0) return
  for (const address of left) if (!taken.includes(address)) site.former.set(address, next.id)
  for (const address of taken) site.former.delete(address)
}

export function removeFile(site: Site, id: number): void {
  site.files.delete(id)
}

function addressesOf(file: File): readonly string[] {
  const live = liveOf(file)
  return live === undefined ? [] : [file.id, file.folder].map((at) => `${at}/${fold(live.name)}`)
}

/** The expected answer of an address: a text, a redirect, or nothing. */
export function seenAt(site: Site, number: number, name: string): string | undefined {
  const address = `${number}/${fold(name)}`
  for (const file of site.files.values())
    if (addressesOf(file).includes(address)) return liveOf(file)?.text
  const file = site.files.get(site.former.get(address) ?? 0)
  const live = file && liveOf(file)
  return live && `to /file/${file.id}/${live.name}`
}

/** The record of a live file as a key with only the view grant sees it. */
export function shownOf(file: File): object | undefined {
  const live = liveOf(file)
  if (live === undefined || file.live === undefined) return undefined
  const { name, title } = live
  const url = `/file/${file.id}/${name}`
  return { asset_file_id: file.id, name, title, live_version: file.live + 1, url }
}

export function saved(file: File, version: Version, state: string | undefined): File {
  const next = { ...file, versions: [...file.versions, version] }
  return state === 'publish' ? { ...next, live: last(next) } : next
}
