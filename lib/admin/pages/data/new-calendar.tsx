// Creates a calendar in a dialog over the list. Further settings are on the calendar page.

import { useLocation } from 'preact-iso/router'
import { pathOf } from '../../client/address.ts'
import { dataOf } from '../../client/api.ts'
import { useApi } from '../../client/client-context.ts'
import { useTexts } from '../../texts/use-texts.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { FolderPicker } from '../../ui/folder-picker.tsx'
import { Form } from '../../ui/form.tsx'
import { Select } from '../../ui/select.tsx'
import { TextInput } from '../../ui/text-input.tsx'

export function NewCalendar({ onClose }: { readonly onClose: () => void }) {
  const { t } = useTexts()
  const api = useApi()
  const { route } = useLocation()
  const own = Intl.DateTimeFormat().resolvedOptions().timeZone

  return (
    <Dialog title={t.data.makeCalendar} onClose={onClose}>
      <Form
        name="new-calendar"
        initial={{ name: '', parent_category_id: '', time_zone: own }}
        submit={t.data.makeCalendarSubmit}
        onSubmit={async ({ name, parent_category_id: folder, time_zone }, { once }) => {
          const body = {
            name,
            time_zone,
            ...(folder !== '' && { parent_category_id: Number(folder) }),
          }
          const params = { header: once(body) }
          const { calendar_id: id } = await dataOf(api.POST('/calendar', { body, params }))
          onClose()
          route(pathOf(`/calendars/${id}`))
        }}
        actions={<Button onPress={onClose}>{t.general.cancel}</Button>}
      >
        <TextInput name="name" label={t.data.name} isRequired isFocused />
        <FolderPicker
          name="parent_category_id"
          label={t.data.folder}
          empty={t.data.usualFolder}
          isOptional
        />
        <Select
          name="time_zone"
          label={t.data.timeZone}
          hint={t.data.timeZoneHint}
          options={zonesWith(own).map((zone) => ({ value: zone, text: zone }))}
        />
      </Form>
    </Dialog>
  )
}

function zonesWith(own: string): readonly string[] {
  return [...new Set(['UTC', own, ...Intl.supportedValuesOf('timeZone')])].toSorted()
}
