// Was die Seite des eigenen Kontos sagt.

import type { Translation } from '../translation.ts'

export const profile: Translation['profile'] = {
  intro: 'Das eigene Konto: was es darf, sein Passwort, und wo es angemeldet ist.',
  password: 'Passwort',
  passwordText: 'Mit einem neuen Passwort enden alle anderen Sitzungen. Schlüssel gelten weiter.',
  presentPassword: 'Jetziges Passwort',
  newPassword: 'Neues Passwort',
  wrongPassword: 'Das ist nicht das jetzige Passwort.',
  changePassword: 'Passwort ändern',
  passwordChanged: 'Das Passwort ist geändert.',
  sessions: 'Sitzungen',
  sessionsText:
    'Wo dieses Konto angemeldet ist. Eine unbekannte Sitzung ist ein Grund für ein neues Passwort.',
  thisSession: 'diese hier',
  since: 'Seit',
  used: 'benutzt',
  signOutThere: 'Dort abmelden',
  signedOut: '{name} ist abgemeldet.',
  everywhere: 'Überall abmelden',
  everywhereTitle: 'Überall abmelden?',
  everywhereText: 'Alle Sitzungen enden, auch diese hier. Schlüssel gelten weiter.',
}
