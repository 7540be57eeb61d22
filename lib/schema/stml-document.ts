// The HTML document of a page of type stml: the rendered body with the paths of linked files, and a head.

import { hash } from 'node:crypto'
import type { StmlTemplate } from './stml-output.ts'

export const RENDERED_TYPE = 'text/html; charset=utf-8'

export interface StmlDocument {
  readonly bytes: Uint8Array
  /** Changes whenever the bytes change; 64 hexadecimal digits. */
  readonly digest: string
}

interface DocumentParts {
  readonly title: string | null
  /** The name of the file, which is the title of a page without a title. */
  readonly name: string
  /** The path of each link, percent-encoded; undefined if the site does not show the file. */
  readonly paths: readonly (string | undefined)[]
}

export function documentOf(
  { bytes, sha256, links }: StmlTemplate,
  { title, name, paths }: DocumentParts,
): StmlDocument {
  const head = headOf(title === null || title.trim() === '' ? name : title)
  const parts: Uint8Array[] = [Buffer.from(head)]
  let last = 0
  for (const [index, { at }] of links.entries()) {
    parts.push(bytes.subarray(last, at), Buffer.from(safePath(paths[index])))
    last = at
  }
  parts.push(bytes.subarray(last), Buffer.from(FOOT))
  const made = JSON.stringify([head, sha256, paths.map(safePath), FOOT])
  return { bytes: Buffer.concat(parts), digest: hash('sha256', made) }
}

/** Without the characters that end a quoted value or a CSS address. */
function safePath(path = ''): string {
  return path.replaceAll(/['()]/g, (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`)
}

function headOf(title: string): string {
  const text = title.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
  return `<!DOCTYPE html>
<html>
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${text}</title>
</head>
<body>
`
}

const FOOT = '\n</body>\n</html>\n'
