// Small faults that are inserted into a file, one at a time. Each fault replaces a piece of text;
// `operators.ts` defines the replacements. Types, imports and prose are not mutated: words need no
// test, and the compiler rejects wrong types.

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
  /** The line number, starting at 1. */
  readonly lineNumber: number
  /** The text of the line. The text and `change` identify the mutation, wherever the line moves. */
  readonly line: string
  /** For example `=== → !==`. */
  readonly change: string
}

const MAX_SHOWN_LENGTH = 100

/** Returns all mutations of a file in order, without duplicates. */
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

/** Returns the text of the file with the mutation. */
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
