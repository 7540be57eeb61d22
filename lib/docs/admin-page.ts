// The page of the administration area, the same for every address below /admin. The page is empty; its script renders
// everything. All URLs in the page are relative, so the server can run below a base path.

import type { AdminManifest } from './assets.ts'
import { FAVICON } from './page-style.ts'

/**
 * Scripts and style sheets run only with the nonce of this response. 'self' would also allow the files that users store
 * on this origin. A module passes its nonce on to the modules that it imports. Images come from this server or from blob:
 * URLs of types that cannot contain scripts. Trusted Types prevent text from becoming markup. A form that no script
 * handles is not submitted, because its fields would end up in a URL. Frames show previews of the sites.
 */
export function adminPolicy(nonce: string, sites: readonly string[]): string {
  return (
    `default-src 'none'; script-src 'nonce-${nonce}'; style-src 'nonce-${nonce}'; img-src 'self' blob: data:; ` +
    `media-src 'self' blob:; font-src 'self'; connect-src 'self'; frame-src ${["'self' blob:", ...sites].join(' ')}; base-uri 'none'; ` +
    "form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'"
  )
}

interface AdminPage {
  readonly manifest: AdminManifest
  /** The part of the path after /admin: empty, or starting with a slash. */
  readonly below: string
  /** The language of Accept-Language. The page may choose another one from its settings. */
  readonly language: string
  readonly nonce: string
  /** Whether there is a site to preview. */
  readonly hasSites: boolean
  /** Names of the sizes of pictures (--picture-presets). */
  readonly presets: readonly string[]
}

export function adminPage({
  manifest,
  below,
  language,
  nonce,
  hasSites,
  presets,
}: AdminPage): string {
  const assets = `${upTo(below)}assets/`
  const texts = manifest.languages[language]
  const modules = [...manifest.needed, ...(texts === undefined ? [] : [texts])]
  return `<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="style-nonce" content="" nonce="${nonce}">
<meta name="page-style" content="${manifest.pageStyle}" nonce="${nonce}">
<meta name="robots" content="noindex">${hasSites ? '\n<meta name="cms-sites" content="yes">' : ''}${presets.length > 0 ? `\n<meta name="cms-picture-presets" content="${presets.join(' ')}">` : ''}
<title>cms-server</title>
<link rel="icon" href="${FAVICON}">
<script nonce="${nonce}" src="${assets}${manifest.early}"></script>
<link nonce="${nonce}" rel="stylesheet" href="${assets}${manifest.style}">
${modules.map((name) => `<link nonce="${nonce}" rel="modulepreload" href="${assets}${name}">`).join('\n')}
<script nonce="${nonce}" type="module" src="${assets}${manifest.program}"></script>
</head>
<body>
<div id="app"></div>
<noscript><p class="alone">This page needs JavaScript. Without JavaScript, use the command line: <code>cms-server --help</code>.</p></noscript>
</body>
</html>
`
}

/** The relative path from the requested address to /admin/. */
function upTo(below: string): string {
  const depth = below.split('/').length - 1
  return depth === 0 ? 'admin/' : '../'.repeat(depth - 1)
}

/**
 * The policy of the frame in which the administration area previews a page that is being edited. The frame starts empty,
 * and its script shows what the editor sends (lib/admin/preview.ts).
 *
 * The sandbox gives the frame an opaque origin: the frame has no access to the session or to what the browser stores for
 * this server. Only the script with the nonce of this response runs. Nothing that a previewed page refers to is loaded.
 */
export function previewPolicy(nonce: string): string {
  return (
    `default-src 'none'; script-src 'nonce-${nonce}'; style-src 'unsafe-inline'; img-src data: blob:; ` +
    "media-src data: blob:; font-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'self'; " +
    'sandbox allow-scripts'
  )
}

export function previewPage({ preview }: AdminManifest, nonce: string): string {
  return `<!doctype html>
<html>
<head>
<meta charset="utf-8">
<title>cms-server</title>
<script nonce="${nonce}" src="assets/${preview}" defer></script>
</head>
<body></body>
</html>
`
}
