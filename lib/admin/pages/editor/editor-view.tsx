// The editor page of an opened file: status and buttons, notices, the text, and the preview next to it.

import { useState } from 'preact/hooks'
import type { Grant } from '../../../shared/grants.ts'
import { useApi } from '../../client/client-context.ts'
import { useTexts } from '../../texts/use-texts.ts'
import { StatusBadge } from '../../ui/badge.tsx'
import { Button, ButtonLink } from '../../ui/button.tsx'
import { Page } from '../../ui/page.tsx'
import { SplitView } from '../../ui/split-view.tsx'
import { useToast } from '../../ui/toast.tsx'
import { useActions } from '../../ui/actions.tsx'
import { Breadcrumb } from '../content/breadcrumb.tsx'
import { mayView, mayViewStaged, useViewFile } from '../content/view-file.ts'
import { usePublishQuestion } from '../content/publish-question.tsx'
import { versionPath } from '../content/version-numbers.tsx'
import { CompareDialog } from './merge-frame.tsx'
import { ConflictView } from './conflict-view.tsx'
import { findDeadLinks } from './dead-links.ts'
import { NoteDialog } from './note-dialog.tsx'
import { EditorActions, EditorBar } from './editor-bar.tsx'
import { useEditorLayout } from './editor-layout.tsx'
import { EditorNotices, EditorStatus } from './editor-status.tsx'
import type { Opened } from './opened-file.ts'
import { mayBeOnSite, SitePreview } from './site-preview.tsx'
import { canPreview, Preview } from './preview.tsx'
import type { Want } from './file-text.ts'
import { TextPane } from './text-pane.tsx'
import { useOutcome } from './save-outcome.ts'
import { useEditing } from './use-editing.ts'

export interface EditorViewProps {
  readonly opened: Opened
  readonly grants: ReadonlySet<Grant>
  readonly userId: number
}

