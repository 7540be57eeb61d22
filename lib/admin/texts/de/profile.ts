// German texts of the profile page.

import type { Translation } from '../translation.ts'

export const profile: Translation['profile'] = {
  intro: 'Ihr Konto: Rechte, Passwort und Sitzungen.',
  password: 'Passwort',
  passwordText:
    'Mit einem neuen Passwort enden alle Ihre anderen Sitzungen. Ihre Schlüssel gelten weiter.',
  presentPassword: 'Aktuelles Passwort',
  newPassword: 'Neues Passwort',
  wrongPassword: 'Das aktuelle Passwort ist falsch.',
  changePassword: 'Passwort ändern',
  passwordChanged: 'Das Passwort wurde geändert.',
  sessions: 'Sitzungen',
  sessionsText:
    'Die Browser und Geräte, auf denen Sie angemeldet sind. Wenn Sie eine Sitzung nicht erkennen, melden Sie sich dort ab und ändern Sie Ihr Passwort.',
  thisSession: 'diese Sitzung',
  since: 'Angemeldet',
  used: 'zuletzt aktiv',
  signOutThere: 'Dort abmelden',
  signedOut: '{name} wurde abgemeldet.',
  everywhere: 'Überall abmelden',
  everywhereTitle: 'Überall abmelden?',
  everywhereText: 'Alle Ihre Sitzungen enden, auch diese. Ihre Schlüssel gelten weiter.',
}
