// The pages that show an OpenAPI document with Swagger UI, without inline scripts or resources of other hosts. The page is
// at `/public/api/system`, its document at `…/system/swagger.json`, and its assets at `/public/api/assets/`. All URLs in
// the page are relative, so the server can run below a base path.

import { FAVICON } from './page-style.ts'

export const DOCUMENT_NAMES = ['system', 'module'] as const

export type DocumentName = (typeof DOCUMENT_NAMES)[number]

/** public: everybody gets the same document. keyed: each key gets the modules that it may see; a key is required. */
export type DocumentAudience = 'public' | 'keyed'

const TITLES: Readonly<Record<DocumentName, string>> = {
  system: 'System API',
  module: 'Module API',
}

/**
 * Only scripts and styles with the nonce of this response run, because 'self' would also allow the files that users store
 * on this origin. Swagger UI uses data: URLs for its icons and calls this server. The administration area shows the page in
 * a frame.
 */
export function pagePolicy(nonce: string): string {
  return (
    `default-src 'none'; script-src 'nonce-${nonce}'; style-src 'nonce-${nonce}'; img-src 'self' data:; ` +
    "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'self'"
  )
}

/**
 * The script shows the form. The input has no name, so that a browser without JavaScript cannot put the key into a URL.
 */
const KEY_FORM = `<form id="key" class="own-text" hidden>
<h1>Module API</h1>
<p>Enter an API key to see the modules that it may access. This tab remembers the key until you close the tab or choose
Forget key.</p>
<p><label for="api-key">API key</label>
<input id="api-key" class="own" type="password" autocomplete="off" spellcheck="false" required></p>
<button class="own first" type="submit">Show modules</button>
</form>
`

const MODULES = `<nav id="modules" aria-label="Modules" hidden>
<label for="find">Find a module</label>
<input id="find" class="own" type="search" autocomplete="off" spellcheck="false">
<p id="count" role="status"></p>
<ul></ul>
<button id="types" class="own" type="button">Save TypeScript types</button>
</nav>
`

export interface SwaggerPage {
  readonly name: DocumentName
  readonly audience: DocumentAudience
  readonly assetsVersion: string
  readonly nonce: string
}

export function swaggerPage({ name, audience, assetsVersion, nonce }: SwaggerPage): string {
  const assets = `assets/${assetsVersion}`
  const isKeyed = audience === 'keyed'
  const isModules = name === 'module'
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${TITLES[name]} – cms-server</title>
<link rel="icon" href="${FAVICON}">
<link nonce="${nonce}" rel="stylesheet" href="${assets}/swagger-ui.css">
<link nonce="${nonce}" rel="stylesheet" href="${assets}/pages.css">
<script nonce="${nonce}" defer src="${assets}/swagger-ui-bundle.js"></script>
<script nonce="${nonce}" defer src="${assets}/start.js"></script>
</head>
<body data-docs="${audience}">
<a class="skip" href="#content">Skip to the operations</a>
<header class="top">
<nav aria-label="Interfaces">${DOCUMENT_NAMES.map((each) => `<a href="${each}"${each === name ? ' aria-current="page"' : ''}>${TITLES[each]}</a>`).join('\n')}</nav>
<p class="key"><span id="kept" hidden><button id="forget" class="own" type="button">Forget key</button></span>
<button id="authorize" class="own first" type="button" hidden>Authorize</button></p>
</header>
<div${isModules ? ' class="beside"' : ''}>
${isModules ? MODULES : ''}<main id="content" tabindex="-1">
${isKeyed ? KEY_FORM : ''}<p id="told" class="own-text wrong" role="alert" hidden></p>
<div id="swagger-ui"></div>
<noscript><p class="own-text">This page needs JavaScript. The document itself is <a href="${name}/swagger.json">swagger.json</a>${isKeyed ? ', which needs an API key' : ''}.</p></noscript>
</main>
</div>
</body>
</html>
`
}
