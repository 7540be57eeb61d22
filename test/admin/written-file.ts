// A file that a page saves: where the browser would ask for a place, it writes to its own one.

import type { Page } from 'playwright-core'

/** To be added before the page is opened. */
export const PICKER = `globalThis.showSaveFilePicker = async ({ suggestedName }) => {
  const root = await navigator.storage.getDirectory()
  globalThis.savedAs = suggestedName
  return root.getFileHandle('saved', { create: true })
}`

export async function written(
  page: Page,
): Promise<{ readonly name: string; readonly text: string }> {
  return page.evaluate(`(async () => {
    const root = await navigator.storage.getDirectory()
    const file = await (await root.getFileHandle('saved')).getFile()
    return { name: globalThis.savedAs, text: await file.text() }
  })()`)
}
