// The dialog with the rule of a folder for old versions. The server reports what a rule removes before the rule is saved.

import { MAX_KEPT_DAYS, MAX_KEPT_VERSIONS } from '../../../shared/limits.ts'
import { dataOf } from '../../client/api.ts'
import { useApi } from '../../client/client-context.ts'
import { ROOT_FOLDER } from '../../client/me.ts'
import { fill } from '../../texts/fill.ts'
import { useTexts } from '../../texts/use-texts.ts'
import { useConfirm } from '../../ui/confirm.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Form, InvalidFields } from '../../ui/form.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Select } from '../../ui/select.tsx'
import { TextInput } from '../../ui/text-input.tsx'
import { type FormValues, useForm } from '../../ui/use-form.ts'
import type { FolderRecord } from './records.ts'

interface FolderVersionsProps {
  /** From the topmost folder to this one. */
  readonly line: readonly FolderRecord[]
  readonly onClose: () => void
  readonly onDone: () => void
}

type Rule = { readonly latest: number; readonly days: number } | { readonly all: true }

const LIMITS = {
  latest: { least: 1, most: MAX_KEPT_VERSIONS },
  days: { least: 0, most: MAX_KEPT_DAYS },
} as const

type NumberName = keyof typeof LIMITS

export function FolderVersions({ line, onClose, onDone }: FolderVersionsProps) {
  const { t, formats } = useTexts()
  const api = useApi()
  const confirmed = useConfirmedRule()
  const folder = line.at(-1) as FolderRecord
  const { asset_category_id: id, name } = folder
  const initial = valuesOf(folder)
  const isRoot = id === ROOT_FOLDER
  const rangeOf = (field: NumberName) => ({
    least: formats.number(LIMITS[field].least),
    most: formats.number(LIMITS[field].most),
  })

  async function save(values: Values): Promise<void> {
    const wrong = values.keep === 'rule' ? wrongIn(values) : []
    if (wrong.length > 0) {
      const faultOf = (field: NumberName) => fill(t.content.keep.notInRange, rangeOf(field))
      throw new InvalidFields(Object.fromEntries(wrong.map((field) => [field, faultOf(field)])))
    }
    const own = ownRule(values)
    if (JSON.stringify(own) === JSON.stringify(ownRule(initial))) return onDone()
    const next = own ?? ruleAbove(line)
    if (next !== undefined && 'latest' in next && !(await confirmed(id, next)))
      throw new InvalidFields({})
    const body = { keep_versions: own }
    await dataOf(api.PATCH('/asset_category/{id}', { params: { path: { id } }, body }))
    onDone()
  }

  return (
    <Dialog title={fill(t.content.keep.titleOf, { name })} onClose={onClose}>
      <Form
        name={`folder-versions-${id}`}
        initial={initial}
        submit={t.general.save}
        pointers={{ '/keep_versions': 'keep' }}
        onSubmit={save}
      >
        <Select
          name="keep"
          label={t.content.keep.choice}
          hint={t.content.keep.hint}
          options={[
            ...(isRoot ? [] : [{ value: 'inherited', text: t.content.keep.inherited }]),
            { value: 'all', text: t.content.keep.all },
            { value: 'rule', text: t.content.keep.rule },
          ]}
        />
        <NumberFields rangeOf={rangeOf} />
        <Effect line={line} />
      </Form>
    </Dialog>
  )
}

interface NumberFieldsProps {
  readonly rangeOf: (field: NumberName) => { readonly least: string; readonly most: string }
}

function NumberFields({ rangeOf }: NumberFieldsProps) {
  const { t } = useTexts()
  const { values } = useForm()
  if (values['keep'] !== 'rule') return null
  const { latest, latestHint, days, daysHint } = t.content.keep
  return (
    <>
      <TextInput
        name="latest"
        label={latest}
        hint={fill(latestHint, rangeOf('latest'))}
        inputMode="numeric"
        isRequired
      />
      <TextInput
        name="days"
        label={days}
        hint={fill(daysHint, rangeOf('days'))}
        inputMode="numeric"
        isRequired
      />
    </>
  )
}

