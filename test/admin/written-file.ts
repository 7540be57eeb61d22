// Reads a file that a page saves. Instead of asking for a location, the browser writes to its private file
// system.

import type { Page } from 'playwright-core'

/** Must be added before the page opens. */
export const PICKER = `globalThis.showSaveFilePicker = async ({ suggestedName }) => {
  const root = await navigator.storage.getDirectory()
  globalThis.savedAs = suggestedName
  return root.getFileHandle('saved', { create: true })
}`

/** The text keeps a byte order mark. */
export async function written(
  page: Page,
): Promise<{ readonly name: string; readonly text: string }> {
  return page.evaluate(`(async () => {
    const root = await navigator.storage.getDirectory()
    const file = await (await root.getFileHandle('saved')).getFile()
    const decoder = new TextDecoder('utf-8', { ignoreBOM: true })
    return { name: globalThis.savedAs, text: decoder.decode(await file.arrayBuffer()) }
  })()`)
}
