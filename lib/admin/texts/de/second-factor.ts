// German texts of the second factor.

import type { Translation } from '../translation.ts'

export const secondFactor: Translation['secondFactor'] = {
  title: 'Zwei-Faktor-Authentifizierung',
  text: 'Mit einem zweiten Faktor brauchen Sie für die Anmeldung zusätzlich zum Passwort einen Code von Ihrem Smartphone. Ein gestohlenes Passwort allein genügt dann nicht mehr. API-Schlüssel brauchen keinen Code.',
  app: 'Authenticator-App',
  on: 'an',
  off: 'aus',
  left: {
    one: 'noch {count} Wiederherstellungscode',
    other: 'noch {count} Wiederherstellungscodes',
  },
  few: 'Es sind nur noch wenige Wiederherstellungscodes übrig. Erzeugen Sie rechtzeitig neue Codes.',
  needsPassword: 'Ein zweiter Faktor setzt ein Passwort voraus, und dieses Konto hat keines.',
  setUp: 'Zweiten Faktor einrichten',
  setUpText:
    'Sie brauchen eine Authenticator-App, etwa Aegis, 2FAS, Google Authenticator oder Ihren Passwort-Manager. Geben Sie zuerst Ihr Passwort ein:',
  replace: 'Smartphone wechseln',
  replaceText: 'Die Codes Ihres bisherigen Smartphones gelten, bis Sie das neue bestätigen.',
  goOn: 'Weiter',
  scanTitle: 'Mit der App scannen',
  scanText: 'Geben Sie danach die sechs Ziffern ein, die die App anzeigt.',
  qrCode: 'QR-Code für eine Authenticator-App',
  cannotScan: 'Scannen nicht möglich? Geben Sie diesen Einrichtungsschlüssel in die App ein:',
  codeHint: 'Sechs Ziffern, 30 Sekunden gültig.',
  wrongCode: 'Dieser Code ist falsch oder abgelaufen, oder er wurde bereits verwendet.',
  confirm: 'Einschalten',
  codes: 'Wiederherstellungscodes',
  isOn: 'Der zweite Faktor ist eingeschaltet. Ihre anderen Sitzungen wurden beendet.',
  codesText:
    'Wenn Sie Ihr Smartphone verlieren, können Sie sich mit jedem dieser Codes einmal anmelden. Sie werden nur einmal angezeigt. Bewahren Sie sie dort auf, wo Sie Passwörter aufbewahren, nicht auf dem Smartphone.',
  codesOf: 'Wiederherstellungscodes von {name} für {site}',
  copyCodes: 'Codes kopieren',
  download: 'Herunterladen',
  print: 'Drucken',
  renew: 'Neue Wiederherstellungscodes',
  renewText: 'Ihre bisherigen Codes gelten dann nicht mehr.',
  renewSubmit: 'Codes erzeugen',
  remove: 'Ausschalten',
  removeTitle: 'Zweiten Faktor ausschalten?',
  removeText: 'Danach genügt zur Anmeldung das Passwort allein.',
  removed: 'Der zweite Faktor ist ausgeschaltet.',
  ofUser: 'Passwort und Code',
  takeAway: 'Zweiten Faktor ausschalten',
  takeAwayTitle: 'Zweiten Faktor von {name} ausschalten?',
  takeAwayText:
    'Schalten Sie den zweiten Faktor nur für einen Benutzer aus, der sein Smartphone und seine Wiederherstellungscodes verloren hat. Prüfen Sie zuerst, ob die Bitte wirklich von diesem Benutzer kommt. Sobald der zweite Faktor ausgeschaltet ist, genügt zur Anmeldung das Passwort allein.',
  takenAway: '{name} kann sich jetzt mit dem Passwort allein anmelden.',
}
