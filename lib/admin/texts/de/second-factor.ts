// German texts of two-factor authentication.

import type { Translation } from '../translation.ts'

export const secondFactor: Translation['secondFactor'] = {
  title: 'Zwei-Faktor-Authentifizierung',
  text: 'Für die Anmeldung brauchen Sie zusätzlich zum Passwort einen Code von Ihrem Telefon. Ein gestohlenes Passwort allein genügt dann nicht. API-Schlüssel brauchen keinen Code.',
  app: 'Authenticator-App',
  on: 'an',
  off: 'aus',
  left: {
    one: 'noch {count} Wiederherstellungscode',
    other: 'noch {count} Wiederherstellungscodes',
  },
  few: 'Es sind nur noch wenige Wiederherstellungscodes übrig. Erzeugen Sie rechtzeitig neue Codes.',
  needsPassword:
    'Die Zwei-Faktor-Authentifizierung braucht ein Passwort, und dieses Konto hat keines.',
  setUp: 'Einrichten',
  setUpText:
    'Sie brauchen eine Authenticator-App, etwa Aegis, 2FAS, Google Authenticator oder Ihren Passwort-Manager. Geben Sie zuerst Ihr Passwort ein:',
  replace: 'Telefon wechseln',
  replaceText: 'Ihr bisheriges Telefon gilt, bis Sie das neue bestätigen.',
  goOn: 'Weiter',
  scanTitle: 'Mit der App scannen',
  scanText: 'Geben Sie danach die sechs Ziffern ein, die die App anzeigt.',
  qrCode: 'QR-Code für eine Authenticator-App',
  cannotScan: 'Scannen nicht möglich? Geben Sie diesen Schlüssel in die App ein:',
  codeHint: 'Sechs Ziffern, 30 Sekunden gültig.',
  wrongCode: 'Dieser Code ist falsch, abgelaufen oder wurde bereits verwendet.',
  confirm: 'Einschalten',
  codes: 'Wiederherstellungscodes',
  isOn: 'Die Zwei-Faktor-Authentifizierung ist eingeschaltet. Ihre anderen Sitzungen sind beendet.',
  codesText:
    'Wenn Sie Ihr Telefon verlieren, können Sie sich mit jedem dieser Codes einmal anmelden. Sie werden nur einmal angezeigt. Bewahren Sie sie dort auf, wo Sie Passwörter aufbewahren, nicht auf dem Telefon.',
  codesOf: 'Wiederherstellungscodes von {name} für {site}',
  copyCodes: 'Codes kopieren',
  download: 'Herunterladen',
  print: 'Drucken',
  renew: 'Neue Wiederherstellungscodes',
  renewText: 'Ihre bisherigen Codes gelten dann nicht mehr.',
  renewSubmit: 'Codes erzeugen',
  remove: 'Ausschalten',
  removeTitle: 'Zwei-Faktor-Authentifizierung ausschalten?',
  removeText: 'Danach genügt zur Anmeldung das Passwort allein.',
  removed: 'Die Zwei-Faktor-Authentifizierung ist ausgeschaltet.',
  ofUser: 'mit Passwort und Code',
  takeAway: 'Zwei-Faktor-Authentifizierung ausschalten',
  takeAwayTitle: 'Zwei-Faktor-Authentifizierung für {name} ausschalten?',
  takeAwayText:
    'Für Benutzer, die ihr Telefon und ihre Wiederherstellungscodes verloren haben. Prüfen Sie zuerst, ob die Bitte wirklich von diesem Benutzer kommt: Danach genügt zur Anmeldung das Passwort allein.',
  takenAway: '{name} meldet sich jetzt nur mit dem Passwort an.',
}
