// Offers to publish the files that an upload has stored as drafts, at once or at a time.

import { useApi } from '../../client/client-context.ts'
import { useTexts } from '../../texts/use-texts.ts'
import { Button } from '../../ui/button.tsx'
import { useToast } from '../../ui/toast.tsx'
import { usePublishing } from './file-work.ts'
import { usePublishQuestion } from './publish-question.tsx'
import { type FileRecord, searchFiles } from './records.ts'
import { useScheduling } from './schedule-dialog.tsx'
import type { UploadItem } from './upload-item.ts'
import type { UploadQueue } from './upload-queue.ts'

/** Files of one request. */
const LENGTH = 200

interface UploadPublishProps {
  readonly queue: UploadQueue
  readonly items: readonly UploadItem[]
}

export function UploadPublish({ queue, items }: UploadPublishProps) {
  const { t, formats } = useTexts()
  const api = useApi()
  const toast = useToast()
  const publishing = usePublishing(() => queue.tell())
  const mayPublish = usePublishQuestion()
  const scheduling = useScheduling(() => queue.tell())
  const drafts = new Set(
    items.flatMap(({ target, state, isPublished }) => {
      const isDraft = target.mayPublish && !target.publishes && isPublished !== true
      return state.kind === 'done' && isDraft ? [state.fileId] : []
    }),
  )

  async function readDrafts(): Promise<readonly FileRecord[]> {
    const ids = [...drafts]
    const files: FileRecord[] = []
    for (let at = 0; at < ids.length; at += LENGTH) {
      const qry = { asset_file_id: { $in: ids.slice(at, at + LENGTH) } }
      const query = { qry, orderStr: 'asset_file_id', length: LENGTH }
      files.push(...(await searchFiles(api, query)).rows)
    }
    return files
  }

  async function publish(): Promise<void> {
    const files = await readDrafts()
    if (await mayPublish(files)) publishing.run(files)
  }

  async function schedule(): Promise<void> {
    scheduling.open(await readDrafts(), (grant) => grant === 'publish')
  }

  return (
    <>
      {publishing.view}
      {scheduling.view}
      {drafts.size > 0 && (
        <div class="upload-drafts">
          <p class="quiet">{t.upload.drafts}</p>
          <div class="upload-answers">
            <Button icon="clock" onPress={() => void schedule().catch(toast.problem)}>
              {t.schedule.instead}
            </Button>
            <Button icon="globe" onPress={() => void publish().catch(toast.problem)}>
              {formats.count(t.content.publishAll.action, drafts.size)}
            </Button>
          </div>
        </div>
      )}
    </>
  )
}
