// Opens the gallery in place of the program of the area.

import { join } from 'node:path'
import { build } from 'esbuild'
import type { Browser } from 'playwright-core'
import { GENERATORS_DIRECTORY } from '../helpers/generators.ts'
import { type Visit, visit, type VisitOptions } from './area.ts'

const SOURCE = join(GENERATORS_DIRECTORY, '../admin/gallery/gallery.tsx')

let built: Promise<string> | undefined

async function buildGallery(): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [SOURCE],
    bundle: true,
    write: false,
    format: 'esm',
    jsx: 'automatic',
    jsxImportSource: 'preact',
    logLevel: 'warning',
  })
  return outputFiles[0]?.text ?? ''
}

export async function visitGallery(browser: Browser, options: VisitOptions): Promise<Visit> {
  built ??= buildGallery()
  const body = await built
  const visited = await visit(browser, options)
  await visited.context.route('**/admin/assets/main-*', (route) =>
    route.fulfill({ body, contentType: 'text/javascript' }),
  )
  return visited
}
