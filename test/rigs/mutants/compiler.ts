// The compiler's view of a project: the syntax tree of a file, and whether the compiler accepts a
// changed text. A check takes about 15 ms, because only changed files are checked again. The API of
// TypeScript 7 is unstable, so package.json pins its version.

import { join } from 'node:path'
import { transformSync } from 'esbuild'
import type { SourceFile } from 'typescript/unstable/ast'
import { API } from 'typescript/unstable/sync'

/** A file of the project with a text that differs from the disk. */
export interface Draft {
  /** For example `lib/auth/guard.ts`. */
  readonly file: string
  readonly text: string
}

export interface Compiler {
  read(file: string): SourceFile
  /** Whether the types or the grammar reject the text; other files are not checked. */
  refuses(draft: Draft): boolean
  close(): void
}

/** Opens the project of the tsconfig.json in this directory. */
export function openCompiler(root: string): Compiler {
  const drafts = new Map<string, string>()
  const api = new API({ cwd: root, fs: { readFile: (path) => drafts.get(path) } })
  let snapshot = api.updateSnapshot({ openProjects: [join(root, 'tsconfig.json')] })

  function program() {
    const [project] = snapshot.getProjects()
    if (project === undefined) throw new Error('There is no tsconfig.json.')
    return project.program
  }

  /** Makes this draft the only one that the compiler sees. */
  function see(draft?: Draft): void {
    const changed = [...drafts.keys()]
    drafts.clear()
    if (draft !== undefined) {
      drafts.set(join(root, draft.file), draft.text)
      changed.push(join(root, draft.file))
    }
    const before = snapshot
    snapshot = api.updateSnapshot({ fileChanges: { changed } })
    before.dispose()
  }

  return {
    read(file) {
      see()
      const source = program().getSourceFile(join(root, file))
      if (source === undefined) throw new Error(`The project has no ${file}.`)
      return source
    },

    refuses(draft) {
      see(draft)
      const path = join(root, draft.file)
      return (
        program().getSyntacticDiagnostics(path).length > 0 ||
        program().getSemanticDiagnostics(path).length > 0
      )
    },

    close: () => api.close(),
  }
}

/** Compiles TypeScript as tsc does, except for white space. */
export function buildScript(text: string): string {
  const { code } = transformSync(text, {
    loader: 'ts',
    format: 'esm',
    target: 'es2023',
    tsconfigRaw: { compilerOptions: { verbatimModuleSyntax: true } },
  })
  return code.replaceAll(/(\bfrom |\bimport ?\(?)"(\.[^"]*)\.ts"/g, '$1"$2.js"')
}
