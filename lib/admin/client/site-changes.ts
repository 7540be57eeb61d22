// Tells the previews in all tabs of this browser that a file has changed.

import { ADMIN_PATH } from './address.ts'

const NAME = `cms${ADMIN_PATH}.site-changes`

export function tellSiteChange(): void {
  const channel = new BroadcastChannel(NAME)
  channel.postMessage('changed')
  channel.close()
}

/** Returns a function that stops listening. */
export function onSiteChange(listener: () => void): () => void {
  const channel = new BroadcastChannel(NAME)
  channel.onmessage = listener
  return () => channel.close()
}

/** Names of the sizes of pictures that the server knows (lib/docs/admin-page.ts). */
export function picturePresets(): readonly string[] {
  const found = document.querySelector<HTMLMetaElement>('meta[name="cms-picture-presets"]')
  return found === null ? [] : found.content.split(' ')
}

/** Whether the server shows a site (lib/docs/admin-page.ts). */
export function hasSites(): boolean {
  return document.querySelector('meta[name="cms-sites"]') !== null
}
