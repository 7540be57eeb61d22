// The page in which the administration area runs, whatever address below /admin was asked for. It is empty: all that
// is shown comes from the program. All addresses in it are relative, so a path may be in front.

import type { AdminManifest } from './admin-files.ts'
import { FAVICON } from './favicon.ts'

/**
 * Scripts and style sheets run only with the nonce of this answer. 'self' would also name the files that users store on
 * this origin. A module passes its nonce on to the modules that it imports. Images come from this server, or as blob: of
 * types that hold no program. Trusted Types keep text from becoming markup. A form that no script handles is sent nowhere,
 * because its fields would end up in an address.
 */
export function adminPolicy(nonce: string): string {
  return (
    `default-src 'none'; script-src 'nonce-${nonce}'; style-src 'nonce-${nonce}'; img-src 'self' blob: data:; ` +
    "media-src 'self' blob:; font-src 'self'; connect-src 'self'; frame-src 'self' blob:; base-uri 'none'; " +
    "form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'"
  )
}

export interface AdminPage {
  readonly manifest: AdminManifest
  /** What stands in the address behind /admin: empty, or beginning with a slash. */
  readonly below: string
  /** The language that the client prefers, as far as it tells; the page may know better. */
  readonly language: string
  readonly nonce: string
}

export function adminPage({ manifest, below, language, nonce }: AdminPage): string {
  const assets = `${upTo(below)}assets/`
  const texts = manifest.languages[language]
  const modules = [...manifest.needed, ...(texts === undefined ? [] : [texts])]
  return `<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="style-nonce" nonce="${nonce}">
<meta name="robots" content="noindex">
<title>cms-server</title>
<link rel="icon" href="${FAVICON}">
<script nonce="${nonce}" src="${assets}${manifest.early}"></script>
<link nonce="${nonce}" rel="stylesheet" href="${assets}${manifest.style}">
${modules.map((name) => `<link nonce="${nonce}" rel="modulepreload" href="${assets}${name}">`).join('\n')}
<script nonce="${nonce}" type="module" src="${assets}${manifest.program}"></script>
</head>
<body>
<div id="app"></div>
<noscript><p class="alone">This page needs JavaScript. Without it, there is the command line: <code>cms-server --help</code>.</p></noscript>
</body>
</html>
`
}

/** From the address to /admin/. */
function upTo(below: string): string {
  const depth = below.split('/').length - 1
  return depth === 0 ? 'admin/' : '../'.repeat(depth - 1)
}
