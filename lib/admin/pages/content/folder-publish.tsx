// The dialog that publishes all files below a folder. The server first reports how many files that changes.

import { dataOf } from '../../client/api.ts'
import { problemFrom } from '../../client/problem.ts'
import { useApi } from '../../client/client-context.ts'
import { fill } from '../../texts/fill.ts'
import { useTexts } from '../../texts/use-texts.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Form } from '../../ui/form.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Loading } from '../../ui/skeleton.tsx'
import { useProblemText } from '../../ui/use-problem-text.ts'
import { useRequest } from '../../ui/use-request.ts'
import { useToast } from '../../ui/toast.tsx'
import type { FolderRecord } from './records.ts'

interface PublishFolderProps {
  readonly folder: FolderRecord
  readonly onClose: () => void
  readonly onDone: () => void
}

export function PublishFolder({ folder, onClose, onDone }: PublishFolderProps) {
  const { t, formats } = useTexts()
  const toast = useToast()
  const problemText = useProblemText()
  const send = useFolderPublish(folder)
  const plan = useRequest(() => send({ dry_run: true }), [folder.asset_category_id])
  const counted = (count: number): string => formats.count(t.content.held.asset_file, count)

  async function publish(expect: number): Promise<void> {
    const { changed, failed_count: failedCount, failed } = await send({ expect })
    onDone()
    toast({ text: formats.count(t.content.published, changed), name: 'folder publish' })
    const [first] = failed
    if (first === undefined) return
    const { title } = problemText(problemFrom({ ...first.problem }, first.problem.status))
    toast({ text: `${formats.count(t.content.failed, failedCount)} ${title}`, isFault: true })
  }

  if (plan.data === undefined) {
    return (
      <Dialog title={t.content.publishAll.title} onClose={onClose}>
        <Loading {...plan} lines={2} />
      </Dialog>
    )
  }
  const { matched, changed, unchanged, failed_count: failedCount } = plan.data
  if (changed === 0) {
    return (
      <Dialog title={t.content.publishAll.title} onClose={onClose}>
        <p>{fill(t.content.publishAll.nothing, { name: folder.name })}</p>
        {failedCount > 0 && <Refused count={failedCount} />}
        <div class="dialog-actions">
          <Button onPress={onClose}>{t.general.close}</Button>
        </div>
      </Dialog>
    )
  }
  return (
    <Dialog title={t.content.publishAll.title} onClose={onClose}>
      <Form
        name={`publish-folder-${folder.asset_category_id}`}
        initial={{}}
        submit={formats.count(t.content.publishAll.action, changed)}
        isForgotten
        onSubmit={() => publish(matched)}
        onCancel={onClose}
      >
        <p>
          {fill(t.content.publishAll.text, { name: folder.name, changed: counted(changed) })}
          {unchanged > 0 &&
            ` ${fill(t.content.publishAll.unchanged, { unchanged: counted(unchanged) })}`}
        </p>
        {failedCount > 0 && <Refused count={failedCount} />}
      </Form>
    </Dialog>
  )
}

/** Files that the server will refuse, such as damaged ones. */
function Refused({ count }: { readonly count: number }) {
  const { t, formats } = useTexts()
  return <Notice kind="info">{formats.count(t.content.publishAll.refused, count)}</Notice>
}

function useFolderPublish({ asset_category_id: id }: FolderRecord) {
  const api = useApi()
  return (query: { readonly dry_run?: true; readonly expect?: number }) =>
    dataOf(api.POST('/asset_category/{id}/publish', { params: { path: { id }, query } }))
}
