// The style sheet of all pages but the first ones. It is loaded once, with the first page that needs it.

const META = 'meta[name="page-style"]'

let loading: Promise<void> | undefined

/** Resolves when the style sheet applies. A failed load is repeated by the next call. */
export function loadPageStyle(): Promise<void> {
  loading ??= load().catch((error: unknown) => {
    loading = undefined
    throw error
  })
  return loading
}

function load(): Promise<void> {
  return new Promise((resolve, reject) => {
    const meta = document.querySelector<HTMLMetaElement>(META)
    const link = document.createElement('link')
    link.rel = 'stylesheet'
    link.nonce = meta?.nonce ?? ''
    // The program is in the same folder.
    link.href = new URL(meta?.content ?? '', import.meta.url).href
    link.addEventListener('load', () => resolve())
    link.addEventListener('error', () => {
      link.remove()
      reject(new Error('The style sheet was not loaded.'))
    })
    document.head.append(link)
  })
}
