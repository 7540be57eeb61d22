// The small faults that are put into a file, one at a time. Each is a piece of text that takes the place of another;
// `operators.ts` says which. What a type, an import or prose holds is left alone: nobody asks for
// a test of words, and what the compiler refuses needs none.

import type { Node, SourceFile } from 'typescript/unstable/ast'
import {
  isExportDeclaration,
  isImportDeclaration,
  isInterfaceDeclaration,
  isTypeAliasDeclaration,
  isTypeNode,
} from 'typescript/unstable/ast/is'
import { replacementsOf } from './operators.ts'

export interface Mutation {
  readonly file: string
  readonly start: number
  readonly end: number
  readonly replacement: string
  /** From 1. */
  readonly lineNumber: number
  /** The text of that line. Together with `change` it names the mutation, wherever the line moves. */
  readonly line: string
  /** As `=== → !==`. */
  readonly change: string
}

const MAX_SHOWN_LENGTH = 100

/** All mutations of a file, by place; none twice. */
export function findMutations(file: string, source: SourceFile): readonly Mutation[] {
  const found = new Map<string, Mutation>()
  visit(source)
  return [...found.values()].toSorted((left, right) => left.start - right.start)

  function visit(node: Node): void {
    if (isOutside(node)) return
    for (const replacement of replacementsOf(node, source)) {
      const mutation = buildMutation({ file, source, ...replacement })
      const { start, end } = mutation
      found.set(`${start} ${end} ${mutation.replacement}`, mutation)
    }
    node.forEachChild((child) => {
      visit(child)
    })
  }
}

/** The text of the file with the mutation in it. */
export function mutate(text: string, { start, end, replacement }: Mutation): string {
  return `${text.slice(0, start)}${replacement}${text.slice(end)}`
}

function isOutside(node: Node): boolean {
  return (
    isTypeNode(node) ||
    isImportDeclaration(node) ||
    isExportDeclaration(node) ||
    isInterfaceDeclaration(node) ||
    isTypeAliasDeclaration(node)
  )
}

interface Place {
  readonly file: string
  readonly source: SourceFile
  readonly start: number
  readonly end: number
  readonly text: string
}

function buildMutation({ file, source, start, end, text }: Place): Mutation {
  const before = source.text.slice(0, start)
  const lineStart = before.lastIndexOf('\n') + 1
  const lineEnd = source.text.indexOf('\n', start)
  return {
    file,
    start,
    end,
    replacement: text,
    lineNumber: before.split('\n').length,
    line: source.text.slice(lineStart, lineEnd === -1 ? undefined : lineEnd).trim(),
    change: `${show(source.text.slice(start, end))} → ${show(text)}`,
  }
}

function show(text: string): string {
  const squeezed = text.replaceAll(/\s+/g, ' ').trim()
  if (squeezed === '') return 'nothing'
  return squeezed.length > MAX_SHOWN_LENGTH ? `${squeezed.slice(0, MAX_SHOWN_LENGTH)}…` : squeezed
}
