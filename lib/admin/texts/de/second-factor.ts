// Was vom zweiten Faktor gesagt wird.

import type { Translation } from '../translation.ts'

export const secondFactor: Translation['secondFactor'] = {
  title: 'Zweiter Faktor',
  text: 'Ein Code vom Telefon zusätzlich zum Passwort: Wer nur das Passwort erfährt, kommt nicht hinein. API-Schlüssel fragen nach keinem Code.',
  app: 'Authenticator-App',
  on: 'an',
  off: 'aus',
  left: {
    one: 'noch {count} Wiederherstellungscode',
    other: 'noch {count} Wiederherstellungscodes',
  },
  few: 'Es sind nur noch wenige Wiederherstellungscodes übrig. Am besten jetzt neue machen.',
  needsPassword: 'Er gehört zu einem Passwort, und dieses Konto hat keines.',
  setUp: 'Einrichten',
  setUpText:
    'Gebraucht wird eine App, die Codes macht, etwa Aegis, 2FAS, Google Authenticator oder der Passwort-Manager. Zuerst das Passwort:',
  replace: 'Anderes Telefon',
  replaceText: 'Der jetzige gilt weiter, bis der neue bestätigt ist.',
  goOn: 'Weiter',
  scanTitle: 'Mit der App scannen',
  scanText: 'Danach die sechs Ziffern eingeben, die die App zeigt.',
  qrCode: 'QR-Code für eine Authenticator-App',
  cannotScan: 'Scannen geht nicht? Das hier in die App eingeben:',
  codeHint: 'Sechs Ziffern, die eine halbe Minute gelten.',
  wrongCode: 'Dieser Code gilt jetzt nicht, oder wurde schon benutzt.',
  confirm: 'Einschalten',
  codes: 'Wiederherstellungscodes',
  isOn: 'Der zweite Faktor ist an, und alle anderen Sitzungen sind beendet.',
  codesText:
    'Ist das Telefon verloren, lässt jeder dieser Codes einmal hinein. Sie werden nur jetzt gezeigt und gehören dorthin, wo Passwörter liegen, nicht aufs Telefon.',
  codesOf: 'Wiederherstellungscodes von {name} für {site}',
  copyCodes: 'Codes kopieren',
  download: 'Herunterladen',
  print: 'Drucken',
  renew: 'Neue Wiederherstellungscodes',
  renewText: 'Die jetzigen Codes gelten dann nicht mehr.',
  renewSubmit: 'Neue Codes machen',
  remove: 'Ausschalten',
  removeTitle: 'Zweiten Faktor ausschalten?',
  removeText: 'Danach genügt wieder das Passwort allein.',
  removed: 'Der zweite Faktor ist aus.',
  ofUser: 'mit Passwort und Code',
  takeAway: 'Zweiten Faktor entfernen',
  takeAwayTitle: 'Zweiten Faktor von {name} entfernen?',
  takeAwayText:
    'Für jemanden, der das Telefon und die Wiederherstellungscodes verloren hat. Vorher sicher sein, wer darum bittet: Danach genügt das Passwort, bis ein neuer eingerichtet ist.',
  takenAway: '{name} meldet sich nur noch mit dem Passwort an.',
}
