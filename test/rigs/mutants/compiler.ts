// What the compiler knows of a project: the tree of a file, and whether it would take another text for it. A check
// takes some 15 ms, since only what changed is looked at again. The API of TypeScript 7 is called unstable; its version
// is fixed in package.json.

import { join } from 'node:path'
import { transformSync } from 'esbuild'
import type { SourceFile } from 'typescript/unstable/ast'
import { API } from 'typescript/unstable/sync'

/** A file of the project with another text than on disk. */
export interface Draft {
  /** As `lib/auth/guard.ts`. */
  readonly file: string
  readonly text: string
}

export interface Compiler {
  read(file: string): SourceFile
  /** Whether the types, or the grammar, forbid this text. Other files are not looked at. */
  refuses(draft: Draft): boolean
  close(): void
}

/** Opens the project whose tsconfig.json lies in this directory. */
export function openCompiler(root: string): Compiler {
  const drafts = new Map<string, string>()
  const api = new API({ cwd: root, fs: { readFile: (path) => drafts.get(path) } })
  let snapshot = api.updateSnapshot({ openProjects: [join(root, 'tsconfig.json')] })

  function program() {
    const [project] = snapshot.getProjects()
    if (project === undefined) throw new Error('There is no tsconfig.json.')
    return project.program
  }

  /** Only this draft is seen from now on. */
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

/** The script that Node runs for a text in TypeScript, as tsc would make it but for spaces. */
export function buildScript(text: string): string {
  const { code } = transformSync(text, {
    loader: 'ts',
    format: 'esm',
    target: 'es2023',
    tsconfigRaw: { compilerOptions: { verbatimModuleSyntax: true } },
  })
  return code.replaceAll(/(\bfrom |\bimport ?\(?)"(\.[^"]*)\.ts"/g, '$1"$2.js"')
}
