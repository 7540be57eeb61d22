// Comments, documents and texts read as plain English: the rules are in prose.ts, the reasons in CONTRIBUTING.md.

import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import {
  commentSentences,
  documentSentences,
  faultsOf,
  MAX_PRONOUN_SHARE,
  pronounShare,
} from './prose.ts'

const ROOT = fileURLToPath(new URL('../../', import.meta.url))
const FOLDERS = ['lib', 'test', 'bench', 'docs', 'packaging', 'examples']
/** Reports keep the words in which they were written. */
const REPORTS: readonly string[] = ['bench/history/', 'test/rigs/history/']

const PATHS = [
  ...readdirSync(ROOT),
  ...FOLDERS.flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' }).map((path) =>
      join(folder, path),
    ),
  ),
]
  .filter((path) => /\.(?:tsx?|m?js|astro|md)$/.test(path) && !/node_modules|\.d\.ts$/.test(path))
  .filter((path) => !path.endsWith('.md') || !REPORTS.some((start) => path.startsWith(start)))

const REFUSED = [
  '// Of which nothing was read.',
  '// What a full cache takes in.',
  '// Written for who runs a server.',
  '/**\n * The cache is built.\n * As it was before.\n */',
  `// The log ${'and the cache '.repeat(14)}are read.`,
]

for (const comment of REFUSED) {
  test(`the comment ${JSON.stringify(comment.slice(0, 40))} is refused`, () => {
    const faults = commentSentences(comment).flatMap((sentence) => faultsOf(sentence, 'comment'))
    assert.equal(faults.length, 1)
  })
}

test('code, names and sentences with a subject are accepted', () => {
  const source =
    "const a = 'Of which'\n// Bytes already acknowledged.\n//   What   a table\nrun() // Of it.\n"
  const sentences = commentSentences(source)
  assert.deepEqual(sentences, [{ line: 2, text: 'Bytes already acknowledged.', isFirst: true }])
  assert.deepEqual(faultsOf(sentences[0] ?? assert.fail(), 'comment'), [])
  const [sentence, ...others] = documentSentences('# Of\n\n`a` is read.\n\n    What it is\n')
  assert.deepEqual([sentence?.text, others], ['Code is read.', []])
})

test('no sentence of a comment or a document is a fragment, a picture or too long', () => {
  const faults = PATHS.flatMap((path) => {
    const kind = path.endsWith('.md') ? 'document' : 'comment'
    const read = kind === 'document' ? documentSentences : commentSentences
    return read(readFileSync(join(ROOT, path), 'utf8')).flatMap((sentence) =>
      faultsOf(sentence, kind).map(
        (fault) => `${path}:${sentence.line}: ${fault}: ${sentence.text}`,
      ),
    )
  })
  assert.deepEqual(faults, [])
})

test('documents repeat nouns instead of using vague pronouns', () => {
  const shares = PATHS.filter((path) => path.endsWith('.md')).map((path) => {
    const share = pronounShare(documentSentences(readFileSync(join(ROOT, path), 'utf8')))
    return { path, share }
  })
  assert.deepEqual(
    shares.filter(({ share }) => share > MAX_PRONOUN_SHARE),
    [],
  )
})
