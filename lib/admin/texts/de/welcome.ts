// Was die Seiten des ersten Starts sagen.

import type { Translation } from '../translation.ts'

export const welcome: Translation['welcome'] = {
  steps: 'Schritt {step} von 2',
  passwordTitle: 'Legen Sie Ihr Passwort fest',
  passwordText:
    'Noch kann sich niemand an diesem Server anmelden. Sein erster Benutzer ist admin; mit dem Passwort, das Sie hier festlegen, melden Sie sich von nun an an.',
  user: 'Benutzer',
  password: 'Passwort',
  setPassword: 'Passwort festlegen',
  keyTitle: 'Machen Sie Ihren ersten API-Schlüssel',
  keyText:
    'Mit ihm sprechen Programme in Ihrem Namen mit dem Server. Sie können jederzeit weitere machen und jeden beenden.',
  keyName: 'Name des Schlüssels',
  keyNameHint: 'Wozu er dient.',
  makeKey: 'Schlüssel machen',
  skip: 'Später',
  madeTitle: 'Ihr Schlüssel ist fertig',
  tryOut: 'Probieren Sie ihn in einem Terminal aus',
  onward: 'Zur Startseite',
  overTitle: 'Dieser Link gilt nicht mehr',
  overText:
    'Er wurde schon benutzt oder ist älter als eine Stunde. Haben Sie ein Passwort festgelegt, melden Sie sich damit an. Wenn nicht, starten Sie den Server noch einmal: Er zeigt einen neuen Link, solange sich niemand anmelden kann.',
  missingText:
    'Die Adresse dieser Seite endet mit einem Code, den der Server bei seinem ersten Start genannt hat. Öffnen Sie die ganze Adresse.',
  toSignIn: 'Zur Anmeldung',
}
