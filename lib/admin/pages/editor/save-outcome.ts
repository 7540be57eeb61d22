// Shows the outcome of a save, with buttons that show the live page and undo the publish.

import { tellSiteChange } from '../../client/site-changes.ts'
import { fill } from '../../texts/fill.ts'
import { useTexts } from '../../texts/use-texts.ts'
import { useToast } from '../../ui/toast.tsx'
import { subjectOf, usePublicationToast } from '../content/publication.ts'
import type { FileRecord } from '../content/records.ts'
import type { Outcome } from './editing.ts'
import type { Want } from './file-text.ts'
import type { useEditing } from './use-editing.ts'

interface Saved {
  readonly want: Want
  /** The file before the save. */
  readonly before: FileRecord
}

export function useOutcome(editing: ReturnType<typeof useEditing>['editing']) {
  const { t, formats } = useTexts()
  const toast = useToast()
  const tellPublication = usePublicationToast()
  return (outcome: Outcome, { want, before }: Saved): void => {
    const { record: after, base } = editing.state.get()
    const values = { version: formats.number(after.version) }
    const name = subjectOf(before.asset_file_id)
    if (outcome === 'saved' || outcome === 'merged') tellSiteChange()
    if (outcome === 'saved') {
      const text = fill(t.editor.done[want], values)
      if (want === 'save') return toast({ text, name })
      const { etag } = base
      const onUndone = (record: FileRecord, next: string): void => {
        editing.setRecord(record, next)
        tellSiteChange()
      }
      tellPublication({ text, before, after, etag, onUndone })
    }
    if (outcome === 'merged') toast({ text: fill(t.editor.merged, values), name })
    if (outcome === 'merged-unsaved') toast({ text: t.editor.mergedUnsaved, name })
    if (outcome === 'unchanged') toast({ text: t.editor.unchanged, name })
  }
}
