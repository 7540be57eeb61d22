// Uploads in the dialog that chooses files: one file after the other, with progress. The upload ends with the dialog.

import { useEffect, useRef, useState } from 'preact/hooks'
import { useClient } from '../../client/client-context.ts'
import { fill } from '../../texts/fill.ts'
import { useTexts } from '../../texts/use-texts.ts'
import { Button } from '../../ui/button.tsx'
import { Notice, ProblemNotice } from '../../ui/notice.tsx'
import { Progress } from '../../ui/progress.tsx'
import { type Accept, isAccepted, isForImages } from './picked-files.ts'
import type { FileRecord } from './records.ts'
import { numberedNames, uploadOne } from './upload-one.ts'

interface UploadButtonProps {
  readonly accept: Accept
  readonly isMany: boolean
  readonly onFiles: (files: readonly File[]) => void
}

export function UploadButton({ accept, isMany, onFiles }: UploadButtonProps) {
  const { t } = useTexts()
  const input = useRef<HTMLInputElement>(null)
  return (
    <>
      <Button icon="upload" onPress={() => input.current?.click()}>
        {t.picking.upload}
      </Button>
      <input
        ref={input}
        type="file"
        hidden
        multiple={isMany}
        accept={accept?.join(',')}
        aria-label={t.picking.upload}
        onChange={({ currentTarget }) => {
          const files = [...(currentTarget.files ?? [])]
          // Allows choosing the same file again.
          currentTarget.value = ''
          onFiles(files)
        }}
      />
    </>
  )
}

export function usePickerUpload(accept: Accept, onDone: (file: FileRecord) => void) {
  const { t } = useTexts()
  const client = useClient()
  const gone = useRef<AbortController>()
  const [sent, setSent] = useState<{ readonly name: string; readonly ratio: number }>()
  const [error, setError] = useState<unknown>()
  const [refused, setRefused] = useState<string>()
  useEffect(() => () => gone.current?.abort(), [])

  /** The server finds the types that the browser does not know. */
  function fits({ type }: File): boolean {
    return isAccepted(accept, type) || (type === '' && !isForImages(accept))
  }

  async function start(files: readonly File[], folderId: number): Promise<void> {
    gone.current?.abort()
    setError(undefined)
    const [fitting, others] = [files.filter(fits), files.filter((file) => !fits(file))]
    setRefused(others[0]?.name)
    const controller = new AbortController()
    gone.current = controller
    const { signal } = controller
    try {
      for (const file of fitting) {
        const { name } = file
        const onSent = (bytes: number): void =>
          setSent({ name, ratio: Math.min(1, bytes / Math.max(1, file.size)) })
        onSent(0)
        onDone(
          await uploadOne(client, { file, names: numberedNames(name), folderId, signal, onSent }),
        )
      }
    } catch (thrown) {
      if (!signal.aborted) setError(thrown)
    } finally {
      if (!signal.aborted) setSent(undefined)
    }
  }

  const refusal = isForImages(accept) ? t.picking.notAPicture : t.picking.notAccepted
  const view = (
    <>
      {sent !== undefined && (
        <div class="picker-upload">
          <span class="cut">{fill(t.picking.uploading, { name: sent.name })}</span>
          <Progress label={fill(t.picking.uploading, { name: sent.name })} ratio={sent.ratio} />
        </div>
      )}
      {refused !== undefined && (
        <Notice kind="danger">
          {fill(refusal, { name: refused, types: accept?.join(', ') ?? '' })}
        </Notice>
      )}
      {error !== undefined && <ProblemNotice error={error} />}
    </>
  )
  return { start, fail: setError, view }
}
