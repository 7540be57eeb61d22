// The script of the preview frame (lib/docs/admin-page.ts). It renders the page that the editor sends, without
// anything that could run, load or navigate; the content security policy of the frame blocks the same. It requests
// files of the site from the editor, because the frame has no access.

interface Show {
  readonly type: 'cms-show'
  readonly kind: 'html' | 'svg'
  readonly text: string
}

interface Given {
  readonly type: 'cms-file'
  readonly address: string
  readonly blob: Blob | undefined
}

const GONE = 'script, noscript, iframe, frame, frameset, object, embed, portal, base, meta'

/** Attributes that load a resource. */
const LOADING = ['src', 'poster', 'data', 'background', 'srcset', 'imagesrcset', 'ping'] as const

interface ShownFile {
  readonly url: string
  readonly blob: Blob
}

type Place = (file: ShownFile) => void

/** Pages with more files are treated as malicious. */
const MOST_FILES = 200

/** Loaded and pending files by address. */
const files = new Map<string, ShownFile | undefined>()
let waiting = new Map<string, Place[]>()

addEventListener('message', ({ source, data }: MessageEvent<Show | Given>) => {
  if (source !== parent) return
  if (data.type === 'cms-show') show(data)
  else if (data.type === 'cms-file') give(data)
})
addEventListener('click', stop, true)
addEventListener('auxclick', stop, true)
addEventListener('submit', stop, true)
addEventListener('dragover', refuseDrop, true)
addEventListener('drop', refuseDrop, true)
parent.postMessage({ type: 'cms-ready' }, '*')

/** Blocks navigation. */
function stop(event: Event): void {
  const { target } = event
  if (event.type === 'submit' || (target instanceof Element && target.closest('a, area') !== null))
    event.preventDefault()
}

/** The browser would open dropped files. */
function refuseDrop(event: DragEvent): void {
  event.preventDefault()
  if (event.dataTransfer !== null) event.dataTransfer.dropEffect = 'none'
}

function show({ kind, text }: Show): void {
  const { scrollX, scrollY } = window
  waiting = new Map()
  const page = kind === 'svg' ? pictureOf(text) : cleaned(text)
  document.documentElement.replaceWith(document.adoptNode(page.documentElement))
  scrollTo(scrollX, scrollY)
}

/** Images run no scripts. */
function pictureOf(text: string): Document {
  const page = document.implementation.createHTMLDocument()
  const image = page.createElement('img')
  image.alt = ''
  image.src = URL.createObjectURL(new Blob([text], { type: 'image/svg+xml' }))
  image.onload = () => URL.revokeObjectURL(image.src)
  page.body.append(image)
  return page
}

/** The parsed document is inert: nothing loads or runs. */
function cleaned(text: string): Document {
  const page = new DOMParser().parseFromString(text, 'text/html')
  for (const element of page.querySelectorAll(GONE)) element.remove()
  for (const element of page.querySelectorAll('link')) replaceLink(element)
  for (const element of page.querySelectorAll('*')) clean(element)
  return page
}

function clean(element: Element): void {
  for (const name of element.getAttributeNames())
    if (/^on|^autofocus$|^http-equiv$/i.test(name)) element.removeAttribute(name)
  for (const name of LOADING) {
    const address = element.getAttribute(name)
    if (address === null) continue
    element.removeAttribute(name)
    if (name !== 'src' && name !== 'poster') continue
    if (address.startsWith('data:')) element.setAttribute(name, address)
    else want(address, ({ url }) => element.setAttribute(name, url))
  }
  for (const name of ['href', 'xlink:href']) cleanReference(element, name)
}

/** Keeps links, and removes references that an SVG would load. */
function cleanReference(element: Element, name: string): void {
  const address = element.getAttribute(name)
  if (address === null || address.startsWith('#') || element.localName === 'a') return
  element.removeAttribute(name)
  if (element.localName !== 'image') return
  if (address.startsWith('data:')) element.setAttribute(name, address)
  else want(address, ({ url }) => element.setAttribute(name, url))
}

/** Inlines a style sheet. */
function replaceLink(link: HTMLLinkElement): void {
  const address = link.getAttribute('href')
  const isSheet = /(?:^|\s)stylesheet(?:\s|$)/i.test(link.rel)
  if (!isSheet || address === null) return link.remove()
  const style = link.ownerDocument.createElement('style')
  if (link.media !== '') style.media = link.media
  link.replaceWith(style)
  want(address, ({ blob }) => void blob.text().then((text) => (style.textContent = text)))
}

function want(address: string, place: Place): void {
  if (files.has(address)) return put(files.get(address), place)
  const others = waiting.get(address)
  if (others === undefined && files.size + waiting.size >= MOST_FILES) return
  waiting.set(address, [...(others ?? []), place])
  if (others === undefined) parent.postMessage({ type: 'cms-want', address }, '*')
}

function give({ address, blob }: Given): void {
  const file = blob === undefined ? undefined : { blob, url: URL.createObjectURL(blob) }
  files.set(address, file)
  for (const place of waiting.get(address) ?? []) put(file, place)
  waiting.delete(address)
}

function put(file: ShownFile | undefined, place: Place): void {
  if (file !== undefined) place(file)
}
