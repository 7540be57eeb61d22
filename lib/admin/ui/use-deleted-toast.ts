// Says that a record was deleted, and offers to undo it if the record is in the trash.
//
//   const deleted = useDeletedToast()
//   void deleted({ text, record: { object: 'datatable', id }, onRestored: () => route(…) })

import { useApi } from '../client/client-context.ts'
import { type DeletedRecord, findDeleted, restoreItem } from '../client/deleted-records.ts'
import { useTexts } from '../texts/use-texts.ts'
import { useToast } from './toast.tsx'

interface Deleted {
  readonly text: string
  readonly record: DeletedRecord
  readonly onRestored: () => void
}

export function useDeletedToast() {
  const { t } = useTexts()
  const api = useApi()
  const toast = useToast()

  async function undo(itemId: number, onRestored: () => void): Promise<void> {
    try {
      await restoreItem(api, itemId)
      toast({ text: t.general.restored })
      onRestored()
    } catch (error) {
      toast.problem(error)
    }
  }

  return async ({ text, record, onRestored }: Deleted): Promise<void> => {
    const itemId = await findDeleted(api, record).catch(() => undefined)
    const onPress = (): void => {
      if (itemId !== undefined) void undo(itemId, onRestored)
    }
    toast({ text, ...(itemId !== undefined && { action: { text: t.general.undo, onPress } }) })
  }
}
