// The pages that the type URLs of problems point to: plain HTML with inline styles. All URLs in them are relative, so the
// server can run below a base path.

import { createHash } from 'node:crypto'
import { type ErrorCode } from '../base/errors.ts'
import { PROBLEMS } from '../base/problem-table.ts'
import { COLORS, FAVICON } from './page-style.ts'

const STYLE = `${COLORS}
main{max-width:52rem;margin:0 auto;padding:1.5rem 1rem}
h1{font-size:1.75rem;line-height:1.25;margin:0 0 .75rem}
code{font-size:.95em}
.quiet{color:var(--quiet)}
table{border-collapse:collapse;width:100%}
th,td{text-align:left;vertical-align:top;padding:.35rem 1rem .35rem 0;border-bottom:1px solid var(--line);font-weight:400}
thead th{font-weight:600}
@media (max-width:40rem){tr{display:block;padding:.4rem 0;border-bottom:1px solid var(--line)}
thead{display:none}th,td{display:block;padding:0;border:0}}
`

const STYLE_HASH = createHash('sha256').update(STYLE).digest('base64')

/** Allows only this style and the data: URL of the icon. */
export const PROBLEM_POLICY =
  `default-src 'none'; style-src 'sha256-${STYLE_HASH}'; img-src data:; ` +
  "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

export function problemPage(code: ErrorCode): string {
  const { status, title, explanation } = PROBLEMS[code]
  const text = `<h1>${escape(title)}</h1>
<p class="quiet"><code>${code}</code>, status ${status}</p>
<p>${escape(explanation)}</p>
<p><a href="../problems">All problems</a></p>`
  return page({ title, top: '../', text })
}

export function problemListPage(): string {
  const rows = Object.entries(PROBLEMS).map(
    ([code, { status, title }]) =>
      `<tr><th scope="row"><a href="problems/${code}"><code>${code}</code></a></th><td>${escape(title)}</td><td class="quiet">${status}</td></tr>`,
  )
  const text = `<h1>Problems</h1>
<p>The values of <code>code</code> in the error responses of this server.</p>
<table>
<thead><tr><th scope="col">Code</th><th scope="col">Title</th><th scope="col">Status</th></tr></thead>
<tbody>
${rows.join('\n')}
</tbody>
</table>`
  return page({ title: 'Problems', top: '', text })
}

interface Parts {
  readonly title: string
  /** Relative path from the page to the root of the server. */
  readonly top: string
  readonly text: string
}

function page({ title, top, text }: Parts): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escape(title)} – cms-server</title>
<link rel="icon" href="${FAVICON}">
<style>${STYLE}</style>
</head>
<body>
<header class="top">
<nav aria-label="Interfaces"><a href="${top}public/api/system">System API</a>
<a href="${top}public/api/module">Module API</a></nav>
</header>
<main>
${text}
</main>
</body>
</html>
`
}

function escape(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}
