// German texts of the page on which a link sets a password.

import type { Translation } from '../translation.ts'

export const welcome: Translation['welcome'] = {
  steps: 'Schritt {step} von 2',
  passwordTitle: 'Legen Sie Ihr Passwort fest',
  passwordText:
    'Noch kann sich niemand an diesem Server anmelden. Der erste Benutzer heißt admin. Melden Sie sich künftig mit diesem Namen und dem Passwort an, das Sie hier festlegen.',
  invitedText:
    'Sie sind der Benutzer {name}. Melden Sie sich künftig mit diesem Namen und dem Passwort an, das Sie hier festlegen.',
  user: 'Name',
  password: 'Passwort',
  setPassword: 'Passwort festlegen',
  keyTitle: 'Legen Sie Ihren ersten API-Schlüssel an',
  keyText:
    'Mit einem API-Schlüssel handeln Programme in Ihrem Namen. Sie können weitere Schlüssel anlegen und jederzeit widerrufen.',
  keyName: 'Name des Schlüssels',
  keyNameHint: 'Wofür der Schlüssel dient.',
  makeKey: 'Schlüssel anlegen',
  skip: 'Überspringen',
  madeTitle: 'Ihr Schlüssel ist bereit',
  tryOut: 'Im Terminal ausprobieren',
  onward: 'Zur Startseite',
  overTitle: 'Dieser Link gilt nicht mehr',
  overText:
    'Der Link wurde bereits verwendet, ist abgelaufen oder wurde durch einen neueren ersetzt. Wenn Sie ein Passwort festgelegt haben, melden Sie sich damit an. Andernfalls bitten Sie einen Administrator um einen neuen Link.',
  overFirstText:
    'Wenn der Server gerade zum ersten Mal gestartet ist, starten Sie ihn neu. Er zeigt einen neuen Link, solange sich niemand anmelden kann.',
  missingText: 'Am Ende der Adresse fehlt der Code. Öffnen Sie den vollständigen Link.',
  toSignIn: 'Zur Anmeldung',
}
