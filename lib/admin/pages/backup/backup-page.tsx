// Downloads a backup of the whole site, for users with every grant, and shows commands for regular backups.

import { useEffect, useRef, useState } from 'preact/hooks'
import { API } from '../../client/address.ts'
import type { Api } from '../../client/api.ts'
import { useApi } from '../../client/client-context.ts'
import { Problem } from '../../client/problem.ts'
import { canStream, openSavedFile, saveFrom, ticketFor } from '../../client/download.ts'
import { fill } from '../../texts/fill.ts'
import { useTexts } from '../../texts/use-texts.ts'
import { Button } from '../../ui/button.tsx'
import { CodeLine } from '../../ui/code-line.tsx'
import { Facts } from '../../ui/facts.tsx'
import { Notice, ProblemNotice } from '../../ui/notice.tsx'
import { Page, Section } from '../../ui/page.tsx'
import { Progress } from '../../ui/progress.tsx'
import { useLeaveWarning } from '../../ui/use-leave-warning.ts'

export function BackupPage() {
  const { t } = useTexts()
  const { contents } = t.backup
  return (
    <Page title={t.titles.backup} intro={t.backup.intro}>
      <Section title={t.backup.now}>
        <DownloadCard />
      </Section>
      <Section title={t.backup.whatIsIn}>
        <ul class="backup-contents">
          {[contents.files, contents.modules, contents.people, contents.trail, contents.moment].map(
            (text) => (
              <li key={text}>{text}</li>
            ),
          )}
        </ul>
        <Notice kind="info" title={t.backup.secret}>
          {t.backup.secretText}
        </Notice>
      </Section>
      <Section title={t.backup.regular}>
        <p>{t.backup.regularText}</p>
        <CodeLine
          text="cms-server backup /backup/tuesday --previous /backup/monday"
          label={t.backup.onMachine}
        />
        <p>{t.backup.elsewhere}</p>
        <CodeLine
          text={`curl -fOJ -H 'Authorization: Bearer KEY' ${API}/backup`}
          label={t.backup.fromElsewhere}
        />
        <h3>{t.backup.restore}</h3>
        <p>{t.backup.restoreText}</p>
        <CodeLine
          text="tar xf cms-backup-*.tar && cms-server restore cms-backup-* --data /var/lib/cms-server"
          label={t.backup.restore}
        />
      </Section>
    </Page>
  )
}

type State =
  | { readonly kind: 'ready' }
  | { readonly kind: 'running'; readonly bytes: number; readonly sinceMs: number }
  | { readonly kind: 'done'; readonly bytes: number }
  /** The browser continues the download by itself. */
  | { readonly kind: 'handed' }
  | { readonly kind: 'stopped' }
  | { readonly kind: 'failed'; readonly error: unknown }

function DownloadCard() {
  const { t, formats } = useTexts()
  const { state, start, stop } = useDownload()
  if (state.kind === 'running') return <Running {...state} onStop={stop} />
  return (
    <div class="backup-card card">
      {state.kind === 'done' && (
        <Notice kind="success">{fill(t.backup.done, { size: formats.bytes(state.bytes) })}</Notice>
      )}
      {state.kind === 'handed' && <Notice kind="success">{t.backup.handed}</Notice>}
      {state.kind === 'stopped' && <Notice kind="info">{t.backup.stopped}</Notice>}
      {state.kind === 'failed' && <Failure error={state.error} />}
      <p>{canStream() ? t.backup.toDisk : t.backup.byBrowser}</p>
      <div>
        <Button kind="primary" icon="archive" onPress={start}>
          {t.backup.download}
        </Button>
      </div>
    </div>
  )
}

function Failure({ error }: { readonly error: unknown }) {
  const { t } = useTexts()
  if (error instanceof Problem && error.facts.status === 503) {
    return (
      <Notice kind="danger" title={t.backup.busy}>
        {t.backup.busyText}
      </Notice>
    )
  }
  return <ProblemNotice error={error} />
}

interface RunningProps {
  readonly bytes: number
  readonly sinceMs: number
  readonly onStop: () => void
}

function Running({ bytes, sinceMs, onStop }: RunningProps) {
  const { t, formats, language } = useTexts()
  const seconds = Math.max((performance.now() - sinceMs) / 1_000, 0.001)
  const elapsed = new Intl.NumberFormat(language, { style: 'unit', unit: 'second' })
  const facts = [
    [t.backup.size, formats.bytes(bytes)],
    [t.backup.speed, `${formats.bytes(bytes / seconds)}/s`],
    [t.backup.elapsed, elapsed.format(Math.floor(seconds))],
  ] as const
  return (
    <div class="backup-card card">
      <Progress label={t.backup.running} />
      <Facts look="backup-facts" facts={facts} />
      <p class="quiet">{t.backup.stay}</p>
      <div>
        <Button onPress={onStop}>{t.general.cancel}</Button>
      </div>
    </div>
  )
}

const DRAWN_MS = 250

function useDownload() {
  const api = useApi()
  const [state, setState] = useState<State>({ kind: 'ready' })
  const stopping = useRef<AbortController>()
  useEffect(() => () => stopping.current?.abort(), [])
  useLeaveWarning(state.kind === 'running')

  async function start(): Promise<void> {
    const { signal } = (stopping.current = new AbortController())
    const sinceMs = performance.now()
    let bytes = 0
    const show = (): void => setState({ kind: 'running', bytes, sinceMs })
    // Chunks arrive faster than the display needs to update.
    const drawing = setInterval(show, DRAWN_MS)
    const onBytes = (count: number): void => {
      bytes = count
    }
    const found = await downloadBackup({ api, signal, onBytes })
      .then(stateAfter)
      .catch(
        (error: unknown): State =>
          signal.aborted ? { kind: 'stopped' } : { kind: 'failed', error },
      )
    clearInterval(drawing)
    setState(found)
  }
  return { state, start: () => void start(), stop: () => stopping.current?.abort() }
}

function stateAfter(outcome: number | 'handed' | undefined): State {
  if (outcome === 'handed') return { kind: 'handed' }
  return outcome === undefined ? { kind: 'ready' } : { kind: 'done', bytes: outcome }
}

interface Download {
  readonly api: Api
  readonly signal: AbortSignal
  readonly onBytes: (count: number) => void
}

/**
 * Streams the backup to disk where the browser supports it, or else starts a browser download from a signed URL.
 * Returns the number of bytes, 'handed' if the browser continues, or undefined if the user canceled.
 */
async function downloadBackup({
  api,
  signal,
  onBytes,
}: Download): Promise<number | 'handed' | undefined> {
  if (!canStream()) {
    saveFrom(await ticketFor(api, '/api/v2/backup'), nameOf(new Date()))
    return 'handed'
  }
  const file = await openSavedFile(nameOf(new Date()), 'application/x-tar')
  if (file === undefined) return undefined
  let count = 0
  try {
    const { data } = await api.GET('/backup', { signal, parseAs: 'stream' })
    if (data === null || data === undefined) throw new Error('The answer was empty.')
    const reader = data.getReader()
    for (;;) {
      const { done, value } = await reader.read()
      if (done) break
      await file.write(value)
      count += value.length
      onBytes(count)
    }
    await file.close()
    return count
  } catch (error) {
    await file.abort()
    throw error
  }
}

/** Matches the server's file name, which arrives only after the file dialog. */
function nameOf(now: Date): string {
  return `cms-backup-${now.toISOString().replaceAll(':', '-')}.tar`
}
