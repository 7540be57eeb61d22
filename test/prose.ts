// Measures the English of comments and documents by the rules of CONTRIBUTING.md ("Language"): where a sentence begins
// with a fragment, uses a phrase that readers stumble over, or is too long to be read once.

import MarkdownIt from 'markdown-it'

export interface Sentence {
  readonly line: number
  readonly text: string
  /** The first sentence of a comment or of a paragraph. */
  readonly isFirst: boolean
}

/** A comment that opens with one of these never reaches a verb, or names no subject. */
const FRAGMENT =
  /^(?:Of|By (?:which|whom|what)|As (?:it|they|he|one|a text|what)\b|Those|That (?:of|which|what)\b|For (?:who|whom|what)\b|From (?:what|where|whom|which)\b|To (?:what|where|who|whom|which)\b|(?:In|On|At|With|Under|Behind|Above|Below) (?:which|what|whom)\b|Up to (?:where|which|when)\b|Such\b|So many\b|None of\b|But for\b|Nor\b|Be it\b)(?![\w-])/
/** A comment that opens with a question word is also a fragment: "What a full cache takes in". */
const QUESTION = /^(?:What|Who|Whom|Whose|Whoever|Whatever|Which|Where to|Wherever)\b(?![^.]*\?)/

const PHRASES: readonly (readonly [RegExp, string])[] = [
  [/\b(?:for|to|of|by|with|from|and|but|than) who\b/i, '"who" needs a noun: "callers who …"'],
  [/\bwho(?:so)?ever\b/i, 'name the person'],
  [/\b(?:anew|likewise|hitherto|thereof|therein|whereof|wherein|hereby)\b/i, 'use a plain word'],
  [/\bbe it\b/i, 'write "whether"'],
  [/\bsuch as (?:are|is|has|have)\b/i, 'name the thing'],
  [/\bwhat there (?:is|was|are) of\b/i, 'name the thing'],
  [/\ball the same\b/i, 'write "still" or "equally"'],
  [/\bonce more\b/i, 'write "again"'],
  [/\bas well[.;:]/i, 'write "also"'],
  [/\b(?:is|are|was|were|be) gone on with\b/i, 'write "resumed"'],
  [/\b(?:goes|go|going|went) on with\b/i, 'write "resume" or "continue"'],
  [
    /\b(?:is|are|be|was|were) (?:let in|put right|looked after|waited upon)\b/i,
    'use the standard verb',
  ],
  [/\b(?:lets?|letting) (?:\w+ )?in\b(?! which)/i, 'write "admit" or "authenticate"'],
  [/\b(?:has|have|had) a turn\b/i, 'use the standard term'],
  [/, neither\b\.|, too, (?:to|of|for|where|when|that)\b/i, 'reorder the sentence'],
  [/\bthat there (?:is|are)\b/i, 'write "existing"'],
  [/\b(?:tells?|told|telling) of\b/i, 'write "report" or "describe"'],
  [/\bBoth are not\b/, 'write "neither" or say what differs'],
]

const MAX_WORDS = { comment: 40, document: 40 } as const
const PRONOUNS = new Set(['it', 'that', 'those', 'one', 'such', 'them', 'others', 'who'])
export const MAX_PRONOUN_SHARE = 0.04

const COMMENT_LINE = /^\s*(?:\/\/|\/\*\*?)(.*?)(\*\/)?$/
const INSIDE_BLOCK = /^\s*(?:\*(?!\/))?(.*?)(\*\/)?$/

const SENTENCES = new Intl.Segmenter('en', { granularity: 'sentence' })

/** Replacements for parts of a sentence that are not text. */
const STAND_INS: Readonly<Record<string, string>> = { softbreak: ' ', code_inline: 'Code' }

/** Sentences of the comments that stand on lines of their own. Indented tables and examples are left out. */
export function commentSentences(source: string): readonly Sentence[] {
  const found: Sentence[] = []
  let block: { line: number; text: string }[] = []
  const close = (): void => {
    found.push(...sentencesOf(block))
    block = []
  }
  let isInside = false
  for (const [at, raw] of source.split('\n').entries()) {
    const pattern: RegExp = isInside ? INSIDE_BLOCK : COMMENT_LINE
    const comment: RegExpExecArray | null = pattern.exec(raw)
    if (comment === null) close()
    else {
      const isBlock: boolean = isInside || /^\s*\/\*/.test(raw)
      const text = comment[1] ?? ''
      isInside = isBlock && comment[2] === undefined
      if (isProse(text)) block.push({ line: at + 1, text: text.trim() })
      else close()
      if (isBlock && !isInside) close()
    }
  }
  close()
  return found
}

/** Sentences of paragraphs, list items and cells of a Markdown document, without code. */
export function documentSentences(markdown: string): readonly Sentence[] {
  const tokens = new MarkdownIt().parse(markdown, {})
  let line = 0
  return tokens.flatMap((token, at) => {
    line = token.map?.[0] ?? line
    const opener = tokens[at - 1]?.type
    if (token.type !== 'inline' || opener === 'heading_open') return []
    const text = (token.children ?? [])
      .map(({ type, content }) => (type === 'text' ? content : (STAND_INS[type] ?? '')))
      .join('')
    return sentencesOf([{ line: line + 1, text }])
  })
}

/** The faults of a sentence; empty if there are none. */
export function faultsOf(
  { text, isFirst }: Sentence,
  kind: keyof typeof MAX_WORDS,
): readonly string[] {
  const faults = PHRASES.filter(([pattern]) => pattern.test(text)).map(([, advice]) => advice)
  if (FRAGMENT.test(text)) faults.push('begins with a fragment')
  if (kind === 'comment' && isFirst && QUESTION.test(text))
    faults.push('begins with a question word')
  const words = wordsOf(text).length
  if (words > MAX_WORDS[kind]) faults.push(`has ${words} words; split the sentence`)
  return faults
}

/** The share of pronouns that can mean two things. */
export function pronounShare(sentences: readonly Sentence[]): number {
  const words = sentences.flatMap(({ text }) => wordsOf(text))
  return words.filter((word) => PRONOUNS.has(word.toLowerCase())).length / Math.max(1, words.length)
}

function wordsOf(text: string): readonly string[] {
  return text.match(/[\p{L}\d][\p{L}\d'’-]*/gu) ?? []
}

function isProse(text: string): boolean {
  return text.trim() !== '' && !/^\s{3,}|^\s*[-*|+@`]|^\s*(?:oxlint|biome|v8|c8|@)/.test(text)
}

function sentencesOf(
  lines: readonly { readonly line: number; readonly text: string }[],
): readonly Sentence[] {
  const text = lines.map((line) => line.text).join(' ')
  return [...SENTENCES.segment(text)].map(({ segment, index }, at) => ({
    line: lineAt(lines, index),
    text: segment.trim(),
    isFirst: at === 0,
  }))
}

function lineAt(
  lines: readonly { readonly line: number; readonly text: string }[],
  index: number,
): number {
  let left = index
  for (const { line, text } of lines) {
    if (left <= text.length) return line
    left -= text.length + 1
  }
  return lines.at(-1)?.line ?? 0
}
