// The dialog that makes a folder public: everybody can read its published files without signing in.

import { dataOf } from '../../client/api.ts'
import { useApi, useClient, useMe } from '../../client/client-context.ts'
import { ROOT_FOLDER } from '../../client/me.ts'
import { fill } from '../../texts/fill.ts'
import { useTexts } from '../../texts/use-texts.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { Form } from '../../ui/form.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Select } from '../../ui/select.tsx'
import { useToast } from '../../ui/toast.tsx'
import { useForm } from '../../ui/use-form.ts'
import { type FolderRecord, grantsIn } from './records.ts'
import { websiteOf } from './view-file.ts'

/** As in the parent folder. */
const INHERITED = 'inherited'

const CHOICES = { [INHERITED]: null, yes: true, no: false } as const

type Choice = keyof typeof CHOICES

interface PublicFolderProps {
  /** From the topmost folder to this one. */
  readonly line: readonly FolderRecord[]
  readonly onClose: () => void
  readonly onDone: (folder: FolderRecord) => void
}

export function PublicFolder({ line, onClose, onDone }: PublicFolderProps) {
  const { t } = useTexts()
  const api = useApi()
  const grants = grantsIn(useMe(), line)
  const folder = line.at(-1) as FolderRecord
  const { asset_category_id: id, name } = folder
  const title = fill(t.publicAccess.titleOf, { name })
  const initial = choiceOf(folder)
  const isRoot = id === ROOT_FOLDER
  if (!grants.has('modify') || !grants.has('publish')) {
    return (
      <Dialog title={title} onClose={onClose}>
        <Effect line={line} choice={initial} />
        <p class="quiet">{t.publicAccess.missing}</p>
      </Dialog>
    )
  }
  return (
    <Dialog title={title} onClose={onClose}>
      <Form
        name={`folder-public-${id}`}
        initial={{ public: initial as string }}
        submit={t.general.save}
        onSubmit={async ({ public: choice }) => {
          const params = { path: { id } }
          const body = { public: CHOICES[choice as Choice] }
          const changed = choice !== initial && api.PATCH('/asset_category/{id}', { params, body })
          // Only a dry run has another answer.
          onDone(changed ? ((await dataOf(changed)) as FolderRecord) : folder)
        }}
      >
        <Select
          name="public"
          label={t.publicAccess.title}
          hint={t.publicAccess.hint}
          options={[
            ...(isRoot ? [] : [{ value: INHERITED, text: t.publicAccess.inherited }]),
            { value: 'yes', text: t.general.public },
            { value: 'no', text: t.publicAccess.no },
          ]}
        />
        <ChosenEffect line={line} />
      </Form>
    </Dialog>
  )
}

/** Says that a folder is public or not, with the way to its website. */
export function usePublicToast(): (folder: FolderRecord) => Promise<void> {
  const { t } = useTexts()
  const toast = useToast()
  const { session } = useClient()
  return async (folder) => {
    const { asset_category_id: id, is_public: isPublic, name } = folder
    // The folder may have become the root of a site.
    const me = await session.refresh().catch(() => undefined)
    const website = websiteOf(me?.site ?? [], folder)
    const text = isPublic ? fill(t.publicAccess.isPublic, { name }) : t.general.saved
    const onPress = (): void => void open(website, '_blank', 'noopener')
    const action = { text: t.publicAccess.view, onPress, isLasting: true }
    toast({ text, name: `public ${id}`, ...(website !== undefined && { action }) })
  }
}

/** The root folder has no parent, so that an unset value means that the folder is not public. */
function choiceOf({ asset_category_id: id, public: own }: FolderRecord): Choice {
  if (own === true) return 'yes'
  return own === null && id !== ROOT_FOLDER ? INHERITED : 'no'
}

interface EffectProps {
  readonly line: readonly FolderRecord[]
}

function ChosenEffect({ line }: EffectProps) {
  const { values } = useForm()
  return <Effect line={line} choice={values['public'] as Choice} />
}

/** Says what everybody can read after a choice, and since when. */
function Effect({ line, choice }: EffectProps & { readonly choice: Choice }) {
  const { t, formats } = useTexts()
  const folder = line.at(-1) as FolderRecord
  const isPublic = choice === INHERITED ? isPublicAbove(line) : CHOICES[choice]
  const source = line.findLast(({ public: own }) => own === true)
  const since = isPublic === true && folder.is_public ? source?.public_since : undefined
  const time = typeof since === 'string' ? formats.dateTime(new Date(since)) : undefined
  return (
    <Notice kind="info">
      {isPublic === undefined
        ? t.publicAccess.parentUnknown
        : t.publicAccess.folder[isPublic ? 'open' : 'closed']}
      {source !== undefined && time !== undefined && (
        <>
          {' '}
          {source === folder
            ? fill(t.publicAccess.since, { time })
            : fill(t.publicAccess.sinceAbove, { path: source.path, time })}
        </>
      )}
    </Notice>
  )
}

/** Undefined if the user cannot see the parent folder. */
function isPublicAbove(line: readonly FolderRecord[]): boolean | undefined {
  const [parent, folder] = [line.at(-2), line.at(-1)]
  if (parent !== undefined) return parent.is_public
  return folder?.public === null ? folder.is_public : undefined
}
