// Deletes a datatable, after showing how many entries are affected.

import { dataOf } from '../../client/api.ts'
import { useApi } from '../../client/client-context.ts'
import { fill } from '../../texts/fill.ts'
import { useTexts } from '../../texts/use-texts.ts'
import { Button } from '../../ui/button.tsx'
import { Checkbox } from '../../ui/checkbox.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Form, InvalidFields } from '../../ui/form.tsx'
import { ProblemNotice } from '../../ui/notice.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { useRequest } from '../../ui/use-request.ts'
import { readTable } from './table.ts'

export interface DeleteTableProps {
  readonly id: number
  readonly onDeleted: (name: string) => void
  readonly onClose: () => void
}

export function DeleteTable({ id, onDeleted, onClose }: DeleteTableProps) {
  const { t, formats } = useTexts()
  const api = useApi()
  const { data, error, reload } = useRequest((signal) => readTable(api, id, signal), [id])
  const record = data?.record
  const entries = record?.entry_count ?? 0

  async function remove({ sure }: { readonly sure: boolean }): Promise<void> {
    if (entries > 0 && !sure) throw new InvalidFields({ sure: t.data.deleteSureNeeded })
    const params = { path: { id }, header: { 'If-Match': data?.etag ?? '' } }
    await dataOf(api.DELETE('/datatable/{id}', { params }))
    onDeleted(record?.name ?? '')
  }

  return (
    <Dialog title={t.data.deleteTitle} onClose={onClose}>
      {error !== undefined && <ProblemNotice error={error} onRetry={reload} />}
      {record === undefined && error === undefined && <Skeleton lines={2} />}
      {record !== undefined && (
        <>
          <p>
            <bdi>{fill(t.data.deleteText, { name: record.name })}</bdi>
          </p>
          <p>
            <code class="delete-address">{record.module_url}</code>
          </p>
          <Form
            name="delete-table"
            isForgotten
            initial={{ sure: false }}
            submit={t.data.deleteSubmit}
            isDangerous
            onSubmit={remove}
            actions={<Button onPress={onClose}>{t.general.cancel}</Button>}
          >
            {entries > 0 && (
              <Checkbox
                name="sure"
                label={formats.count(t.data.deleteEntries, entries)}
                hint={t.data.deleteHint}
              />
            )}
          </Form>
        </>
      )}
    </Dialog>
  )
}
