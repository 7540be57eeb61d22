// The field pageContent of asset_file: the text of a file, which is a content of its own and not a part of the record.

import { type Checked, refuse, text } from './field.ts'

const PAGE = text('optional', {
  description:
    'Text of the latest version, stored unchanged; for a key with only the view grant, the text of the live version. ' +
    'Null if the file is not text, or exceeds 16 MiB (17 MiB as JSON). Returned by a single read, and in lists if fields names it. ' +
    'Rejected with 422 for types that are not text (pdf, png, docx …): send bytes through POST /upload, or a text type together with the text. ' +
    'A file created without pageContent is empty; a file of type stml then contains <div id="dd.0"></div>.',
  isStored: false,
  isClearable: false,
})

/** Rejects null, because ignoring it would report a save that did not happen. */
function checkPage(value: unknown): Checked<string> {
  if (value !== null) return PAGE.check(value)
  return refuse('must be a string: send "" for an empty text, or omit the field to keep the text')
}

export const PAGE_CONTENT = { ...PAGE, check: checkPage }
