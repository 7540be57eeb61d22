// Roles in folders: one row per folder, with the role for the folder and its subfolders.

import { useTexts } from '../../texts/use-texts.ts'
import { Button } from '../../ui/button.tsx'
import { FolderPicker } from '../../ui/folder-picker.tsx'
import { Icon } from '../../ui/icon.tsx'
import { useBound } from '../../ui/use-form.ts'
import { RoleSelect } from './role-select.tsx'
import { type FolderRole, folderRolesOf } from './user.ts'

const NAME = 'category_roles'

export function FolderRoles() {
  const { t } = useTexts()
  const { value, fault, change } = useBound<string>({ name: NAME }, '[]')
  const rows = folderRolesOf(value)
  const put = (next: readonly FolderRole[]): void => change(JSON.stringify(next))
  const set = (at: number, part: Partial<FolderRole>): void =>
    put(rows.map((row, place) => (place === at ? { ...row, ...part } : row)))

  return (
    <fieldset class="folder-roles">
      <legend class="field-label">{t.users.folderRoles}</legend>
      <p class="field-hint">{t.users.folderRolesHint}</p>
      {rows.map((row, at) => (
        // The position is the key, because new rows have no folder yet.
        <div key={at} class="folder-role">
          <FolderPicker
            name={`folder-${at}`}
            label={t.keys.folder}
            empty={t.users.chooseFolder}
            value={row.folder}
            onChange={(folder) => set(at, { folder })}
          />
          <RoleSelect
            name={`role-${at}`}
            label={t.users.role}
            value={row.role}
            onChange={(role) => set(at, { role })}
            isBrief
          />
          <Button
            kind="quiet"
            icon="trash"
            label={t.users.removeFolderRole}
            onPress={() => put(rows.filter((_, place) => place !== at))}
          />
        </div>
      ))}
      {fault !== undefined && (
        <p class="field-fault" role="alert">
          <Icon name="alert" />
          {fault}
        </p>
      )}
      <div>
        <Button icon="plus" onPress={() => put([...rows, { folder: '', role: 'editor' }])}>
          {t.users.addFolderRole}
        </Button>
      </div>
    </fieldset>
  )
}