// oxlint-disable-next-line eslint/max-lines-per-function -- one page assembled from its parts
export function EditorView({ opened, grants, userId }: EditorViewProps) {
  const { t } = useTexts()
  const { line, parts } = opened
  const { editing, state, tab, isElsewhere, view } = useEditing({ opened, userId })
  const { record, conflict } = state
  const viewing = useViewFile()
  const tell = useOutcome(editing)
  const api = useApi()
  const mayPublish = usePublishQuestion()
  const [isComparing, setIsComparing] = useState(false)
  const [isNoting, setIsNoting] = useState(false)
  const [typed, setTyped] = useState(() => editing.text())
  const isOfSite = mayBeOnSite(line)
  const hasText = canPreview(parts.language, record)
  const hasPreview = hasText || isOfSite
  const [isOnSite, setIsOnSite] = useState(!hasText)
  const { layout, setLayout, isNarrow } = useEditorLayout(userId, hasPreview)
  const discard = useDiscard(editing, (text) => view.current?.setText(text))

  const save = async (want: Want, note?: string): Promise<void> => {
    if (isElsewhere) return
    const { parent_category_id: folderId } = record
    const asked = { language: parts.language, folderId, text: editing.text() }
    if (want === 'publish' && !(await mayPublish([record], () => findDeadLinks(api, asked)))) return
    const { record: before } = editing.state.get()
    tell(await editing.save(want, note), { want, before })
  }
  useActions([
    {
      id: 'save',
      text: t.editor.wants.save,
      icon: 'check',
      keys: 'mod+s',
      run: () => void save('save'),
    },
  ])

  const code = (
    <TextPane
      parts={parts}
      line={line}
      view={view}
      name={record.name}
      text={editing.text()}
      isReadOnly={isElsewhere}
      folderId={record.parent_category_id}
      onChange={(text) => {
        editing.type(text)
        setTyped(text)
      }}
    />
  )
  const toggle = hasText && isOfSite && (
    <Button icon="globe" kind="quiet" isPressed={isOnSite} onPress={() => setIsOnSite(!isOnSite)}>
      {t.editor.site.toggle}
    </Button>
  )
  const items = [
    {
      text: t.editor.wants.stage,
      icon: 'eye' as const,
      isShown: grants.has('stage'),
      onChoose: () => void save('stage'),
    },
    {
      text: t.editor.wants.publish,
      icon: 'globe' as const,
      isShown: grants.has('publish'),
      onChoose: () => void save('publish'),
    },
    {
      text: t.content.view,
      icon: 'external' as const,
      isShown: mayView(record),
      onChoose: () => viewing.view(record),
    },
    {
      text: t.content.viewStaged,
      icon: 'eye' as const,
      isShown: mayViewStaged(record, (grant) => grants.has(grant)),
      onChoose: () => viewing.viewStaged(record),
    },
    {
      text: t.editor.note.action,
      icon: 'text' as const,
      isShown: true,
      onChoose: () => setIsNoting(true),
    },
    {
      text: t.editor.compare,
      icon: 'history' as const,
      isShown: state.isDirty,
      onChoose: () => setIsComparing(true),
    },
    {
      text: t.editor.discard,
      icon: 'trash' as const,
      isShown: state.isDirty,
      onChoose: () => void discard(),
    },
  ].filter(({ isShown }) => isShown)
  const controls = {
    layout: hasPreview && conflict === undefined ? layout : undefined,
    onLayout: setLayout,
    isSaving: state.isSaving,
    onSave: isElsewhere || conflict !== undefined ? undefined : () => void save('save'),
    items,
  }

  return (
    <Page
      title={record.name}
      isWide
      head={isNarrow && <EditorBar {...controls} state={state} line={line} />}
      actions={<EditorActions {...controls} />}
    >
      {!isNarrow && (
        <div class="file-line">
          <Breadcrumb line={line} leaf={record.name} />
          <span class="editor-facts">
            <EditorStatus state={state} />
            <StatusBadge file={record} />
            <ButtonLink href={versionPath(record.asset_file_id)} icon="history">
              {t.file.versions}
            </ButtonLink>
          </span>
        </div>
      )}
      <EditorNotices
        state={state}
        isElsewhere={isElsewhere}
        latestVersion={opened.latest.record.version}
        onTake={() => {
          tab.take()
          // Loads the text that the other tab has stored.
          location.reload()
        }}
        onKeep={() => editing.keepFound()}
        onDiscard={() => void discard()}
        onCompare={() => setIsComparing(true)}
      />
      {conflict !== undefined && (
        <ConflictView
          key={conflict.now.record.version}
          conflict={conflict}
          parts={parts}
          saveText={t.editor.wants[conflict.want]}
          onSave={(text) =>
            void editing
              .settle(text)
              .then((outcome) =>
                tell(outcome, { want: conflict.want, before: conflict.now.record }),
              )
          }
          onDecide={(decided) => editing.decide(decided)}
          onLeave={() => editing.leaveConflict()}
        />
      )}
      <div class={conflict === undefined ? 'editor' : 'editor editor-behind'}>
        <SplitView
          name="editor"
          // The text stays, so that it keeps its history.
          shown={layout === 'beside' ? 'both' : layout === 'text' ? 'first' : 'second'}
          first={code}
          second={
            layout !== 'text' &&
            (isOnSite ? (
              <SitePreview fileId={record.asset_file_id}>{toggle}</SitePreview>
            ) : (
              <Preview file={record} line={line} parts={parts} text={typed}>
                {toggle}
              </Preview>
            ))
          }
        />
      </div>
      {isNoting && (
        <NoteDialog
          mayPublish={grants.has('publish')}
          onClose={() => setIsNoting(false)}
          onSave={(want, note) => void save(want, note)}
        />
      )}
      {isComparing && (
        <CompareDialog
          parts={parts}
          version={state.base.version}
          original={state.base.text}
          text={editing.text()}
          onClose={() => setIsComparing(false)}
        />
      )}
    </Page>
  )
}

function useDiscard(
  editing: ReturnType<typeof useEditing>['editing'],
  show: (text: string) => void,
) {
  const { t } = useTexts()
  const toast = useToast()
  return async (): Promise<void> => {
    try {
      const typed = await editing.discard()
      toast({
        text: t.editor.discarded,
        action: { text: t.general.undo, onPress: () => show(typed) },
      })
    } catch (error) {
      toast.problem(error)
    }
  }
}
