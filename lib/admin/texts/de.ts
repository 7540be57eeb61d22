// All that the administration area says, in German.

import { clash, picker } from './de/parts.ts'
import { calendar } from './de/calendar.ts'
import { access } from './de/access.ts'
import { content } from './de/content.ts'
import { editor } from './de/editor.ts'
import { data } from './de/data.ts'
import { entries } from './de/entries.ts'
import { file } from './de/file.ts'
import { keys } from './de/keys.ts'
import { palette, shortcuts } from './de/palette.ts'
import { profile } from './de/profile.ts'
import { secondFactor } from './de/second-factor.ts'
import { site } from './de/site.ts'
import { upload } from './de/upload.ts'
import { users } from './de/users.ts'
import type { Translation } from './translation.ts'

export const de: Translation = {
  ...site,
  calendar,
  access,
  content,
  editor,
  data,
  entries,
  file,
  upload,
  general: {
    product: 'cms-server',
    cancel: 'Abbrechen',
    close: 'Schließen',
    copy: 'Kopieren',
    copied: 'Kopiert',
    loading: 'Wird geladen',
    next: 'Weiter',
    none: 'Keine',
    optional: 'freiwillig',
    previous: 'Zurück',
    reload: 'Noch einmal versuchen',
    resize: 'Die Linie zwischen beiden Teilen verschieben',
    save: 'Speichern',
    selectAll: 'Alle auswählen',
    selectRow: '{name} auswählen',
    stop: 'Anhalten',
    undo: 'Rückgängig',
    saved: 'Gespeichert.',
    total: { one: '{count} insgesamt', other: '{count} insgesamt' },
    selected: { one: '{count} ausgewählt', other: '{count} ausgewählt' },
  },
  clash,
  connection: {
    lost: 'Keine Verbindung zum Server. Es wird weiter versucht; was Sie sehen und schreiben, bleibt.',
  },
  forbidden: {
    title: 'Nicht für dieses Konto',
    text: 'Sie sind als {name} angemeldet, und diese Seite braucht ein Recht, das dieses Konto nicht hat. Wer die Site betreibt, kann es auf der Seite der Benutzer geben.',
    back: 'Zur Startseite',
  },
  form: {
    kept: 'Was Sie hier geschrieben hatten, ist noch da.',
    discard: 'Neu beginnen',
    required: 'Das wird gebraucht.',
  },
  frame: {
    skip: 'Zum Inhalt springen',
    menu: 'Menü',
    navigation: 'Seiten',
    open: 'Menü öffnen',
    closeMenu: 'Menü schließen',
    profile: 'Konto von {name}',
    language: 'Sprache',
    preferences: 'Sprache und Aussehen',
    theme: 'Aussehen',
    themes: { auto: 'Wie das System', light: 'Hell', dark: 'Dunkel' },
    signOut: 'Abmelden',
    groups: {
      start: 'Start',
      content: 'Redaktion',
      data: 'Daten',
      site: 'Site',
      documents: 'Dokumente',
    },
    systemApi: 'System API',
    moduleApi: 'Module API',
  },
  failed: {
    title: 'Diese Seite ließ sich nicht laden',
    text: 'Der Server hat eine neue Version, oder die Verbindung brach ab. Beim neuen Laden geht nichts verloren.',
    reload: 'Neu laden',
    broken: 'Auf dieser Seite ging etwas schief',
    brokenText:
      'Was Sie in Formulare geschrieben haben, ist aufgehoben. Laden Sie die Seite neu; geht es wieder schief, sagen Sie denen, die die Site betreiben, was unten steht.',
  },
  keys,
  password: {
    show: 'Passwort zeigen',
    hide: 'Passwort verbergen',
    hint: 'Mindestens {count} Zeichen. Ein Satz ist leichter zu merken als ein Rätsel, und schwerer zu raten.',
    tooShort: 'Mindestens {count} Zeichen werden gebraucht.',
  },
  picker,
  problems: {
    'code-required': 'Auch der Code des zweiten Faktors wird gebraucht.',
    'code-wrong': 'Der Code gilt jetzt nicht, oder wurde schon benutzt.',
    'oidc-unavailable':
      'Der Anbieter antwortet nicht. Gleich noch einmal versuchen, oder mit dem Passwort anmelden.',
    'oidc-refused': 'Die Anmeldung beim Anbieter wurde nicht beendet. Sie lässt sich neu beginnen.',
    'oidc-no-user':
      'Kein Benutzer hat hier die E-Mail-Adresse, die der Anbieter nennt. Wer die Site betreibt, kann sie auf der Seite der Benutzer eintragen.',
    'grant-missing': 'Dieses Konto darf das nicht.',
    'key-invalid': 'Die Sitzung ist vorbei.',
    'name-taken': 'Der Name ist vergeben.',
    'not-found': 'Es ist nicht da, oder nicht mehr.',
    'precondition-failed': 'Jemand anderes hat es inzwischen geändert.',
    'read-only': 'Der Server nimmt gerade keine Änderungen an.',
    'disk-full': 'Die Platte des Servers ist voll.',
    'cross-site': 'Der Server hat es abgelehnt, weil es nicht von einer seiner Seiten kam.',
    'session-over': 'Die Sitzung ist vorbei.',
    'sign-in-failed': 'Dieser Name und dieses Passwort gehören nicht zusammen.',
    'too-large': 'Das ist zu groß.',
    'too-many-requests': 'Zu viele Versuche.',
    unavailable: 'Der Server ist beschäftigt. Versuchen Sie es gleich noch einmal.',
    'welcome-over': 'Dieser Link gilt nicht mehr.',
    'no-connection':
      'Der Server ist nicht zu erreichen. Was Sie geschrieben haben, ist noch hier: Versuchen Sie es gleich noch einmal.',
    unknown: 'Das hat nicht geklappt.',
    retryIn: '{problem} Versuchen Sie es in {wait} wieder.',
    seconds: { one: '{count} Sekunde', other: '{count} Sekunden' },
    minutes: { one: '{count} Minute', other: '{count} Minuten' },
  },
  profile,
  palette,
  shortcuts,
  secondFactor,
  secret: {
    once: 'Es wird nur dieses eine Mal gezeigt. Heben Sie es auf, wo Sie Passwörter aufheben.',
    label: 'Geheimnis',
  },
  signIn: {
    title: 'Anmelden',
    over: 'Noch einmal anmelden',
    overText:
      'Ihre Sitzung ist vorbei. Was Sie sehen und geschrieben haben, bleibt, und es geht weiter, sobald Sie angemeldet sind.',
    name: 'Name',
    password: 'Passwort',
    code: 'Code',
    codeHint: 'Sechs Ziffern aus der Authenticator-App, oder ein Wiederherstellungscode.',
    or: 'oder',
    oidc: 'Über die eigene Organisation anmelden',
    oidcElsewhere: 'Öffnet sich in einem anderen Tab. Nach der Anmeldung geht es hier weiter.',
    submit: 'Anmelden',
  },
  start: {
    title: 'Start',
    greeting: 'Willkommen, {name}',
    intro: 'Von hier bis zur veröffentlichten Seite sind es wenige Schritte.',
    steps: 'Erste Schritte',
    done: 'erledigt',
    fileTitle: 'Eine Seite anlegen oder hochladen',
    fileText:
      'Von einer Datei werden alle Versionen aufgehoben, und noch sieht sie niemand. Zum Hochladen lassen sich Dateien und Ordner auf die Liste ziehen.',
    publishTitle: 'Sie veröffentlichen',
    publishText:
      'Damit sehen Besucher die neueste Version. Die Adresse bleibt von Version zu Version dieselbe.',
    tableTitle: 'Eine Tabelle anlegen',
    tableText:
      'Eine Tabelle mit Einträgen und einer eigenen Adresse, von der eine Website liest und an die sie schreibt.',
    keyTitle: 'Einen Schlüssel für ein Programm machen',
    keyText:
      'Eine Website oder ein Skript unterschreibt Anfragen mit einem API-Schlüssel, der darf, was ihm gegeben wird.',
    lookTitle: 'Sich umsehen',
    lookText: 'Ordner mit ihren Dateien, und welche Version jeweils live ist.',
    rights: 'Was dieses Konto darf',
    rightsNone: 'Noch nichts: Wer die Site betreibt, kann eine Rolle geben.',
    everywhere: 'Auf der ganzen Site',
    inFolder: 'In {path} und darunter',
    learn: 'Lesen und ausprobieren',
    learnText: 'Beide Seiten zeigen jede Anfrage mit ihren Antworten und senden sie auf Wunsch.',
    systemText: 'Dateien, Ordner, Benutzer und Schlüssel: was es auf jeder Site gibt.',
    moduleText: 'Die Datentabellen und Kalender dieser Site.',
    grants: {
      view: 'ansehen',
      create: 'anlegen',
      modify: 'ändern',
      delete: 'löschen',
      stage: 'vormerken',
      publish: 'veröffentlichen',
      admin: 'verwalten',
    },
  },
  state: { live: 'live', staged: 'vorgemerkt', draft: 'Entwurf' },
  table: {
    sortUp: 'sortiert, das Kleinste zuerst',
    sortDown: 'sortiert, das Größte zuerst',
  },
  unknown: {
    title: 'Diese Seite gibt es nicht',
    text: 'Unter {path} ist nichts. Vielleicht wurde es verschoben, oder die Adresse ist verschrieben.',
    back: 'Zur Startseite',
  },
  users,
  welcome: {
    title: 'Willkommen',
    steps: 'Schritt {step} von 2',
    passwordTitle: 'Legen Sie Ihr Passwort fest',
    passwordText:
      'Noch kann sich niemand an diesem Server anmelden. Sein erster Benutzer ist admin; mit dem Passwort, das Sie hier festlegen, melden Sie sich von nun an an.',
    user: 'Benutzer',
    password: 'Passwort',
    again: 'Dasselbe noch einmal',
    notSame: 'Beide sind nicht gleich.',
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
  },
}
