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
    'Die Browser und Geräte, auf denen Sie angemeldet sind. Wenn Ihnen eine Sitzung unbekannt ist, beenden Sie sie und ändern Sie Ihr Passwort.',
  thisSession: 'diese Sitzung',
  since: 'Angemeldet',
  used: 'zuletzt aktiv',
  signOutThere: 'Sitzung beenden',
  signedOut: 'Die Sitzung {name} wurde beendet.',
  links: {
    title: 'Meine Links',
    about:
      'Links zu Dateien, Vorschauen und Kalendern sowie Einladungen, die Sie erstellt haben. Sie funktionieren ohne Anmeldung.',
    titleOfUser: 'Links',
    aboutOfUser:
      'Links zu Dateien, Vorschauen und Kalendern sowie Einladungen, die dieser Benutzer erstellt hat.',
    none: 'Es gibt keine Links.',
    feed: 'Geheime Adresse des Kalenders {name}',
    ofUser: 'Passwort-Link für {name}',
    made: 'erstellt {when}',
    revokeAll: 'Alle Links widerrufen',
    revokeAllTitle: 'Alle Links widerrufen?',
    revokeAllText:
      'Alle diese Adressen funktionieren ab sofort nicht mehr. Das lässt sich nicht rückgängig machen.',
    allRevoked: 'Alle Links wurden widerrufen.',
  },
  everywhere: 'Überall abmelden',
  everywhereTitle: 'Überall abmelden?',
  everywhereText: 'Alle Ihre Sitzungen enden, auch diese. Ihre Schlüssel gelten weiter.',
}
