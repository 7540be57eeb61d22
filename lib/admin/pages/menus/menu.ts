// A menu is a file group: an ordered list of files that a website shows as links.

import { type Api, recordOf } from '../../client/api.ts'
import { pathOf } from '../../client/address.ts'
import type { components } from '../../client/interface.d.ts'
import type { Fetched } from '../../ui/use-edit.ts'

export type MenuRecord = components['schemas']['file_group']

export function menuPath(id: number): string {
  return pathOf(`/menus/${id}`)
}

export async function readMenu(
  api: Api,
  id: number,
  signal?: AbortSignal,
): Promise<Fetched<MenuRecord>> {
  const init = { ...(signal !== undefined && { signal }), params: { path: { id } } }
  // Without `fields`, the response has all fields.
  return (await recordOf(api.GET('/file_group/{id}', init))) as Fetched<MenuRecord>
}

/** The identifiers of the pages as the value of a form field, and back. */
export function textOfPages(ids: readonly number[] | null): string {
  return (ids ?? []).join()
}

export function pagesOf(text: string): number[] {
  return text === '' ? [] : text.split(',').map(Number)
}