/** Says which versions stay after the choice. */
function Effect({ line }: Pick<FolderVersionsProps, 'line'>) {
  const { t, formats } = useTexts()
  const values = useForm().values as Values
  if (values.keep === 'rule' && wrongIn(values).length > 0) return null
  const rule = ownRule(values) ?? ruleAbove(line)
  const { parentUnknown, keepsAll, keepsSome } = t.content.keep
  if (rule === undefined) return <Notice kind="info">{parentUnknown}</Notice>
  if ('all' in rule) return <Notice kind="info">{keepsAll}</Notice>
  const numbers = { latest: formats.number(rule.latest), days: formats.number(rule.days) }
  return <Notice kind="info">{fill(keepsSome, numbers)}</Notice>
}

/** Asks the user with the report of the server, which reads at most a bounded number of versions. */
function useConfirmedRule(): (id: number, rule: Rule) => Promise<boolean> {
  const { t, formats } = useTexts()
  const api = useApi()
  const confirm = useConfirm()
  return async (id, rule) => {
    const params = { path: { id }, query: { dry_run: true } }
    const body = { keep_versions: rule }
    const answer = await dataOf(api.PATCH('/asset_category/{id}', { params, body }))
    // With dry_run, the response is a plan.
    const { plan } = answer as Extract<typeof answer, { readonly plan: unknown }>
    const { keep } = t.content
    const facts = {
      versions: formats.count(keep.versions, plan.versions),
      files: formats.count(keep.files, plan.files),
      size: formats.bytes(plan.size),
    }
    const isNone = plan.versions === 0 && plan.is_complete
    const counted = fill(plan.is_complete ? keep.report : keep.reportLeast, facts)
    return confirm({
      title: keep.confirm,
      text: isNone ? keep.reportNone : counted,
      action: keep.rule,
      isDangerous: true,
    })
  }
}

interface Values extends FormValues {
  readonly keep: string
  readonly latest: string
  readonly days: string
}

/** The root folder has no parent folder: without a rule, all versions stay. */
function valuesOf({ asset_category_id: id, keep_versions: stored }: FolderRecord): Values {
  const rule = ruleOf(stored)
  if (rule !== undefined && 'latest' in rule)
    return { keep: 'rule', latest: String(rule.latest), days: String(rule.days) }
  const keep = rule === undefined && id !== ROOT_FOLDER ? 'inherited' : 'all'
  return { keep, latest: '10', days: '30' }
}

function wrongIn(values: Values): readonly NumberName[] {
  return (['latest', 'days'] as const).filter((field) => {
    const { least, most } = LIMITS[field]
    const typed = values[field].trim()
    return !/^\d{1,9}$/.test(typed) || Number(typed) < least || Number(typed) > most
  })
}

/** Null for the rule of the parent folder. */
function ownRule({ keep, latest, days }: Values): Rule | null {
  if (keep === 'inherited') return null
  return keep === 'all' ? { all: true } : { latest: Number(latest), days: Number(days) }
}

function ruleOf(stored: FolderRecord['keep_versions']): Rule | undefined {
  if (stored === null) return undefined
  const { latest, days } = stored
  return typeof latest === 'number' && typeof days === 'number' ? { latest, days } : { all: true }
}

/** The rule of the nearest folder above; undefined if the user cannot see that folder. */
function ruleAbove(line: readonly FolderRecord[]): Rule | undefined {
  const nearest = line.slice(0, -1).findLast(({ keep_versions: stored }) => stored !== null)
  if (nearest !== undefined) return ruleOf(nearest.keep_versions)
  return line[0]?.asset_category_id === ROOT_FOLDER ? { all: true } : undefined
}
