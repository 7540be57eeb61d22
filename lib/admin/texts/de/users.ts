// German texts of the user pages.

import type { Translation } from '../translation.ts'

export const users: Translation['users'] = {
  intro:
    'Benutzer und ihre Rollen. Eine Rolle gilt für die gesamte Website und kann in einzelnen Ordnern abweichen.',
  makeSubmit: 'Benutzer anlegen',
  notFound: 'Keine Benutzer gefunden',
  name: 'Name',
  nameHint:
    'Der Benutzer meldet sich mit diesem Namen an. Zwischen Groß- und Kleinschreibung wird nicht unterschieden.',
  renameHint:
    'Der Benutzer meldet sich mit diesem Namen an. Vorhandene Datensätze behalten den bisherigen Namen, und kein anderer Benutzer kann den bisherigen Namen erhalten.',
  displayName: 'Anzeigename',
  displayNameHint: 'Der Name der Person. Er wird statt des Anmeldenamens angezeigt.',
  role: 'Rolle',
  roles: {
    viewer: 'Leser',
    stager: 'Autor',
    editor: 'Redakteur',
    admin: 'Administrator',
    none: 'Keine',
  },
  anyRole: 'Alle Rollen',
  roleTexts: {
    viewer: 'Sieht Live-Inhalte, kann sie aber nicht ändern.',
    stager: 'Bearbeitet Inhalte und merkt sie vor, damit andere sie veröffentlichen.',
    editor: 'Bearbeitet, veröffentlicht und löscht Inhalte.',
    admin: 'Darf alles, auch Benutzer und ihre Schlüssel verwalten.',
    none: 'Hat keinen Zugriff, außer in Ordnern, in denen der Benutzer eine Ordnerrolle hat.',
  },
  rolesTitle: 'Rollen',
  rolesIntro:
    'Eine Rolle ist eine Auswahl von Rechten. Wenn Sie eine Rolle ändern, haben ihre Benutzer sofort die neuen Rechte.',
  newRole: 'Neue Rolle',
  makeRole: 'Rolle anlegen',
  editRole: 'Rolle {name}',
  fixedRole: 'vorgegeben',
  roleDescription: 'Beschreibung',
  roleNameHint: 'Wer die Rolle hat, behält sie unter dem neuen Namen.',
  showUsers: 'Benutzer anzeigen',
  actionsOfRole: 'Aktionen für {name}',
  roleInUse: 'Die Rolle {name} lässt sich nicht löschen, weil Benutzer sie haben: {users}.',
  deleteRoleText: 'Sie können eine Rolle nur löschen, wenn kein Benutzer sie hat.',
  folderRoles: 'Ordnerrollen',
  folderRolesHint:
    'Eine Ordnerrolle ersetzt im Ordner und seinen Unterordnern die Rolle des Benutzers.',
  inFolders: { one: 'in {count} Ordner', other: 'in {count} Ordnern' },
  otherInFolders: {
    one: 'In {count} Ordner gilt eine andere Rolle.',
    other: 'In {count} Ordnern gelten andere Rollen.',
  },
  chooseFolder: 'Ordner wählen',
  chooseFolders: 'Wählen Sie in jeder Zeile einen Ordner oder entfernen Sie die Zeile.',
  addFolderRole: 'Ordner hinzufügen',
  removeFolderRole: 'Zeile entfernen',
  states: { active: 'Aktiv', disabled: 'Gesperrt' },
  signsIn: 'Anmeldung',
  withPassword: 'Passwort',
  withoutPassword: 'Kein Passwort',
  email: 'E-Mail',
  emailHint:
    'Für die Anmeldung über einen Anbieter und für E-Mails bei Erwähnungen, falls der Server welche verschickt.',
  invited: 'Eingeladen',
  linkUntil: 'Link gültig bis {date}',
  invite: 'Einladungslink erstellen',
  inviteHint:
    'Mit dem Link legt der Benutzer ein Passwort fest und meldet sich an. Ein Benutzer für Programme braucht nur Schlüssel und keinen Link.',
  newLink: 'Einladungslink erstellen',
  newPasswordLink: 'Passwort-Link erstellen',
  linkTitle: 'Link für {name}',
  linkLabel: 'Link',
  linkText:
    'Senden Sie diesen Link an den Benutzer. Er funktioniert einmal, bis {date}. Mit dem Link kann jeder das Passwort des Benutzers festlegen. Verwenden Sie deshalb einen Weg, dem Sie vertrauen.',
  linkOnce: 'Der Link wird nur hier angezeigt. Ein neuer Link ersetzt ihn.',
  linkKeeps: 'Das bisherige Passwort gilt, bis der Benutzer ein neues festlegt.',
  linkDone: 'Fertig',
  lastAdmin:
    'Das ist der letzte aktive Administrator. Machen Sie zuerst einen anderen Benutzer zum Administrator.',
  toProfile: 'Mein Profil',
  setPassword: 'Passwort festlegen',
  setPasswordTitle: 'Passwort für {name}',
  more: 'Weitere Aktionen',
  setPasswordText: 'Alle Sitzungen des Benutzers enden. Seine Schlüssel gelten weiter.',
  passwordSet: '{name} kann sich jetzt mit dem neuen Passwort anmelden.',
  takeAway: 'Passwort entfernen',
  takeAwayTitle: 'Passwort von {name} entfernen?',
  takeAwayText:
    'Der Benutzer kann sich nicht mehr mit einem Passwort anmelden, und alle Sitzungen enden. Seine Schlüssel gelten weiter.',
  takenAway: '{name} kann sich nicht mehr mit einem Passwort anmelden.',
  enable: 'Entsperren',
  enabled: '{name} wurde entsperrt.',
  disable: 'Sperren',
  disabled:
    '{name} wurde gesperrt. Alle Sitzungen sind beendet, und die Schlüssel gelten nicht mehr.',
  deleteTitle: '{name} löschen?',
  deleteText:
    'Der Benutzer verliert sofort den Zugriff. Das lässt sich nicht rückgängig machen. Alles, was der Benutzer angelegt hat, bleibt erhalten. Um einen Benutzer vorübergehend auszuschließen, sperren Sie ihn stattdessen.',
  deleteNoKeys: 'Der Benutzer hat keine Schlüssel.',
  deleteKeys: {
    one: '{count} Schlüssel wird ebenfalls widerrufen. Das Programm, das ihn verwendet, verliert den Zugriff.',
    other:
      '{count} Schlüssel werden ebenfalls widerrufen. Programme, die sie verwenden, verlieren den Zugriff.',
  },
  deleted: '{name} wurde gelöscht.',
  whoMayWhat: 'Rechte nach Ordner',
  where: 'Im Ordner',
  whereHint: 'Die Schlüssel dieses Benutzers haben höchstens diese Rechte.',
  whereTop: 'Gesamte Website',
  becauseOwn: 'Aus der Rolle des Benutzers: {role}.',
  becauseFolder: 'Aus der Rolle in {path}: {role}.',
  becauseDisabled: '{name} ist gesperrt und hat keine Rechte.',
  may: 'erlaubt',
  mayNot: 'nicht erlaubt',
}
