// The pages that show a document: Swagger UI, without a program or a style of another host or in the
// page itself. The page stands at `/public/api/system`, its document at `…/system/swagger.json`, and
// what it loads at `/public/api/assets/`; all addresses in it are relative, so a path may be in front.

export const DOCUMENT_NAMES = ['system', 'module'] as const

export type DocumentName = (typeof DOCUMENT_NAMES)[number]

/** public: everybody gets the same document. keyed: each key gets what it may see, and without one there is none. */
export type DocumentAudience = 'public' | 'keyed'

const TITLES: Readonly<Record<DocumentName, string>> = {
  system: 'System API',
  module: 'Module API',
}

/** Swagger UI draws its icons from data: addresses, and calls this server. */
export const PAGE_POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; " +
  "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

/**
 * A site may have a thousand modules: their tags are closed until one is opened. The inputs of a form
 * begin empty, because a sample in each of them would be sent; for them alone the type is false.
 *
 * Where the document wants a key, the page asks for it first, loads the document with it and hands it to Authorize.
 * The key stays in the memory of the page: not in its address, not in the storage of the browser.
 */
export const START_SCRIPT = `const isModules = location.pathname.endsWith('/module')
const EmptyForms = () => ({
  afterLoad({ fn: { getSampleSchema } }) {
    this.fn.getSampleSchema = (schema, type, ...rest) =>
      type === false ? '' : getSampleSchema(schema, type, ...rest)
  },
})
const url = location.pathname + '/swagger.json'
const OPTIONS = {
  dom_id: '#swagger-ui',
  layout: 'BaseLayout',
  plugins: [EmptyForms],
  deepLinking: true,
  docExpansion: isModules ? 'none' : 'list',
  filter: isModules,
  defaultModelsExpandDepth: -1,
  displayRequestDuration: true,
  persistAuthorization: false,
  validatorUrl: null,
}

const form = document.querySelector('#key')
if (form === null) SwaggerUIBundle({ ...OPTIONS, url })
else askForKey()

function askForKey() {
  const [input, button, message] = ['input', 'button', '[role=alert]'].map((name) => form.querySelector(name))
  form.addEventListener('submit', async (event) => {
    event.preventDefault()
    button.disabled = true
    message.hidden = true
    try {
      const key = input.value.trim()
      show(await load(key), key)
    } catch (error) {
      message.textContent = error.message
      message.hidden = false
      button.disabled = false
      input.select()
    }
  })
  form.hidden = false
  input.focus()
}

function show(spec, key) {
  form.remove()
  const onComplete = () => ui.preauthorizeApiKey('bearerAuth', key)
  const ui = SwaggerUIBundle({ ...OPTIONS, spec, onComplete })
}

async function load(key) {
  if (!/^[!-~]+$/.test(key)) throw new Error('This is no API key: it has letters, digits and _ alone.')
  const answer = await fetch(url, { headers: { authorization: 'Bearer ' + key } }).catch(() => {
    throw new Error('The server cannot be reached.')
  })
  const body = await answer.json().catch(() => ({}))
  if (answer.ok) return body
  throw new Error(body.detail || 'The server answers ' + answer.status + '.')
}
`

/**
 * In the look of Swagger UI, whose style sheet is the only one. The program shows it, and its input has no name: without
 * the program nothing could put the key into an address.
 */
const KEY_FORM = `<form id="key" class="swagger-ui" hidden>
<div class="wrapper">
<div class="info"><h1 class="title">Module API</h1>
<p>The document shows each API key the modules that it may see. The key stays in this page alone: reload the page to
forget it, or to use another one.</p></div>
<div class="auth-container">
<label for="api-key">API key</label>
<section><input id="api-key" type="password" autocomplete="off" spellcheck="false" required></section>
<p class="errors" role="alert" hidden></p>
<button class="btn authorize" type="submit">Show</button>
</div>
</div>
</form>`

export function swaggerPage(
  name: DocumentName,
  audience: DocumentAudience,
  assetsVersion: string,
): string {
  const assets = `assets/${assetsVersion}`
  const isKeyed = audience === 'keyed'
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>${TITLES[name]}</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="${assets}/swagger-ui.css">
<script defer src="${assets}/swagger-ui-bundle.js"></script>
<script defer src="${assets}/start.js"></script>
<body>
${isKeyed ? `${KEY_FORM}\n` : ''}<div id="swagger-ui"></div>
<noscript>This page needs JavaScript. The document itself is <a href="${name}/swagger.json">swagger.json</a>${isKeyed ? ', for who sends a key' : ''}.</noscript>
</body>
</html>
`
}
