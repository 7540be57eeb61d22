// The script of the API pages. It loads the document, with a key if one is required, and passes it to Swagger UI.

import { PAGE_PLUGIN } from './page-plugin.ts'

/**
 * The inputs of a form start empty, because Swagger UI would send the sample values. getSampleSchema gets the type false
 * only for these inputs.
 *
 * A site may have a thousand modules, and one document of all of them would block any browser. The page therefore loads
 * one module at a time.
 *
 * The key is stored in the sessionStorage of this origin, so that it survives a reload and is available on the other page.
 * sessionStorage ends with the tab; localStorage would leave the key to the next user of the browser. No other scripts run
 * on this origin, because the pages have a content security policy and /file responses are sandboxed. "Forget key" and
 * Logout remove the key at once.
 *
 * In a frame of the administration area, the user has signed in. The page asks the area for a secret by postMessage before
 * each request and stores none, because each secret is valid only for minutes. Only pages of this origin may embed this
 * page, and messages that do not come from the parent frame are ignored. A key that the user enters takes precedence.
 */
export const START_SCRIPT = `const KEPT = 'cms-api-key'
const find = (selector) => document.querySelector(selector)
const name = location.pathname.split('/').at(-1)
const isKeyed = document.body.dataset.docs === 'keyed'
const form = find('#key')
const isFramed = parent !== window
const root = document.documentElement
const dark = matchMedia('(prefers-color-scheme: dark)')
const follow = () => root.classList.toggle('dark-mode', dark.matches)
follow()
dark.addEventListener('change', follow)
root.classList.toggle('framed', isFramed)
// The last secret from the parent frame, and the resolvers that wait for the next one.
let given = ''
let waiting = []
let ui
if (isFramed) addEventListener('message', listen)

find('#forget').addEventListener('click', () => {
  keep('')
  location.reload()
})
// Links in the documents open in this tab, because the key is stored here. In a frame, the parent opens the page of the
// other document, and all other links open in a new tab.
addEventListener('click', (event) => {
  const link = event.target.closest?.('a[href]')
  if (link?.origin !== location.origin) return
  if (!isFramed) return link.removeAttribute('target')
  if (link.pathname === location.pathname) return
  const [, other] = /\\/public\\/api\\/(system|module)$/.exec(link.pathname) ?? []
  if (other === undefined) return (link.target = '_blank')
  event.preventDefault()
  parent.postMessage({ type: 'cms-open', name: other }, location.origin)
}, true)
// A page from the back/forward cache may still have a forgotten key in memory.
addEventListener('pageshow', ({ persisted }) => persisted && location.reload())
showWhetherKept()
start()

async function start() {
  const kept = isFramed ? await askFrame() : (sessionStorage.getItem(KEPT) ?? '')
  if (kept === '' && isKeyed) askForKey('')
  else begin(kept)
}

// If the parent frame does not answer, no user has signed in.
function askFrame() {
  return new Promise((resolve) => {
    waiting.push(resolve)
    setTimeout(resolve, 5_000, '')
    parent.postMessage({ type: 'cms-ask-key' }, location.origin)
  })
}

function listen({ source, origin, data }) {
  if (source !== parent || origin !== location.origin) return
  if (typeof data?.isDark === 'boolean') showTheme(data.isDark)
  if (data?.type !== 'cms-key' || typeof data.secret !== 'string') return
  given = data.secret
  for (const resolve of waiting) resolve(given)
  waiting = []
}

// The area may use another theme than the system.
function showTheme(isDark) {
  dark.removeEventListener('change', follow)
  root.classList.toggle('dark-mode', isDark)
  root.dataset.theme = isDark ? 'dark' : 'light'
}

// Replaces the first secret of the parent frame by the current one.
async function renewSecret(request) {
  const sent = request.headers?.Authorization
  if (given === '' || sent !== 'Bearer ' + given) return request
  request.headers.Authorization = 'Bearer ' + ((await askFrame()) || given)
  ui.preauthorizeApiKey('bearerAuth', given)
  return request
}

function keep(key) {
  if (key === '' || key === given) sessionStorage.removeItem(KEPT)
  else sessionStorage.setItem(KEPT, key)
  showWhetherKept()
}

function showWhetherKept() {
  find('#kept').hidden = sessionStorage.getItem(KEPT) === null
}

async function begin(key) {
  try {
    await open(key)
  } catch (error) {
    if (!isKeyed) return tell(error.message)
    if (error.status === 401) keep('')
    askForKey(error.message)
  }
}

async function open(key) {
  if (name !== 'module') return show(await load('system/swagger.json', key), key)
  const { modules } = await load('module/modules.json', key)
  const asked = new URLSearchParams(location.search).get('module')
  const ordered = inOrder(modules)
  if (ordered.length > 0) listModules(ordered, asked ?? ordered[0].module)
  else if (asked === null) return sayNone()
  const module = asked ?? ordered[0].module
  show(await load('module/swagger.json?module=' + encodeURIComponent(module), key), key)
}

function sayNone() {
  const note = document.createElement('p')
  note.className = 'own-text'
  note.setAttribute('role', 'status')
  note.textContent = 'There are no datatables or calendars yet. Create one with the System API.'
  find('#swagger-ui').replaceChildren(note)
}

function askForKey(message) {
  const [input, button] = ['input', 'button'].map((each) => form.querySelector(each))
  tell(message)
  form.onsubmit = async (event) => {
    event.preventDefault()
    button.disabled = true
    const key = input.value.trim()
    try {
      await open(key)
      keep(key)
      form.hidden = true
      input.value = ''
    } catch (error) {
      tell(error.message)
      input.select()
    }
    button.disabled = false
  }
  form.hidden = false
  input.focus()
}

function tell(message) {
  find('#told').textContent = message
  find('#told').hidden = message === ''
}

async function load(url, key, form = 'json') {
  if (!/^[!-~]*$/.test(key)) throw new Error('This is not an API key. A key has only letters, digits and _.')
  const headers = key === '' || !isKeyed ? {} : { authorization: 'Bearer ' + key }
  const answer = await fetch(url, { headers }).catch(() => {
    throw new Error('The server cannot be reached.')
  })
  if (answer.ok) return answer[form]()
  const body = await answer.json().catch(() => ({}))
  const error = new Error(body.detail || 'The server returned status ' + answer.status + '.')
  throw Object.assign(error, { status: answer.status })
}

// The page loads the types itself, because a link cannot send a key.
async function saveTypes() {
  const key = isFramed ? await askFrame() : (sessionStorage.getItem(KEPT) ?? '')
  const link = document.createElement('a')
  link.href = URL.createObjectURL(await load('module/types.ts', key, 'blob'))
  link.download = 'cms-types.ts'
  link.click()
  // The browser reads the address after this function returns.
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000)
}

function inOrder(modules) {
  const { compare } = new Intl.Collator(undefined, { numeric: true })
  return modules.toSorted((left, right) => compare(left.name, right.name))
}

function listModules(modules, current) {
  const items = modules.map(({ module, name }) => {
    const [item, link, kind] = ['li', 'a', 'span'].map((each) => document.createElement(each))
    link.href = '?module=' + module
    link.textContent = name
    kind.textContent = module.replace('/', ' ')
    if (module === current) link.setAttribute('aria-current', 'page')
    link.append(kind)
    item.append(link)
    return item
  })
  find('#modules ul').replaceChildren(...items)
  find('#find').oninput = () => filter(items)
  filter(items)
  find('#types').onclick = () => saveTypes().then(() => tell(''), ({ message }) => tell(message))
  find('#modules').hidden = false
  const list = find('#modules ul')
  // scrollIntoView would also move the starting point of keyboard navigation.
  list.scrollTop = (list.querySelector('[aria-current]')?.offsetTop ?? 0) - list.offsetTop
}

function filter(items) {
  const wanted = find('#find').value.trim().toLowerCase()
  for (const item of items) item.hidden = !item.textContent.toLowerCase().includes(wanted)
  const count = items.filter(({ hidden }) => !hidden).length.toLocaleString('en')
  const all = items.length.toLocaleString('en')
  find('#count').textContent = wanted === '' ? all + ' in total' : count + ' of ' + all
}

function show(spec, key) {
  tell('')
  ui = SwaggerUIBundle({
    spec,
    dom_id: '#swagger-ui',
    layout: 'PageLayout',
    plugins: [Page],
    deepLinking: true,
    docExpansion: 'list',
    defaultModelsExpandDepth: -1,
    displayRequestDuration: true,
    persistAuthorization: false,
    // The numbers of the default theme have too little contrast.
    syntaxHighlight: { theme: 'obsidian' },
    validatorUrl: null,
    requestInterceptor: renewSecret,
    onComplete: () => key !== '' && ui.preauthorizeApiKey('bearerAuth', key),
  })
  new MutationObserver(nameControls).observe(find('#swagger-ui'), { childList: true, subtree: true })
  const button = find('#authorize')
  button.hidden = false
  button.onclick = () => ui.authActions.showDefinitions(ui.authSelectors.definitionsToAuthorize())
}
${PAGE_PLUGIN}`
